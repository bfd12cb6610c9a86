//! The open list of greedy best-first search: states that are generated but not expanded, by heuristic value.
//!
//! Ties are broken in one of three orders; none is better on all games.
//!
//! - *Fewest moves*: among all states of equal heuristic value, the one with the fewest legal moves (Warnsdorf's
//!   rule, Des Rösselsprunges einfachste und allgemeinste Lösung, 1823): squares that can hardly be reached any more
//!   are visited now. The heuristic value counts what is missing of the goal value and of the end.
//! - *Newest first*: children of the state expanded last come first, so that a plan is extended as long as its
//!   heuristic value does not get worse; then fewest moves. The end counts only where the goal value is reached:
//!   games that end when no move is left would otherwise be ended early.
//! - *Random restarts*: newest first from a random state of the open list, drawn uniformly over heuristic values and
//!   then over states (type-based exploration), with random ties, for a number of expansions of the Luby sequence.
//!   The first two stay for long below their first moves; this one leaves such a plateau.
//!
//! Sources: Xie, Müller, Holte and Imai, Type-Based Exploration with Multiple Search Queues for Satisficing
//! Planning, AAAI 2014; Luby, Sinclair and Zuckerman, Optimal Speedup of Las Vegas Algorithms, 1993.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

/// Expansions of the shortest run between two restarts; a unit of the Luby sequence.
const SHORTEST: u64 = 300;

/// How ties between equal heuristic values are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    NewestFirst,
    FewestMoves,
    RandomRestarts,
}

impl Order {
    pub(super) const ALL: [Order; 3] = [
        Order::NewestFirst,
        Order::FewestMoves,
        Order::RandomRestarts,
    ];
}

/// A heuristic value: how many fluents still differ from what the goal value asks for, and from what the end does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HeuristicValue {
    pub(super) value: u32,
    pub(super) end: u32,
}

/// The key of a state, greatest first: heuristic value, the expansion that generated it (if the order counts it),
/// number of legal moves or a random number, and the place of the state.
type Rank = (Reverse<HeuristicValue>, u64, Reverse<u32>, usize);

/// Generated states that are not expanded yet, by place.
#[derive(Clone, Debug)]
pub(super) struct OpenList {
    order: Order,
    queue: BinaryHeap<Rank>,
    /// Number of expansions so far.
    expansions: u64,
    restarts: Restarts,
}

impl OpenList {
    /// The open list of the initial state alone.
    pub(super) fn new(order: Order) -> Self {
        let mut open_list = Self {
            order,
            queue: BinaryHeap::new(),
            expansions: 0,
            restarts: Restarts::new(),
        };
        open_list.push(0, HeuristicValue::default(), 0);
        open_list
    }

    /// Whether the number of legal moves breaks ties.
    pub(super) fn counts_moves(&self) -> bool {
        match self.order {
            Order::NewestFirst | Order::FewestMoves => true,
            Order::RandomRestarts => false,
        }
    }

    /// Adds a new state with its number of legal moves (any number if [`Self::counts_moves`] is false).
    pub(super) fn push(&mut self, place: usize, estimate: HeuristicValue, options: usize) {
        // Unless the goal value is reached, the end counts nothing.
        let value_first = match estimate {
            HeuristicValue { value: 0, .. } => estimate,
            HeuristicValue { value, .. } => HeuristicValue { value, end: 0 },
        };
        let (estimate, expansion, tie) = match self.order {
            Order::NewestFirst => (value_first, self.expansions, options as u32),
            Order::FewestMoves => {
                let value = estimate.value + estimate.end;
                (HeuristicValue { value, end: 0 }, 0, options as u32)
            }
            Order::RandomRestarts => {
                let random = self.restarts.push(place, estimate.value);
                (value_first, self.expansions, random)
            }
        };
        self.queue
            .push((Reverse(estimate), expansion, Reverse(tie), place));
    }

    /// Takes the next state to expand.
    pub(super) fn pop(&mut self) -> Option<usize> {
        self.expansions += 1;
        match self.order {
            Order::NewestFirst | Order::FewestMoves => self.queue.pop().map(|(.., place)| place),
            Order::RandomRestarts => self.restarts.pop(&mut self.queue),
        }
    }
}

