//! States: which fluents hold, one bit each.

use crate::gdl::vocabulary::FluentId;
use crate::term::ones_of_all;

const BITS: usize = u64::BITS as usize;

/// The set of fluents that hold. Compares and hashes as a set.
#[derive(Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// One bit a fluent; the last word is not zero, so that equal sets are equal words.
    words: Vec<u64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
        }
    }

    /// Keeps the memory that it has.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
    }
}

impl State {
    /// Whether a fluent holds.
    pub fn contains(&self, fluent: FluentId) -> bool {
        self.words
            .get(fluent.index() / BITS)
            .is_some_and(|word| word >> (fluent.index() % BITS) & 1 == 1)
    }

    /// Makes a fluent hold.
    pub fn insert(&mut self, fluent: FluentId) {
        let word = fluent.index() / BITS;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (fluent.index() % BITS);
    }

    /// Makes fluents not hold.
    pub fn remove_all(&mut self, fluents: &[FluentId]) {
        for fluent in fluents {
            if let Some(word) = self.words.get_mut(fluent.index() / BITS) {
                *word &= !(1 << (fluent.index() % BITS));
            }
        }
        // Trailing zero words would make equal sets unequal.
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// The fluents that hold, by ascending id.
    pub fn fluents(&self) -> impl Iterator<Item = FluentId> {
        ones_of_all(self.words.iter().copied()).map(FluentId::from_index)
    }

    /// The fluents that hold and are not among others, ascending.
    pub(super) fn without<'s>(&'s self, others: &'s State) -> impl Iterator<Item = FluentId> + 's {
        // Words beyond the end are zero.
        let word = |at| others.words.get(at).copied().unwrap_or(0);
        let words = self.words.iter().enumerate();
        ones_of_all(words.map(move |(at, own)| own & !word(at))).map(FluentId::from_index)
    }

    /// The fluents that hold and are among others.
    pub fn intersection(&self, others: &State) -> State {
        let words = self.words.iter().zip(&others.words);
        State::of_words(words.map(|(word, other)| word & other).collect())
    }

    /// The fluents that hold and are not among others.
    pub fn difference(&self, others: &State) -> State {
        let mut words = self.words.clone();
        words
            .iter_mut()
            .zip(&others.words)
            .for_each(|(word, other)| *word &= !other);
        State::of_words(words)
    }

    /// The fluents that hold here or there.
    pub fn union(&self, others: &State) -> State {
        let (mut longer, shorter) = if self.words.len() < others.words.len() {
            (others.words.clone(), &self.words)
        } else {
            (self.words.clone(), &others.words)
        };
        longer
            .iter_mut()
            .zip(shorter)
            .for_each(|(word, other)| *word |= other);
        // The last word of the longer one is not zero and only gains bits: nothing to be trimmed.
        State { words: longer }
    }

    /// One bit a fluent, by id.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The state with these bits.
    pub(crate) fn of_words(mut words: Vec<u64>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        Self { words }
    }

    /// Replaces the bits, keeping the memory that it has.
    pub(crate) fn set_words(&mut self, words: &[u64]) {
        let length = words.iter().rposition(|&word| word != 0);
        self.words.clear();
        self.words
            .extend_from_slice(&words[..length.map_or(0, |last| last + 1)]);
    }

    /// The number of fluents that hold.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether no fluent holds.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The fluents that hold in exactly one of the two states, and whether it is `other`.
    pub fn changes<'s>(&'s self, other: &'s State) -> impl Iterator<Item = (FluentId, bool)> {
        let word = |state: &State, at: usize| state.words.get(at).copied().unwrap_or(0);
        let places = 0..self.words.len().max(other.words.len());
        ones_of_all(places.map(move |at| word(self, at) ^ word(other, at))).map(|place| {
            let fluent = FluentId::from_index(place);
            (fluent, other.contains(fluent))
        })
    }
}

impl FromIterator<FluentId> for State {
    fn from_iter<I: IntoIterator<Item = FluentId>>(fluents: I) -> Self {
        let mut state = State::default();
        fluents.into_iter().for_each(|fluent| state.insert(fluent));
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(ids: &[usize]) -> State {
        ids.iter().map(|&id| FluentId::from_index(id)).collect()
    }

    #[test]
    fn changes_lead_from_one_state_to_the_other() {
        let (before, after) = (state(&[0, 3, 64]), state(&[3, 5, 200]));
        let changes: Vec<(usize, bool)> = before
            .changes(&after)
            .map(|(f, on)| (f.index(), on))
            .collect();
        assert_eq!(changes, [(0, false), (5, true), (64, false), (200, true)]);
        assert_eq!(before.fluents().count(), before.len());
    }

    #[test]
    fn a_state_is_the_union_of_its_parts() {
        let (whole, mask) = (state(&[0, 3, 64, 200]), state(&[3, 200, 300]));
        let (inside, outside) = (whole.intersection(&mask), whole.difference(&mask));
        assert_eq!(inside, state(&[3, 200]));
        assert_eq!(outside, state(&[0, 64]));
        assert_eq!(inside.union(&outside), whole);
        assert_eq!(outside.union(&inside), whole);
    }
}
