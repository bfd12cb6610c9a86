//! Text to spanned trees and back: prefix and infix GDL, and ISO Prolog text.
//!
//! This layer knows what was written and nothing of what it means.

mod detect;
mod diagnostic;
mod error;
mod kif;
mod kif_stream;
mod lexer;
mod span;
mod tree;

pub use detect::detect;
pub use diagnostic::{Code, Diagnostic, Label, Severity};
pub use error::{CodeDescription, MAX_DEPTH, MAX_SYNTAX_DIAGNOSTICS, SYNTAX_CODES, SyntaxError};
pub use span::{Position, Source, Span};
pub use tree::{
    Children, Comment, CommentPlace, Document, Name, Node, NodeId, Notation, Sentence, SentenceKind,
};

/// What reading a text gives.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The sentences without fault. Complete only if there are no diagnostics.
    pub document: Document,
    /// All faults, in textual order, at most [`MAX_SYNTAX_DIAGNOSTICS`] and a note on the rest.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a whole text. Linear in its size.
pub fn parse(source: &Source, notation: Notation) -> Parsed {
    if let Some(too_large) = error::too_large(source.text().len()) {
        return Parsed {
            document: Document::default(),
            diagnostics: vec![too_large],
        };
    }
    match notation {
        Notation::Prefix => {
            let mut read = kif::read_sheet(source.text());
            read.document.place_comments(source, &read.comments);
            Parsed {
                document: read.document,
                diagnostics: read.faults.finish(),
            }
        }
        Notation::Infix | Notation::Prolog => Parsed::default(),
    }
}
