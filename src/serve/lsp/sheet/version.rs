//! One version of a text, with its tree and all its names.

use crate::serve::lsp::sheet::lines::Lines;
use crate::serve::lsp::sheet::occurrence::{EntityId, EntityKind, Occurrence, Occurrences};
use crate::syntax::{
    Diagnostic, Document, Notation, Parsed, Sentence, Source, Span, detect, parse,
};

/// The largest text that is read, in bytes: one that is larger was not written by hand, and an editor would wait.
pub const MAX_TEXT: usize = 16 << 20;

/// One version of a text.
#[derive(Clone, Debug)]
pub struct Sheet {
    source: Source,
    lines: Lines,
    notation: Notation,
    document: Document,
    faults: Vec<Diagnostic>,
    occurrences: Occurrences,
}

impl Sheet {
    /// Reads a text in either notation. One that is larger than [`MAX_TEXT`] is taken as one without sentences.
    pub fn read(name: &str, text: &str) -> Self {
        let source = Source::new(name, text);
        let lines = Lines::of(text);
        let notation = detect(&source);
        let parsed = if text.len() > MAX_TEXT {
            Parsed::default()
        } else {
            parse(&source, notation)
        };
        let occurrences = Occurrences::of(&parsed.document, &source);
        Self {
            source,
            lines,
            notation,
            document: parsed.document,
            faults: parsed.diagnostics,
            occurrences,
        }
    }

    /// The text with its name.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// All of it.
    pub fn span(&self) -> Span {
        Span::new(0, self.text().len() as u32)
    }

    /// Its lines.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// How it is written.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// Its sentences without faults of syntax.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Its faults of syntax.
    pub fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// Its names.
    pub fn occurrences(&self) -> &Occurrences {
        &self.occurrences
    }

    /// The name at an offset.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        self.occurrences.at(offset)
    }

    /// A sentence by its number.
    pub fn sentence(&self, number: u32) -> &Sentence {
        &self.document.sentences()[number as usize]
    }

    /// What a thing is called, with its number of arguments: `cell/3`, `?x`.
    pub fn signature(&self, id: EntityId) -> String {
        let (entity, name) = (self.occurrences.entity(id), self.occurrences.name(id));
        match (entity.kind, entity.arity) {
            (EntityKind::Variable(_), _) if self.notation == Notation::Prefix => format!("?{name}"),
            (EntityKind::Variable(_) | EntityKind::Keyword(_), _) => name.to_owned(),
            (EntityKind::Relation | EntityKind::Function, 0) => name.to_owned(),
            (EntityKind::Relation | EntityKind::Function, arity) => format!("{name}/{arity}"),
        }
    }

    /// Where the head of a sentence begins.
    pub(super) fn head_start(&self, number: u32) -> u32 {
        self.document.span(self.sentence(number).head).start
    }

    /// A piece of the text on one line, cut short.
    pub(super) fn excerpt(&self, span: Span) -> String {
        const LONGEST: usize = 60;
        let words: Vec<&str> = self
            .source
            .slice(span)
            .split_whitespace()
            // More words than can be shown; a sentence of megabytes is not split as a whole.
            .take(40)
            .collect();
        let line = words.join(" ");
        match line.char_indices().nth(LONGEST) {
            None => line,
            Some((end, _)) => format!("{}…", &line[..end]),
        }
    }
}
