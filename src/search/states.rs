//! Distinct states in order of discovery, packed: most states that a search computes are known, and
//! finding that out should cost one look at one state.
//!
//! All words lie behind each other, as many for each state as the largest one has, so that a place is
//! all that is needed to find them; the table keeps a part of each hash beside the place, so that others
//! are hardly ever looked at, and growing looks at none.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::gdl::State;

/// Bits of an entry of the table that are the place; those above are of the hash.
const PLACE_BITS: u32 = 34;

/// A set of states, each with its place.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    words: Vec<u64>,
    /// Words of each state; those that it does not need are zero.
    width: usize,
    len: usize,
    /// Places, each below a part of the hash.
    table: HashTable<u64>,
}

impl States {
    /// The set of one state, which has place 0.
    pub(super) fn of(first: &State) -> Self {
        let mut states = Self::default();
        states.insert(first);
        states
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The state at a place.
    pub(super) fn get(&self, place: usize) -> Option<State> {
        (place < self.len()).then(|| State::of_words(self.words_of(place).to_vec()))
    }

    /// The place of a state.
    pub(super) fn find(&self, state: &State) -> Option<usize> {
        if state.words().len() > self.width {
            return None;
        }
        let tag = tag(state.words());
        let found = self.table.find(spread(tag), self.is(tag, state.words()));
        found.map(|&entry| place(entry))
    }

    /// Says of each of many states whether it is in the set. Each step is done for all of them before the next one,
    /// so that the processor waits for the memory of many at once.
    pub(super) fn look_up(&self, states: &[State], known: &mut Vec<bool>) {
        let tags = states.iter().map(|state| tag(state.words()));
        let tags: Vec<u64> = tags.collect();
        let candidates = tags.iter().map(|&tag| {
            let has_tag = |&entry: &u64| entry >> PLACE_BITS == tag;
            self.table.find(spread(tag), has_tag).copied()
        });
        let candidates: Vec<Option<u64>> = candidates.collect();
        known.clear();
        known.extend(states.iter().zip(&candidates).map(|(state, candidate)| {
            candidate.is_some_and(|entry| {
                state.words().len() <= self.width
                    && (self.has_words(place(entry), state.words()) || self.find(state).is_some())
            })
        }));
    }

    /// Adds a state; gives its place, and whether it is new.
    pub(super) fn insert(&mut self, state: &State) -> (usize, bool) {
        if let Some(place) = self.find(state) {
            return (place, false);
        }
        let place = self.len;
        self.widen(state.words().len());
        self.words.extend_from_slice(state.words());
        self.len += 1;
        self.words.resize(self.len * self.width, 0);
        let tag = tag(state.words());
        let rehash = |&entry: &u64| spread(entry >> PLACE_BITS);
        self.table
            .insert_unique(spread(tag), tag << PLACE_BITS | place as u64, rehash);
        (place, true)
    }

    /// Makes room for states of so many words.
    fn widen(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        // Where fluents are numbered as they come up, states widen word by word; that is made room for.
        let width = match self.width {
            0 => width,
            old => width.max(old + old / 4),
        };
        let mut wider = Vec::with_capacity((self.len + 1) * width);
        for place in 0..self.len {
            wider.extend_from_slice(self.words_of(place));
            wider.resize((place + 1) * width, 0);
        }
        (self.words, self.width) = (wider, width);
    }

    fn words_of(&self, place: usize) -> &[u64] {
        &self.words[place * self.width..][..self.width]
    }

    fn is(&self, tag: u64, words: &[u64]) -> impl Fn(&u64) -> bool {
        move |&entry| entry >> PLACE_BITS == tag && self.has_words(place(entry), words)
    }

    fn has_words(&self, place: usize, words: &[u64]) -> bool {
        let padded = words.iter().copied().chain(std::iter::repeat(0));
        let own = self.words_of(place).iter();
        own.zip(padded).all(|(&one, other)| one == other)
    }
}

fn place(entry: u64) -> usize {
    (entry & ((1 << PLACE_BITS) - 1)) as usize
}

/// The part of a hash that the table keeps.
fn tag(words: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    u64::hash_slice(words, &mut hasher);
    hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> PLACE_BITS
}

/// What the table wants: its low bits choose the place, its high bits tell neighbours apart.
fn spread(tag: u64) -> u64 {
    tag.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state with a word for each digit of a number, so that states are of several sizes.
    fn state(mut number: usize) -> State {
        let mut words = Vec::new();
        while number > 0 {
            words.push((number % 10) as u64);
            number /= 10;
        }
        State::of_words(words)
    }

    #[test]
    fn states_keep_their_places() {
        let mut states = States::of(&state(0));
        for number in 1..2000 {
            assert_eq!(states.insert(&state(number)), (number, true));
        }
        for number in 0..2000 {
            assert_eq!(states.insert(&state(number)), (number, false));
            assert_eq!(states.get(number), Some(state(number)));
        }
        assert_eq!(states.get(2000), None);
        assert_eq!(states.find(&state(2000)), None);
        assert_eq!(states.find(&state(12345)), None);
    }
}
