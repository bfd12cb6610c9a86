//! The transposition table: what is known of packed states, for as many as there are.

use crate::search::versus::codes::{Code, hash};
use crate::search::versus::worth::Bounds;

/// Slots of an empty table.
const FIRST: usize = 1 << 12;

/// No move is called best.
pub(super) const NO_MOVE: u32 = u32::MAX;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) bounds: Bounds,
    /// Up to so many moves ahead, the question of this number was open; zero if nobody looked.
    pub(super) open_to: u8,
    /// The low bits of the number of a question.
    pub(super) question: u8,
    /// The move that decided the state last, by place in the circuit.
    pub(super) best: u32,
    /// Facts that were known before this one.
    pub(super) rank: u32,
}

impl Entry {
    pub(super) const UNKNOWN: Self = Self {
        bounds: Bounds::OPEN,
        open_to: 0,
        question: 0,
        best: NO_MOVE,
        rank: 0,
    };
}

/// Entries by code, in open addressing.
pub(super) struct Table<const W: usize> {
    slots: Vec<(Code<W>, Entry)>,
    /// Whether a slot is taken; a bit each.
    taken: Vec<u64>,
    len: usize,
    /// Bits of a hash that are not part of a slot's number.
    shift: u32,
}

impl<const W: usize> Table<W> {
    pub(super) fn new() -> Self {
        Self::with_slots(FIRST)
    }

    fn with_slots(slots: usize) -> Self {
        Self {
            slots: vec![([0; W], Entry::UNKNOWN); slots],
            taken: vec![0; slots.div_ceil(64)],
            len: 0,
            shift: 64 - slots.trailing_zeros(),
        }
    }

    /// What is known of a state.
    pub(super) fn get(&self, code: &Code<W>) -> Entry {
        let slot = self.slot(code);
        match self.is_taken(slot) {
            true => self.slots[slot].1,
            false => Entry::UNKNOWN,
        }
    }

    /// Changes what is known of a state.
    pub(super) fn update(&mut self, code: &Code<W>, change: impl FnOnce(&mut Entry)) {
        let mut slot = self.slot(code);
        if !self.is_taken(slot) {
            // A third at least stays empty, so that an empty slot is never far.
            if (self.len + 1) * 3 > self.slots.len() * 2 {
                self.grow();
                slot = self.slot(code);
            }
            self.taken[slot / 64] |= 1 << (slot % 64);
            self.slots[slot] = (*code, Entry::UNKNOWN);
            self.len += 1;
        }
        change(&mut self.slots[slot].1);
    }

    fn grow(&mut self) {
        let mut larger = Self::with_slots(self.slots.len() * 2);
        for (place, (code, entry)) in self.slots.iter().enumerate() {
            if self.is_taken(place) {
                let slot = larger.slot(code);
                larger.taken[slot / 64] |= 1 << (slot % 64);
                larger.slots[slot] = (*code, *entry);
            }
        }
        larger.len = self.len;
        *self = larger;
    }

    fn is_taken(&self, slot: usize) -> bool {
        self.taken[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The slot of a code, or the empty one where it would be.
    fn slot(&self, code: &Code<W>) -> usize {
        let mut slot = (hash(code) >> self.shift) as usize;
        while self.is_taken(slot) && self.slots[slot].0 != *code {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_while_the_table_grows() {
        let mut table = Table::<2>::new();
        let code = |number: u64| [number % 7, number.wrapping_mul(0x9E37_79B9)];
        for number in 0..20_000 {
            table.update(&code(number), |entry| entry.rank = number as u32 + 1);
        }
        for number in 0..20_000 {
            assert_eq!(table.get(&code(number)).rank, number as u32 + 1);
        }
        assert_eq!(table.get(&code(20_001)).rank, 0);
    }
}
