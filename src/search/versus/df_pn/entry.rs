//! What depth-first proof-number search has found out about a state.

use crate::search::versus::numbers::Numbers;
use crate::search::versus::worth::Bounds;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    /// Facts that were known before this one.
    pub(super) rank: u32,
    /// Numbers for the question at hand.
    pub(super) numbers: Numbers,
    pub(super) bounds: Bounds,
    /// The low bits of the number of the question; zero if there are no numbers.
    pub(super) question: u8,
}

impl Default for TableEntry {
    fn default() -> Self {
        Self {
            rank: 0,
            numbers: Numbers::UNKNOWN,
            bounds: Bounds::OPEN,
            question: 0,
        }
    }
}
