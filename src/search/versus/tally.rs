//! Numbers of states, by what they are worth.

use std::cmp::Ordering;

use crate::search::versus::layers::Census;
use crate::search::versus::retrograde::NodeValues;

/// Numbers of states in a strong solution, by what the first role can force in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Reachable states.
    pub positions: u64,
    /// The first of two roles can force more than the second.
    pub won: u64,
    /// Both can force the same.
    pub drawn: u64,
    /// The second can force more.
    pub lost: u64,
    /// Moves of the longest way to an end that a winner cannot make shorter and the others not longer; only where
    /// states were solved layer by layer.
    pub longest: Option<u8>,
}

impl Tally {
    /// Counts the states of a graph, given what they are worth to each role.
    pub(super) fn of_values(values: &[NodeValues]) -> Self {
        let mut tally = Self {
            positions: values.first().map_or(0, |values| values.worth.len() as u64),
            ..Self::default()
        };
        if let [first, second] = values {
            let pairs = first.worth.iter().zip(&second.worth);
            pairs.for_each(|(own, other)| tally.count(own.cmp(other), 1));
        }
        tally
    }

    /// Counts the states of layers.
    pub(super) fn of_census(census: &Census) -> Self {
        let mut tally = Self {
            longest: Some(census.longest),
            ..Self::default()
        };
        for by_worth in &census.states {
            for (&states, worths) in by_worth.iter().zip(&census.worths) {
                tally.positions += states;
                if let [first, second] = worths[..] {
                    tally.count(first.cmp(&second), states);
                }
            }
        }
        tally
    }

    /// Counts states by how what the first role can force compares to what the second can.
    fn count(&mut self, order: Ordering, states: u64) {
        let counter = match order {
            Ordering::Greater => &mut self.won,
            Ordering::Equal => &mut self.drawn,
            Ordering::Less => &mut self.lost,
        };
        *counter += states;
    }
}