/// Random restarts from any state that is not expanded.
#[derive(Clone, Debug)]
struct Restarts {
    /// States by heuristic value of the goal; some have been expanded since.
    open: IndexMap<u32, Vec<usize>, FxBuildHasher>,
    is_expanded: FixedBitSet,
    /// Number of restarts so far.
    number: u64,
    /// Expansions until the next restart.
    left: u64,
    rng: Xoshiro256PlusPlus,
}

impl Restarts {
    fn new() -> Self {
        Self {
            open: IndexMap::default(),
            is_expanded: FixedBitSet::new(),
            number: 0,
            left: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// Adds a state; gives a random number that breaks ties.
    fn push(&mut self, place: usize, estimate: u32) -> u32 {
        self.open.entry(estimate).or_default().push(place);
        self.is_expanded.grow(place + 1);
        self.rng.random()
    }

    /// The next state since the last restart, or the first one of the next restart.
    fn pop(&mut self, queue: &mut BinaryHeap<Rank>) -> Option<usize> {
        // A restart drops what the last one generated from the queue; the states stay in `open`.
        if self.left == 0 {
            queue.clear();
        }
        let place = loop {
            match queue.pop() {
                // A state stands in the queue and in `open`; it may have been expanded from either.
                Some((.., place)) if self.is_expanded.contains(place) => {}
                Some((.., place)) => break place,
                None => break self.restart()?,
            }
        };
        self.left -= 1;
        self.is_expanded.insert(place);
        Some(place)
    }

    /// Draws the state to restart from: a heuristic value uniformly, then a state that has it.
    fn restart(&mut self) -> Option<usize> {
        self.number += 1;
        self.left = SHORTEST * luby(self.number);
        loop {
            if self.open.is_empty() {
                return None;
            }
            // First a heuristic value, then a state that has it: rare values are drawn as often as frequent ones.
            let distance = self.rng.random_range(0..self.open.len());
            let (_, places) = self.open.get_index_mut(distance)?;
            let place = places.swap_remove(self.rng.random_range(0..places.len()));
            if places.is_empty() {
                self.open.swap_remove_index(distance);
            }
            if !self.is_expanded.contains(place) {
                return Some(place);
            }
        }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, …, from its first place on.
fn luby(place: u64) -> u64 {
    let mut place = place;
    // Place 2^k − 1 has 2^(k−1); all others repeat the sequence from the last power of two on.
    while !(place + 1).is_power_of_two() {
        place -= (1 << place.ilog2()) - 1;
    }
    place.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_the_luby_sequence() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn every_state_comes_once() {
        for order in Order::ALL {
            let mut open_list = OpenList::new(order);
            let mut taken = Vec::new();
            let mut places = 1..3_000;
            while let Some(place) = open_list.pop() {
                taken.push(place);
                for next in places.by_ref().take(3) {
                    let value = (next * 7 % 11) as u32;
                    open_list.push(next, HeuristicValue { value, end: 1 }, next % 5);
                }
            }
            taken.sort_unstable();
            assert_eq!(taken, Vec::from_iter(0..3_000), "{order:?}");
        }
    }

    #[test]
    fn the_heuristic_value_comes_first_and_then_the_order() {
        let near = HeuristicValue { value: 1, end: 9 };
        let far = HeuristicValue { value: 2, end: 1 };
        let expected = [
            (Order::NewestFirst, [2, 1, 4, 3]),
            (Order::FewestMoves, [4, 3, 2, 1]),
        ];
        for (order, expected) in expected {
            let mut open_list = OpenList::new(order);
            open_list.pop();
            let states = [(1, near, 2), (2, near, 1), (3, far, 5), (4, far, 4)];
            for (place, missing, options) in states {
                open_list.push(place, missing, options);
            }
            let taken: Vec<usize> = std::iter::from_fn(|| open_list.pop()).collect();
            assert_eq!(taken, expected, "{order:?}");
        }
    }
}
