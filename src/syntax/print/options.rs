//! How documents are printed.

use crate::syntax::tree::Notation;

/// What becomes of the case of symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// Symbols of GDL are printed in lower case, as they are understood.
    #[default]
    Fold,
    /// Symbols are printed as they are written.
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
