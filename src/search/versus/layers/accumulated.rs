//! What a state is worth, put together from its successors one at a time, in any order.

use std::cmp::Ordering;

use crate::search::versus::folding::{Folding, TooManyVectors};
use crate::search::versus::lookup::Mark;

/// Stands for the role that chooses where nobody does.
const NOBODY: u8 = u8::MAX;

/// What the successors of a state say that were seen so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::versus) struct Accumulated {
    /// Whoever chooses, or [`NOBODY`].
    role: u8,
    value: u8,
    induced: u8,
    /// Of the successors that are best for whoever chooses: the least number of moves to the end from here, and the
    /// largest.
    soonest: u8,
    latest: u8,
}

impl Accumulated {
    /// A state in which a role chooses, before any successor is seen.
    pub(in crate::search::versus) fn choice(role: u8) -> Self {
        Self {
            role,
            value: Mark::NONE.value,
            induced: Mark::NONE.induced,
            soonest: 0,
            latest: 0,
        }
    }

    /// A state in which nobody chooses, of so much worth.
    pub(in crate::search::versus) fn end(value: u8) -> Self {
        Self {
            role: NOBODY,
            value,
            induced: value,
            soonest: 0,
            latest: 0,
        }
    }

    /// The role that chooses, if one does.
    pub(in crate::search::versus) fn chooser(&self) -> Option<usize> {
        (self.role != NOBODY).then_some(usize::from(self.role))
    }

    /// Sees a successor.
    #[inline]
    pub(in crate::search::versus) fn add(
        &mut self,
        mark: Mark,
        folding: &mut Folding,
    ) -> Result<(), TooManyVectors> {
        let moves = mark.moves.saturating_add(1);
        if self.value == Mark::NONE.value {
            (self.value, self.induced) = (mark.value, mark.induced);
            (self.soonest, self.latest) = (moves, moves);
            return Ok(());
        }
        let role = usize::from(self.role);
        let choice = folding.choose(role, self.value, mark.value)?;
        match choice.order {
            Ordering::Less => (self.soonest, self.latest) = (moves, moves),
            Ordering::Equal => {
                self.soonest = self.soonest.min(moves);
                self.latest = self.latest.max(moves);
            }
            Ordering::Greater => {}
        }
        self.value = choice.value;
        self.induced = folding.prefer(role, self.induced, mark.induced);
        Ok(())
    }

    /// The mark of the state, once all successors were seen: who gets more than all others hurries, and who does not takes
    /// time.
    #[inline]
    pub(in crate::search::versus) fn mark(&self, folding: &Folding) -> Mark {
        let winner = folding.winner(self.value);
        let is_winner = winner.is_some() && winner == self.chooser();
        Mark {
            value: self.value,
            moves: if is_winner { self.soonest } else { self.latest },
            induced: self.induced,
        }
    }
}
