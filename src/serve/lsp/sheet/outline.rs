//! What a text consists of: its sentences, those in a row that define the same thing as one entry.

use crate::serve::lsp::sheet::{Sheet, Subject, SymbolKind, subject};
use crate::syntax::Span;

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
    /// The sentences, if there are several and not too many to be looked through.
    pub sentences: Vec<Symbol>,
}

/// Sentences of one entry that are listed one by one: of more, only their number is told.
const MAX_LISTED: usize = 200;

/// Sentences in a row that are about the same thing.
pub(super) struct OutlineEntry<'s> {
    /// The thing, as the first one names it.
    subject: Subject<'s>,
    /// Their numbers, at least one.
    sentences: Vec<u32>,
}

impl OutlineEntry<'_> {
    /// From the first to the last one.
    pub(super) fn span(&self, sheet: &Sheet) -> Span {
        let span = |number: Option<&u32>| number.map(|&number| sheet.sentence(number).span);
        match (span(self.sentences.first()), span(self.sentences.last())) {
            (Some(first), Some(last)) => first.to(last),
            _ => self.subject.selection(),
        }
    }

    /// Whether there are several.
    pub(super) fn is_long(&self) -> bool {
        self.sentences.len() > 1
    }
}

/// The sentences of a text that have a subject, in its order.
pub(super) fn entries(sheet: &Sheet) -> Vec<OutlineEntry<'_>> {
    let mut entries: Vec<OutlineEntry<'_>> = Vec::new();
    for number in 0..sheet.document().sentences().len() as u32 {
        let Some(subject) = subject(sheet, number) else {
            continue;
        };
        match entries.last_mut() {
            Some(last) if last.subject.is_same(&subject) => last.sentences.push(number),
            _ => entries.push(OutlineEntry {
                subject,
                sentences: vec![number],
            }),
        }
    }
    entries
}

/// The outline of a text, in its order.
pub fn outline(sheet: &Sheet) -> Vec<Symbol> {
    let entries = entries(sheet);
    entries.iter().map(|entry| symbol(sheet, entry)).collect()
}

fn symbol(sheet: &Sheet, entry: &OutlineEntry<'_>) -> Symbol {
    let number = entry.sentences.len();
    let listed = match number {
        2..=MAX_LISTED => entry.sentences.as_slice(),
        _ => &[],
    };
    let listed = listed.iter().filter_map(|&number| sentence(sheet, number));
    Symbol {
        name: entry.subject.name(sheet),
        detail: if entry.is_long() {
            format!("{number} sentences")
        } else {
            String::new()
        },
        kind: entry.subject.kind(),
        span: entry.span(sheet),
        selection: entry.subject.selection(),
        sentences: listed.collect(),
    }
}

fn sentence(sheet: &Sheet, number: u32) -> Option<Symbol> {
    let sentence = sheet.sentence(number);
    Some(Symbol {
        name: sheet.excerpt(sheet.document().span(sentence.head)),
        detail: String::new(),
        kind: SymbolKind::Sentence,
        span: sentence.span,
        selection: subject(sheet, number)?.selection(),
        sentences: Vec::new(),
    })
}
