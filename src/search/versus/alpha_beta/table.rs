//! The transposition table: what is known of packed states.
//!
//! It grows, and loses nothing, as long as memory allows. Then what took least work among sixteen neighbours gives way,
//! so that what is lost is found again at the least cost.

use std::mem::size_of;

use crate::search::versus::codes::{Code, hash};
use crate::search::versus::worth::Bounds;

/// Slots in which a state may be.
const WINDOW: usize = 16;

/// Slots of an empty table.
const FIRST: usize = 1 << 12;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    /// Facts that were known before this one.
    pub(super) rank: u32,
    /// The move that decided the state last, by place in the circuit.
    best: u16,
    pub(super) bounds: Bounds,
    /// Up to so many moves ahead, the question of this number was open; zero if nobody looked.
    pub(super) open_to: u8,
    /// The low bits of the number of a question.
    pub(super) question: u8,
    /// Binary digits of the number of states that it took to find out; zero if the entry is empty.
    work: u8,
}

impl TableEntry {
    pub(super) const UNKNOWN: Self = Self {
        rank: 0,
        best: u16::MAX,
        bounds: Bounds::OPEN,
        open_to: 0,
        question: 0,
        work: 0,
    };

    /// What is known of an end.
    pub(super) fn end(bounds: Bounds) -> Self {
        Self {
            bounds,
            ..Self::UNKNOWN
        }
    }

    /// The move that decided the state last, if one did that is among the first 65,535.
    pub(super) fn best(&self) -> Option<u32> {
        (self.best != u16::MAX).then_some(u32::from(self.best))
    }

    pub(super) fn set_best(&mut self, best: Option<u32>) {
        if let Some(best) = best {
            self.best = u16::try_from(best).unwrap_or(u16::MAX);
        }
    }
}

/// Entries by code, in open addressing; windows that begin at the last slots go beyond them.
pub(super) struct TranspositionTable<const W: usize> {
    slots: Vec<(Code<W>, TableEntry)>,
    /// Entries that are not empty.
    len: usize,
    /// Slots that there may be.
    most: usize,
    /// Bits of a hash that are not part of a slot's number.
    shift: u32,
}

impl<const W: usize> TranspositionTable<W> {
    /// An empty table that takes about so many bytes at most; while it grows, it takes half as many again.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            most: bytes / size_of::<(Code<W>, TableEntry)>(),
            ..Self::with_slots(FIRST)
        }
    }

    fn with_slots(slots: usize) -> Self {
        Self {
            slots: vec![([0; W], TableEntry::UNKNOWN); slots + WINDOW - 1],
            len: 0,
            most: 0,
            shift: 64 - slots.trailing_zeros(),
        }
    }

    /// What is known of a state.
    pub(super) fn get(&self, code: &Code<W>) -> TableEntry {
        let slot = self.slot(code);
        match &self.slots[slot] {
            (own, entry) if own == code && entry.work > 0 => *entry,
            _ => TableEntry::UNKNOWN,
        }
    }

    /// Changes what is known of a state, after so many states were expanded for it.
    pub(super) fn update(
        &mut self,
        code: &Code<W>,
        expanded: u64,
        change: impl FnOnce(&mut TableEntry),
    ) {
        let mut slot = self.slot(code);
        if !self.has(slot, code) {
            while self.is_crowded(slot) && self.slots.len() * 2 <= self.most {
                self.grow();
                slot = self.slot(code);
            }
            self.len += usize::from(self.slots[slot].1.work == 0);
            self.slots[slot] = (*code, TableEntry::UNKNOWN);
        }
        let entry = &mut self.slots[slot].1;
        change(entry);
        // 1 state is work 1, 2 and 3 are 2, 4 to 7 are 3: order of magnitude is enough to choose what gives way.
        let work = (u64::BITS - expanded.leading_zeros()).max(1) as u8;
        entry.work = entry.work.max(work);
    }

    /// Whether a new state would take the place of another one, or a quarter of the slots is all that is empty.
    fn is_crowded(&self, slot: usize) -> bool {
        self.slots[slot].1.work > 0 || (self.len + 1) * 4 > self.slots.len() * 3
    }

    fn has(&self, slot: usize, code: &Code<W>) -> bool {
        let (own, entry) = &self.slots[slot];
        own == code && entry.work > 0
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() - WINDOW + 1) * 2;
        let mut larger = Self::with_slots(slots);
        larger.most = self.most;
        let entries = self.slots.iter().filter(|(_, entry)| entry.work > 0);
        // A window of the larger table may be full as well: what took least work gives way there too.
        for (code, entry) in entries {
            let slot = larger.slot(code);
            larger.len += usize::from(larger.slots[slot].1.work == 0);
            larger.slots[slot] = (*code, *entry);
        }
        *self = larger;
    }

    /// The slot of a code: its own, an empty one, or the one whose entry took least work.
    fn slot(&self, code: &Code<W>) -> usize {
        let first = (hash(code) >> self.shift) as usize;
        let (mut least, mut slot) = (u8::MAX, first);
        for (place, (own, entry)) in self.slots[first..][..WINDOW].iter().enumerate() {
            if entry.work == 0 || own == code {
                return first + place;
            }
            if entry.work < least {
                (least, slot) = (entry.work, first + place);
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
        let mut table = TranspositionTable::<2>::new(1 << 30);
        for number in 0..20_000 {
            table.update(&code(number), 2, |entry| entry.rank = number as u32 + 1);
        }
        for number in 0..20_000 {
            assert_eq!(table.get(&code(number)).rank, number as u32 + 1);
        }
        assert_eq!(table.get(&code(20_001)).rank, 0);
    }

    #[test]
    fn what_took_much_work_stays() {
        let mut table = TranspositionTable::<2>::new(0);
        table.update(&code(1), 1 << 20, |entry| entry.rank = 7);
        for number in 2..100_000 {
            table.update(&code(number), 1, |_| {});
        }
        assert_eq!(table.get(&code(1)).rank, 7);
    }
}
