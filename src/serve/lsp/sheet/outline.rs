//! What a text consists of: its sentences, those in a row that define the same thing as one entry.

use crate::serve::lsp::sheet::{Sheet, subject};
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
    for number in 0..sheet.document().sentences().len() as u32 {
        let Some(subject) = subject(sheet, number) else {
            continue;
        };
        let (name, selection) = (subject.name(sheet), subject.selection());
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
                kind: subject.kind(),
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
