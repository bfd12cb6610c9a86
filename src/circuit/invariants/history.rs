//! When fluents are held, gained and lost in plays.
//!
//! A *time* is a state of a play: lane 3 of state 7 of all plays is time 7 · 256 + 3. Most fluents change in few of them,
//! so that only words of 64 times in which something happens are kept.

use crate::circuit::invariants::plays::{LANES, Plays, Row, WORDS};
use crate::circuit::lanes::{and, without};
use crate::limits::{StopFlag, StopReason};
use crate::term::{ones, ones_of_all};

/// Times at which something happens to a fluent, as words that are not 0.
#[derive(Default)]
pub(super) struct Times(Vec<(u32, u64)>);

impl Times {
    /// Adds the lanes of a later state.
    fn push(&mut self, state: usize, row: Row) {
        let words = row.into_iter().enumerate();
        let words = words.filter(|&(_, bits)| bits != 0);
        self.0
            .extend(words.map(|(at, bits)| ((state * WORDS + at) as u32, bits)));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        let words = self.0.iter();
        words.map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// Whether one of them is in the first state of a play.
    pub(super) fn are_from_the_start(&self) -> bool {
        self.0
            .first()
            .is_some_and(|&(word, _)| (word as usize) < WORDS)
    }

    /// The times, ascending.
    fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter();
        words.flat_map(|&(word, bits)| ones(bits).map(move |bit| word as usize * 64 + bit))
    }

    /// Whether none of them is among others.
    pub(super) fn is_disjoint(&self, others: &TimeSet) -> bool {
        let mut words = self.0.iter();
        words.all(|&(word, bits)| bits & others.0[word as usize] == 0)
    }

    /// Whether all of them are among others.
    pub(super) fn is_subset(&self, others: &TimeSet) -> bool {
        let mut words = self.0.iter();
        words.all(|&(word, bits)| bits & !others.0[word as usize] == 0)
    }

    /// How many of them are not among others.
    pub(super) fn count_outside(&self, others: &TimeSet) -> usize {
        let words = self.0.iter();
        let counts =
            words.map(|&(word, bits)| (bits & !others.0[word as usize]).count_ones() as usize);
        counts.sum()
    }

    /// How many of them are among some, and not among others.
    pub(super) fn count_in_but(&self, some: &TimeSet, others: &TimeSet) -> usize {
        let words = self.0.iter();
        let counts = words.map(|&(word, bits)| {
            let at = word as usize;
            (bits & some.0[at] & !others.0[at]).count_ones() as usize
        });
        counts.sum()
    }
}

/// A set of times that grows.
pub(super) struct TimeSet(Vec<u64>);

impl TimeSet {
    /// A set of some of so many times.
    pub(super) fn of(times: &Times, number: usize) -> Self {
        let mut set = Self(vec![0; number / 64]);
        set.extend(times);
        set
    }

    pub(super) fn extend(&mut self, times: &Times) {
        for &(word, bits) in &times.0 {
            self.0[word as usize] |= bits;
        }
    }

    pub(super) fn contains(&self, time: usize) -> bool {
        self.0[time / 64] >> (time % 64) & 1 == 1
    }

    pub(super) fn is_subset(&self, others: &Self) -> bool {
        let mut words = self.0.iter().zip(&others.0);
        words.all(|(own, other)| own & !other == 0)
    }

    /// The times that are not among others, ascending.
    pub(super) fn difference(&self, others: &Self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().zip(&others.0);
        ones_of_all(words.map(|(own, other)| own & !other))
    }
}

/// When a fluent is held, gained and lost.
#[derive(Default)]
pub(super) struct History {
    pub(super) held: Times,
    pub(super) gained: Times,
    pub(super) lost: Times,
}

impl History {
    /// The history of a fluent, by place.
    fn of(plays: &Plays, place: usize) -> Self {
        let mut history = Self::default();
        for (time, state) in plays.states.iter().enumerate() {
            let held = and(state[place], plays.reached[time]);
            history.held.push(time, held);
            if let Some(next) = plays.states.get(time + 1) {
                let moved = plays.goes_on[time];
                let (now, then) = (and(state[place], moved), and(next[place], moved));
                history.gained.push(time, without(then, now));
                history.lost.push(time, without(now, then));
            }
        }
        history
    }
}

/// The histories of all fluents, by place and by time.
pub(super) struct Histories {
    pub(super) of: Vec<History>,
    pub(super) gained_at: Vec<Vec<u32>>,
    pub(super) lost_at: Vec<Vec<u32>>,
}

impl Histories {
    /// The histories of so many fluents.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(super) fn of(plays: &Plays, fluents: usize, stop: &StopFlag) -> Result<Self, StopReason> {
        let mut of: Vec<History> = Vec::with_capacity(fluents);
        for place in 0..fluents {
            stop.poll()?;
            of.push(History::of(plays, place));
        }
        let times = plays.len() * LANES;
        let (mut gained_at, mut lost_at) = (vec![Vec::new(); times], vec![Vec::new(); times]);
        for (place, history) in (0_u32..).zip(&of) {
            let gained = history.gained.iter();
            gained.for_each(|time| gained_at[time].push(place));
            let lost = history.lost.iter();
            lost.for_each(|time| lost_at[time].push(place));
        }
        Ok(Self {
            of,
            gained_at,
            lost_at,
        })
    }

    /// Number of times.
    pub(super) fn times(&self) -> usize {
        self.gained_at.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_within_and_outside_sets() {
        let mut times = Times::default();
        times.push(0, [0b1010, 0, 0, 1 << 63]);
        times.push(2, [0, 1, 0, 0]);
        assert_eq!(times.iter().collect::<Vec<_>>(), [1, 3, 255, 576]);
        let mut other = Times::default();
        other.push(0, [0b0110, 0, 0, 0]);
        let [own, set] = [&times, &other].map(|times| TimeSet::of(times, 3 * LANES));
        assert_eq!(times.count_outside(&set), 3);
        assert_eq!(times.count_in_but(&own, &set), 3);
        assert!(!times.is_disjoint(&set) && !times.is_subset(&set) && times.is_subset(&own));
        assert_eq!(own.difference(&set).collect::<Vec<_>>(), [3, 255, 576]);
        assert!(set.contains(2) && !set.contains(3));
    }
}
