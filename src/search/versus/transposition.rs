//! The transposition table: what is known of packed states.
//!
//! It grows, and loses nothing, as long as memory allows. Then what took least work among sixteen neighbours gives way,
//! so that what is lost is found again at the least cost.

use std::mem::size_of;

use crate::search::versus::codes::{Code, hash};

/// Slots in which a state may be.
const WINDOW: usize = 16;

/// Slots of an empty table.
const FIRST: usize = 1 << 12;

/// A place for a state.
#[derive(Clone, Copy, Debug)]
struct Slot<const W: usize, E> {
    code: Code<W>,
    entry: E,
    /// Binary digits of the number of states that it took to find out; zero if the slot is empty.
    work: u8,
}

/// What is known of states, by code, in open addressing; windows that begin at the last slots go beyond them. Of a state
/// that is not there, the default is known.
pub(super) struct TranspositionTable<const W: usize, E> {
    slots: Vec<Slot<W, E>>,
    /// Entries that are not empty.
    len: usize,
    /// Slots that there may be.
    most: usize,
    /// Bits of a hash that are not part of a slot's number.
    shift: u32,
}

impl<const W: usize, E: Copy + Default> TranspositionTable<W, E> {
    /// An empty table that takes about so many bytes at most; while it grows, it takes half as many again.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            most: bytes / size_of::<Slot<W, E>>(),
            ..Self::with_slots(FIRST)
        }
    }

    fn with_slots(slots: usize) -> Self {
        let empty = Slot {
            code: [0; W],
            entry: E::default(),
            work: 0,
        };
        Self {
            slots: vec![empty; slots + WINDOW - 1],
            len: 0,
            most: 0,
            shift: 64 - slots.trailing_zeros(),
        }
    }

    /// What is known of a state.
    pub(super) fn get(&self, code: &Code<W>) -> E {
        let slot = self.slot(code);
        if self.has(slot, code) {
            self.slots[slot].entry
        } else {
            E::default()
        }
    }

    /// Changes what is known of a state, after so many states were expanded for it.
    pub(super) fn update(&mut self, code: &Code<W>, expanded: u64, change: impl FnOnce(&mut E)) {
        let mut slot = self.slot(code);
        if !self.has(slot, code) {
            while self.is_crowded(slot) && self.slots.len() * 2 <= self.most {
                self.grow();
                slot = self.slot(code);
            }
            self.len += usize::from(self.slots[slot].work == 0);
            self.slots[slot] = Slot {
                code: *code,
                entry: E::default(),
                work: 0,
            };
        }
        let slot = &mut self.slots[slot];
        change(&mut slot.entry);
        // 1 state is work 1, 2 and 3 are 2, 4 to 7 are 3: order of magnitude is enough to choose what gives way.
        let work = (u64::BITS - expanded.leading_zeros()).max(1) as u8;
        slot.work = slot.work.max(work);
    }

    /// Whether a new state would take the place of another one, or a quarter of the slots is all that is empty.
    fn is_crowded(&self, slot: usize) -> bool {
        self.slots[slot].work > 0 || (self.len + 1) * 4 > self.slots.len() * 3
    }

    fn has(&self, slot: usize, code: &Code<W>) -> bool {
        let slot = &self.slots[slot];
        slot.code == *code && slot.work > 0
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() - WINDOW + 1) * 2;
        let mut larger = Self::with_slots(slots);
        larger.most = self.most;
        // A window of the larger table may be full as well: what took least work gives way there too.
        for kept in self.slots.iter().filter(|slot| slot.work > 0) {
            let slot = larger.slot(&kept.code);
            larger.len += usize::from(larger.slots[slot].work == 0);
            larger.slots[slot] = *kept;
        }
        *self = larger;
    }

    /// The slot of a code: its own, an empty one, or the one whose entry took least work.
    fn slot(&self, code: &Code<W>) -> usize {
        let first = (hash(code) >> self.shift) as usize;
        let (mut least, mut slot) = (u8::MAX, first);
        for (place, other) in self.slots[first..][..WINDOW].iter().enumerate() {
            if other.work == 0 || other.code == *code {
                return first + place;
            }
            if other.work < least {
                (least, slot) = (other.work, first + place);
            }
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(number: u64) -> Code<2> {
        [number % 7, number.wrapping_mul(0x9E37_79B9)]
    }

    #[test]
    fn entries_are_kept_while_the_table_grows() {
        let mut table = TranspositionTable::<2, u32>::new(1 << 30);
        for number in 0..20_000 {
            table.update(&code(number), 2, |entry| *entry = number as u32 + 1);
        }
        for number in 0..20_000 {
            assert_eq!(table.get(&code(number)), number as u32 + 1);
        }
        assert_eq!(table.get(&code(20_001)), 0);
    }

    #[test]
    fn what_took_much_work_stays() {
        let mut table = TranspositionTable::<2, u32>::new(0);
        table.update(&code(1), 1 << 20, |entry| *entry = 7);
        for number in 2..100_000 {
            table.update(&code(number), 1, |_| {});
        }
        assert_eq!(table.get(&code(1)), 7);
    }
}
