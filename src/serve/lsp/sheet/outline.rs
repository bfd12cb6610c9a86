//! What a text consists of: its sentences, those in a row that define the same thing as one entry.

use crate::gdl::Keyword;
use crate::serve::lsp::sheet::{Kind, Occurrence, Sheet, Usage};
use crate::syntax::Span;

/// What kind of thing a symbol of the outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A role.
    Role,
    /// A fluent, at the start or later.
    Fluent,
    /// A move.
    Move,
    /// `goal` or `terminal`.
    End,
    /// A relation of the game.
    Relation,
    /// One sentence of an entry.
    Sentence,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called, such as `next cell/3`.
    pub name: String,
    /// How many sentences it has.
    pub detail: String,
    /// What kind of thing it is.
    pub kind: SymbolKind,
    /// From the first to the last sentence.
    pub span: Span,
    /// The name of the first one.
    pub selection: Span,
    /// The sentences, if there are several.
    pub sentences: Vec<Symbol>,
}

/// The entries of a text, in its order.
pub fn outline(sheet: &Sheet) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut heads = Heads::of(sheet);
    for number in 0..sheet.document().sentences().len() as u32 {
        let Some((name, kind, selection)) = heads.subject(number) else {
            continue;
        };
        let sentence = sheet.sentence(number);
        let one = Symbol {
            name: sheet.excerpt(sheet.document().span(sentence.head)),
            detail: String::new(),
            kind: SymbolKind::Sentence,
            span: sentence.span,
            selection,
            sentences: Vec::new(),
        };
        match symbols.last_mut() {
            Some(last) if last.name == name => {
                last.span = last.span.to(one.span);
                last.sentences.push(one);
            }
            _ => symbols.push(Symbol {
                name,
                detail: String::new(),
                kind,
                span: one.span,
                selection,
                sentences: vec![one],
            }),
        }
    }
    for symbol in &mut symbols {
        match symbol.sentences.len() {
            1 => symbol.sentences.clear(),
            several => symbol.detail = format!("{several} sentences"),
        }
    }
    symbols
}

/// The names of a text, from which those of heads are taken sentence by sentence.
struct Heads<'s> {
    sheet: &'s Sheet,
    next: usize,
}

impl<'s> Heads<'s> {
    fn of(sheet: &'s Sheet) -> Self {
        Self { sheet, next: 0 }
    }

    /// What a sentence is about: the fluent, move or role of a keyword, or the relation.
    fn subject(&mut self, sentence: u32) -> Option<(String, SymbolKind, Span)> {
        let all = self.sheet.occurrences().all();
        // Sentences are asked for in their order, in which their names are, too; a sentence may have none.
        let rest = &all[self.next..];
        let from = rest.iter().take_while(|one| one.sentence < sentence);
        let from = from.count();
        let rest = &rest[from..];
        let count = rest
            .iter()
            .take_while(|one| one.sentence == sentence)
            .count();
        self.next += from + count;
        let head = rest[..count].iter();
        let mut head = head.filter(|one| one.span.start >= self.sheet.head_start(sentence));
        let first = head.next()?;
        let signature = self.sheet.signature(first.entity);
        let Kind::Keyword(keyword) = self.sheet.occurrences().entity(first.entity).kind else {
            return Some((signature, SymbolKind::Relation, first.span));
        };
        let mut subject = head.filter(|one| is_subject(keyword, one));
        let kind = match keyword {
            Keyword::Init | Keyword::Next | Keyword::Base => SymbolKind::Fluent,
            Keyword::Legal | Keyword::Input => SymbolKind::Move,
            Keyword::Role => SymbolKind::Role,
            Keyword::True
            | Keyword::Does
            | Keyword::Goal
            | Keyword::Terminal
            | Keyword::Distinct
            | Keyword::Not
            | Keyword::Or
            | Keyword::And
            | Keyword::If => SymbolKind::End,
        };
        match subject.next() {
            Some(subject) => {
                let name = format!("{signature} {}", self.sheet.signature(subject.entity));
                Some((name, kind, subject.span))
            }
            None => Some((signature, kind, first.span)),
        }
    }
}

/// Whether a name is what a keyword is about.
fn is_subject(keyword: Keyword, one: &Occurrence) -> bool {
    match one.usage {
        Usage::Fluent(of) | Usage::Move(of) => of == keyword,
        Usage::Role(of) => of == keyword && matches!(keyword, Keyword::Role | Keyword::Goal),
        Usage::Atom | Usage::Argument => false,
    }
}
