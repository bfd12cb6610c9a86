//! States that are still to be looked at, and which of them comes next.
//!
//! Of the states from which the aim is estimated to be nearest, the next is the one with the fewest moves, so
//! that what will soon be impossible is done first: a field of the board that can hardly be reached any more
//! is visited now (Warnsdorf, Des Rösselsprunges einfachste und allgemeinste Lösung, 1823).
//!
//! There are three orders. One asks that *among all* states, and counts what is missing of the value and of
//! the end. Another goes *along plans*: states that follow on the last one come first, so that a plan is
//! gone on with as long as it does not get worse, and the end counts only where the value is had, since a
//! game that is over when nothing can be done any more would be ended in haste. Both stay for long where the
//! first moves led them. The third goes on *excursions* along plans: each begins at some state, of any distance
//! alike, takes what is equally near by chance, and is given up after a while. None is better on all games.
//!
//! Sources: Xie, Müller, Holte and Imai, Type-Based Exploration with Multiple Search Queues for Satisficing
//! Planning, AAAI 2014, for where excursions begin; Luby, Sinclair and Zuckerman, Optimal Speedup of Las
//! Vegas Algorithms, 1993, for how long they are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

/// States of the shortest excursions.
const SHORTEST: u64 = 300;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    AlongPlans,
    AmongAll,
    OnExcursions,
}

impl Order {
    pub(super) const ALL: [Order; 3] = [Order::AlongPlans, Order::AmongAll, Order::OnExcursions];
}

/// How many fluents are not yet as they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Missing {
    pub(super) value: u32,
    pub(super) end: u32,
}

/// Which state is looked at next: what is missing, the turn in which it was found if that counts, the number of
/// legal moves or chance, and the place.
type Rank = (Reverse<Missing>, u64, Reverse<u32>, usize);

/// The states to be looked at, by place.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    order: Order,
    queue: BinaryHeap<Rank>,
    /// States that were looked at.
    turns: u64,
    excursions: Excursions,
}

impl Frontier {
    /// One of the first state alone.
    pub(super) fn new(order: Order) -> Self {
        let mut frontier = Self {
            order,
            queue: BinaryHeap::new(),
            turns: 0,
            excursions: Excursions::new(),
        };
        frontier.put(0, Missing::default(), 0);
        frontier
    }

    /// Whether the number of legal moves matters.
    pub(super) fn counts_moves(&self) -> bool {
        match self.order {
            Order::AlongPlans | Order::AmongAll => true,
            Order::OnExcursions => false,
        }
    }

    /// Adds a state with so many legal moves, if that matters, which nobody added before.
    pub(super) fn put(&mut self, place: usize, missing: Missing, options: usize) {
        let along = match missing {
            Missing { value: 0, .. } => missing,
            Missing { value, .. } => Missing { value, end: 0 },
        };
        let (missing, turn, least) = match self.order {
            Order::AlongPlans => (along, self.turns, options as u32),
            Order::AmongAll => {
                let value = missing.value + missing.end;
                (Missing { value, end: 0 }, 0, options as u32)
            }
            Order::OnExcursions => {
                let chance = self.excursions.put(place, missing.value);
                (along, self.turns, chance)
            }
        };
        self.queue
            .push((Reverse(missing), turn, Reverse(least), place));
    }

    /// Takes the next state.
    pub(super) fn take(&mut self) -> Option<usize> {
        self.turns += 1;
        match self.order {
            Order::AlongPlans | Order::AmongAll => self.queue.pop().map(|(.., place)| place),
            Order::OnExcursions => self.excursions.take(&mut self.queue),
        }
    }
}

/// Excursions from any state that was not looked at.
#[derive(Clone, Debug)]
struct Excursions {
    /// States by what is missing of the value; some were looked at since.
    open: IndexMap<u32, Vec<usize>, FxBuildHasher>,
    is_done: FixedBitSet,
    /// Excursions so far.
    number: u64,
    /// States that this one may still look at.
    left: u64,
    rng: Xoshiro256PlusPlus,
}

impl Excursions {
    fn new() -> Self {
        Self {
            open: IndexMap::default(),
            is_done: FixedBitSet::new(),
            number: 0,
            left: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// Adds a state; gives a number by chance.
    fn put(&mut self, place: usize, missing: u32) -> u32 {
        self.open.entry(missing).or_default().push(place);
        self.is_done.grow(place + 1);
        self.rng.random()
    }

    /// The next state of this excursion, or the first of the next.
    fn take(&mut self, queue: &mut BinaryHeap<Rank>) -> Option<usize> {
        if self.left == 0 {
            queue.clear();
        }
        let place = loop {
            match queue.pop() {
                Some((.., place)) if self.is_done.contains(place) => {}
                Some((.., place)) => break place,
                None => break self.set_out()?,
            }
        };
        self.left -= 1;
        self.is_done.insert(place);
        Some(place)
    }

    /// Begins an excursion.
    fn set_out(&mut self) -> Option<usize> {
        self.number += 1;
        self.left = SHORTEST * luby(self.number);
        loop {
            if self.open.is_empty() {
                return None;
            }
            let distance = self.rng.random_range(0..self.open.len());
            let (_, places) = self.open.get_index_mut(distance)?;
            let place = places.swap_remove(self.rng.random_range(0..places.len()));
            if places.is_empty() {
                self.open.swap_remove_index(distance);
            }
            if !self.is_done.contains(place) {
                return Some(place);
            }
        }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, …, from its first place on.
fn luby(place: u64) -> u64 {
    let mut place = place;
    while !(place + 1).is_power_of_two() {
        place -= (1 << place.ilog2()) - 1;
    }
    place.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_excursions_double_now_and_then() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn every_state_comes_once() {
        for order in Order::ALL {
            let mut frontier = Frontier::new(order);
            let mut taken = Vec::new();
            let mut places = 1..3_000;
            while let Some(place) = frontier.take() {
                taken.push(place);
                for next in places.by_ref().take(3) {
                    let value = (next * 7 % 11) as u32;
                    frontier.put(next, Missing { value, end: 1 }, next % 5);
                }
            }
            taken.sort_unstable();
            assert_eq!(taken, Vec::from_iter(0..3_000), "{order:?}");
        }
    }

    #[test]
    fn what_is_missing_comes_first_and_then_the_order() {
        let near = Missing { value: 1, end: 9 };
        let far = Missing { value: 2, end: 1 };
        let expected = [
            (Order::AlongPlans, [2, 1, 4, 3]),
            (Order::AmongAll, [4, 3, 2, 1]),
        ];
        for (order, expected) in expected {
            let mut frontier = Frontier::new(order);
            frontier.take();
            let states = [(1, near, 2), (2, near, 1), (3, far, 5), (4, far, 4)];
            for (place, missing, options) in states {
                frontier.put(place, missing, options);
            }
            let taken: Vec<usize> = std::iter::from_fn(|| frontier.take()).collect();
            assert_eq!(taken, expected, "{order:?}");
        }
    }
}
