//! How documents are printed.

use crate::syntax::tree::Notation;

/// What becomes of the case of symbols when a text is read or printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// `CELL` and `cell` are the same symbol, `cell`.
    #[default]
    Fold,
    /// Every spelling is a symbol of its own.
    Keep,
}

/// How a document is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrintOptions {
    /// The notation of the text.
    pub notation: Notation,
    /// The case of symbols; Prolog's are never folded.
    pub case: Case,
}
