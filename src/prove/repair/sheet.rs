//! Rule sheets to be repaired, and why they cannot be.

use thiserror::Error;

use crate::circuit::ground::GroundError;
use crate::gdl::{GameError, ReasonerError};
use crate::prove::property::PropertyError;
use crate::syntax::{Notation, Source};
use crate::term::Case;

/// The text of a rule sheet, and how it is read.
#[derive(Clone, Debug)]
pub struct SheetText {
    /// The text.
    pub source: Source,
    /// Its notation.
    pub notation: Notation,
    /// Whether case tells names apart.
    pub case: Case,
}

/// Why rules cannot be repaired.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// They have errors, which come first.
    #[error("the rules have errors; flux check tells them")]
    Unplayable,
    /// They cannot be prepared.
    #[error(transparent)]
    Game(#[from] GameError),
    /// They have too many instances.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// There is no such property.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// They cannot be evaluated.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}
