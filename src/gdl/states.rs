//! Distinct states in order of discovery, packed: most states that a search computes are known, and
//! finding that out should cost one look at one state.
//!
//! All words lie behind each other, as many for each state as the largest one has, so that a place is
//! all that is needed to find them; a part of each hash is kept beside the place, so that others
//! are hardly ever looked at, and growing looks at none.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use crate::gdl::state::State;
use crate::term::{Places, Tag};

/// A set of states, each with its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    words: Vec<u64>,
    /// Words of each state; those that it does not need are zero.
    width: usize,
    len: usize,
    places: Places,
}

impl States {
    /// The set of one state, which has place 0.
    pub(crate) fn of(first: &State) -> Self {
        let mut states = Self::default();
        states.insert(first);
        states
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Memory that the states and their places take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.words[..]) + self.places.bytes()
    }

    /// The state at a place.
    pub(crate) fn get(&self, place: usize) -> Option<State> {
        (place < self.len()).then(|| State::of_words(self.words_of(place).to_vec()))
    }

    /// Replaces `states` by those from a place on, at most so many, keeping the memory that it has.
    pub(crate) fn get_many(&self, from: usize, most: usize, states: &mut Vec<State>) {
        let places = from..self.len.min(from + most);
        states.resize_with(places.len(), State::default);
        for (place, state) in places.zip(states) {
            state.set_words(self.words_of(place));
        }
    }

    /// The place of a state.
    pub(crate) fn find(&self, state: &State) -> Option<usize> {
        self.find_tagged(tag(state), state)
    }

    fn find_tagged(&self, tag: Tag, state: &State) -> Option<usize> {
        self.places.find(tag, |place| self.is(place, state))
    }

    /// Says of each of many states whether it is in the set. Each step is done for all of them before the next one,
    /// so that the processor waits for the memory of many at once.
    pub(crate) fn look_up(&self, states: &[State], known: &mut Vec<bool>) {
        let tags: Vec<Tag> = states.iter().map(tag).collect();
        let candidates = self.places.first_of_each(&tags).into_iter();
        known.clear();
        known.extend(states.iter().zip(candidates).map(|(state, candidate)| {
            // The first entry with the tag is compared; only where it is another state the full search follows.
            candidate.is_some_and(|place| self.is(place, state) || self.find(state).is_some())
        }));
    }

    /// Adds a state; gives its place, and whether it is new.
    pub(crate) fn insert(&mut self, state: &State) -> (usize, bool) {
        let tag = tag(state);
        if let Some(place) = self.find_tagged(tag, state) {
            return (place, false);
        }
        let place = self.len;
        self.widen(state.words().len());
        // Words that the state does not have are zero, as everywhere.
        self.words.extend_from_slice(state.words());
        self.len += 1;
        self.words.resize(self.len * self.width, 0);
        self.places.insert(tag, place);
        (place, true)
    }

    /// Adds states; replaces `places` by the place of each. The first entry of each is read before any state is
    /// compared, so that cache misses overlap.
    pub(crate) fn insert_many(&mut self, states: &[State], places: &mut Vec<usize>) {
        let tags: Vec<Tag> = states.iter().map(tag).collect();
        let candidates = self.places.first_of_each(&tags);
        places.clear();
        for (state, candidate) in states.iter().zip(candidates) {
            // A state new in this very batch is found by `insert`.
            let known = candidate.filter(|&place| self.is(place, state));
            places.push(known.unwrap_or_else(|| self.insert(state).0));
        }
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
        // In place, from the last to the first, so that there is never room for two of each: a state moves to where no
        // other is that has not moved yet.
        let old = self.width;
        self.words.resize(self.len * width, 0);
        for place in (0..self.len).rev() {
            self.words
                .copy_within(place * old..(place + 1) * old, place * width);
            self.words[place * width + old..(place + 1) * width].fill(0);
        }
        self.width = width;
    }

    fn words_of(&self, place: usize) -> &[u64] {
        &self.words[place * self.width..][..self.width]
    }

    /// Whether a state is the one at a place.
    fn is(&self, place: usize, state: &State) -> bool {
        let (own, words) = (self.words_of(place), state.words());
        let mut pairs = own.iter().zip(words);
        // A state of fewer words than the row: the rest of the row must be zero.
        own.len() >= words.len()
            && pairs.all(|(one, other)| one == other)
            && own.iter().skip(words.len()).all(|&word| word == 0)
    }
}

fn tag(state: &State) -> Tag {
    let mut hasher = FxBuildHasher.build_hasher();
    u64::hash_slice(state.words(), &mut hasher);
    Tag::of(hasher.finish())
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
