//! Text to spanned trees and back: prefix and infix GDL, and ISO Prolog text.
//!
//! This layer knows what was written and nothing of what it means.

mod diagnostic;
mod span;
mod tree;

pub use diagnostic::{Code, Diagnostic, Label, Severity};
pub use span::{Position, Source, Span};
pub use tree::{Children, Comment, Document, Name, Node, NodeId, Notation, Sentence, SentenceKind};
