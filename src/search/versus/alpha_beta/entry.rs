//! What depth-first search has found out about a state.

use crate::search::versus::worth::Bounds;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    /// Facts that were known before this one.
    pub(super) rank: u32,
    /// The move that decided the state last, by place in the circuit.
    best: u16,
    pub(super) bounds: Bounds,
    /// Up to so many moves ahead, the question of this number was open; zero if nobody looked.
    pub(super) open_to: u8,
    /// The low bits of the number of a question.
    pub(super) question: u8,
}

impl Default for TableEntry {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

impl TableEntry {
    pub(super) const UNKNOWN: Self = Self {
        rank: 0,
        best: u16::MAX,
        bounds: Bounds::OPEN,
        open_to: 0,
        question: 0,
    };

    /// What is known of an end.
    pub(super) fn end(bounds: Bounds) -> Self {
        Self {
            bounds,
            ..Self::UNKNOWN
        }
    }

    /// The move that decided the state last, if one did that is among the first 65,535.
    pub(super) fn best(&self) -> Option<u32> {
        (self.best != u16::MAX).then_some(u32::from(self.best))
    }

    pub(super) fn set_best(&mut self, best: Option<u32>) {
        if let Some(best) = best {
            self.best = u16::try_from(best).unwrap_or(u16::MAX);
        }
    }
}
