//! A table from packed states to what they are worth, for as many states as are known beforehand.

use serde::{Deserialize, Serialize};

use crate::search::versus::codes::{Code, hash};

/// What a state is worth: a number of a [`super::folding::Folding`], and the number of moves to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) value: u8,
    /// Moves to the end if whoever wins hurries and the others do not; 255 if there are at least so many.
    pub(super) moves: u8,
    /// The number of the payoffs under backward induction.
    pub(super) induced: u8,
}

impl Mark {
    /// No value has this number.
    pub(super) const NONE: Self = Self {
        value: u8::MAX,
        moves: 0,
        induced: u8::MAX,
    };
}

/// Marks by code.
pub(super) struct Lookup<const W: usize> {
    codes: Vec<Code<W>>,
    marks: Vec<Mark>,
}

impl<const W: usize> Lookup<W> {
    /// Bytes that a state takes, with its share of empty slots.
    #[cfg(feature = "distributed")]
    pub(super) const BYTES_PER_STATE: u64 = (8 * W as u64 + 3) * 3 / 2;

    /// Room for so many states.
    pub(super) fn new(states: usize) -> Self {
        // A third stays empty, so that an empty slot is never far.
        let slots = states + states / 2 + 2;
        Self {
            codes: vec![[0; W]; slots],
            marks: vec![Mark::NONE; slots],
        }
    }

    /// Adds a state that is not there.
    pub(super) fn insert(&mut self, code: Code<W>, mark: Mark) {
        let mut slot = self.slot(&code);
        while self.marks[slot] != Mark::NONE {
            slot = self.after(slot);
        }
        (self.codes[slot], self.marks[slot]) = (code, mark);
    }

    /// Replaces `marks` by those of states. All first slots are read before any is compared, so that cache misses
    /// overlap.
    pub(super) fn find(&self, codes: &[Code<W>], marks: &mut Vec<Mark>) {
        marks.clear();
        marks.extend(codes.iter().map(|code| {
            let slot = self.slot(code);
            if self.codes[slot] == *code {
                self.marks[slot]
            } else {
                Mark::NONE
            }
        }));
        for (code, mark) in codes.iter().zip(marks) {
            if *mark == Mark::NONE {
                *mark = self.find_from(code, self.slot(code));
            }
        }
    }

    fn find_from(&self, code: &Code<W>, mut slot: usize) -> Mark {
        while self.marks[slot] != Mark::NONE && self.codes[slot] != *code {
            slot = self.after(slot);
        }
        self.marks[slot]
    }

    fn slot(&self, code: &Code<W>) -> usize {
        // The hash as a fraction of 2^64, of all slots.
        ((u128::from(hash(code)) * self.codes.len() as u128) >> 64) as usize
    }

    fn after(&self, slot: usize) -> usize {
        let next = slot + 1;
        if next == self.marks.len() { 0 } else { next }
    }
}

/// Notes in `found` the marks of states that are asked for, each with its place there, among ascending ones that are known.
pub(super) fn find_sorted<const W: usize>(
    known: impl Iterator<Item = (Code<W>, Mark)>,
    mut asked: Vec<(Code<W>, usize)>,
    found: &mut [Option<Mark>],
) {
    asked.sort_unstable();
    // Both are ascending.
    let mut left = asked.iter().peekable();
    for (code, mark) in known {
        while left.next_if(|(asked, _)| *asked < code).is_some() {}
        while let Some(&(_, place)) = left.next_if(|(asked, _)| *asked == code) {
            found[place] = Some(mark);
        }
        if left.peek().is_none() {
            break;
        }
    }
}
