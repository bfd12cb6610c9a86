//! States that were expanded in lanes, with what follows on each of them.

use std::ops::Range;

use crate::circuit::successors::{After, Successors};
use crate::search::versus::codes::Code;

/// States in the order in which they were expanded; what follows on each is in one piece.
#[derive(Default)]
pub(super) struct ExpandedStates<const W: usize> {
    /// By state, what there is to choose.
    pub(super) after: Vec<After>,
    /// By state, where its successors begin.
    first: Vec<u32>,
    /// The successors of all states.
    pub(super) codes: Vec<Code<W>>,
    /// By successor, the place in the circuit of the move that leads to it.
    pub(super) moves: Vec<u32>,
}

impl<const W: usize> ExpandedStates<W> {
    pub(super) fn clear(&mut self) {
        self.after.clear();
        self.first.clear();
        self.codes.clear();
        self.moves.clear();
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.after.len()
    }

    /// Where the successors of a state are.
    pub(super) fn successors(&self, state: usize) -> Range<usize> {
        let end = self.first.get(state + 1).map(|&end| end as usize);
        self.first[state] as usize..end.unwrap_or(self.codes.len())
    }

    /// Adds states with what was found to follow on them.
    pub(super) fn extend(&mut self, found: &Successors<W>) {
        let states = self.after.len();
        self.after.extend_from_slice(&found.after);
        // Successors come move by move; a counting sort brings those of a state together.
        self.first.resize(self.after.len(), 0);
        for &from in &found.from {
            self.first[states + from as usize] += 1;
        }
        let mut end = self.codes.len() as u32;
        for first in &mut self.first[states..] {
            end += *first;
            *first = end;
        }
        self.codes.resize(end as usize, [0; W]);
        self.moves.resize(end as usize, 0);
        // Backwards, so that each place that is given out is the one before, and the last is where the state begins.
        for place in (0..found.from.len()).rev() {
            let first = &mut self.first[states + found.from[place] as usize];
            *first -= 1;
            self.codes[*first as usize] = found.codes[place];
            self.moves[*first as usize] = found.moves[place];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_of_a_state_are_in_one_piece() {
        let mut batch = ExpandedStates::<1>::default();
        let found = Successors {
            after: vec![After::Choice(0), After::End(0), After::Choice(1)],
            from: vec![0, 2, 0, 2, 2],
            moves: vec![0, 0, 1, 1, 2],
            codes: vec![[10], [20], [11], [21], [22]],
        };
        batch.extend(&found);
        batch.extend(&found);
        for state in [0, 3] {
            assert_eq!(batch.codes[batch.successors(state)], [[10], [11]]);
            assert_eq!(batch.successors(state + 1).len(), 0);
            assert_eq!(batch.codes[batch.successors(state + 2)], [[20], [21], [22]]);
            assert_eq!(batch.moves[batch.successors(state + 2)], [0, 1, 2]);
        }
        assert_eq!(batch.len(), 6);
    }
}
