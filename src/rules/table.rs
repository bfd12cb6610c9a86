//! Tables: the answers of calls, one table per called pattern, dropped all at once.
//!
//! A table is found by procedure and input values. All tables of one lifetime live in one
//! [`Space`]; a change of state drops them by counting up an epoch, in constant time, and the
//! memory of dropped tables is used again by the next state's.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::rules::code::{CodeAddress, Lifetime, ProcedureId, Run};
use crate::rules::relation::hash;
use crate::term::TermId;

/// From this number of answers on a table finds duplicates by hashing.
const HASHED_FROM: usize = 8;

/// Names a table of one of the three spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableId {
    pub(super) lifetime: Lifetime,
    index: u32,
}

/// A clause that waits for further answers of an incomplete table.
#[derive(Clone, Debug)]
pub(super) struct Consumer {
    /// The table that the waiting clause contributes to.
    pub(super) owner: TableId,
    /// Where it goes on.
    pub(super) resume: CodeAddress,
    /// Where it receives the answer.
    pub(super) out: Run,
    /// Its frame.
    pub(super) registers: Box<[TermId]>,
    /// How many answers it has seen.
    pub(super) seen: u32,
}

/// The answers of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) procedure: ProcedureId,
    key_start: u32,
    key_len: u32,
    /// Outputs per answer.
    width: u32,
    /// The outputs of all answers in order of discovery; no answer is there twice.
    answers: Vec<TermId>,
    pub(super) count: u32,
    by_content: HashTable<u32>,
    /// No further answer can come.
    pub(super) complete: bool,
    pub(super) consumers: Vec<Consumer>,
    /// Position on the stack of incomplete tables.
    pub(super) depth: u32,
    /// Number of open alternatives when the table was called, for an early end.
    pub(super) height: u32,
}

impl Table {
    pub(super) fn answer(&self, number: u32) -> &[TermId] {
        let width = self.width as usize;
        &self.answers[number as usize * width..(number as usize + 1) * width]
    }

    /// Adds an answer unless it is there.
    pub(super) fn add(&mut self, answer: &[TermId]) -> bool {
        debug_assert_eq!(answer.len(), self.width as usize);
        let width = self.width as usize;
        // A call without outputs is true or not.
        if width == 0 {
            return std::mem::replace(&mut self.count, 1) == 0;
        }
        // Seven answers at most are compared one by one; at the eighth all are hashed.
        if (self.count as usize) < HASHED_FROM {
            if self
                .answers
                .chunks_exact(width)
                .any(|other| other == answer)
            {
                return false;
            }
            self.push(answer);
            if self.count as usize == HASHED_FROM {
                for number in 0..self.count {
                    self.hash_in(number);
                }
            }
            return true;
        }
        let same = |&number: &u32| self.answer(number) == answer;
        if self.by_content.find(hash(answer), same).is_some() {
            return false;
        }
        self.push(answer);
        self.hash_in(self.count - 1);
        true
    }

    fn push(&mut self, answer: &[TermId]) {
        self.answers.extend_from_slice(answer);
        self.count += 1;
    }

    fn hash_in(&mut self, number: u32) {
        let (answers, width) = (&self.answers, self.width as usize);
        let content =
            |number: u32| &answers[number as usize * width..(number as usize + 1) * width];
        self.by_content
            .insert_unique(hash(content(number)), number, |&other| hash(content(other)));
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    epoch: u32,
    hash: u32,
    table: u32,
}

/// All tables of one lifetime.
#[derive(Clone, Debug)]
struct Space {
    slots: Vec<Slot>,
    epoch: u32,
    keys: Vec<TermId>,
    tables: Vec<Table>,
    /// Tables in use; those behind are kept for their memory.
    used: usize,
}

impl Space {
    fn new() -> Self {
        Self {
            slots: vec![Slot::default(); 64],
            epoch: 1,
            keys: Vec::new(),
            tables: Vec::new(),
            used: 0,
        }
    }

    fn clear(&mut self) {
        self.used = 0;
        self.keys.clear();
        // After 2³² changes of state the epochs begin again, and slots of old ones must not look like new.
        if self.epoch == u32::MAX {
            self.slots.fill(Slot::default());
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    fn is(&self, table: u32, procedure: ProcedureId, key: &[TermId]) -> bool {
        let table = &self.tables[table as usize];
        let start = table.key_start as usize;
        table.procedure == procedure && &self.keys[start..start + table.key_len as usize] == key
    }

    /// The table of a call, or the slot where it belongs.
    fn find(&self, procedure: ProcedureId, key: &[TermId]) -> Result<u32, (usize, u32)> {
        let hash = call_hash(procedure, key);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            // Linear probing: an old epoch is an empty slot, as nothing is ever removed in between.
            if slot.epoch != self.epoch {
                return Err((at, hash));
            }
            if slot.hash == hash && self.is(slot.table, procedure, key) {
                return Ok(slot.table);
            }
            at = (at + 1) & mask;
        }
    }

    fn create(
        &mut self,
        slot: (usize, u32),
        procedure: ProcedureId,
        key: &[TermId],
        width: u32,
    ) -> u32 {
        let number = self.used as u32;
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        let table = &mut self.tables[self.used];
        self.used += 1;
        table.procedure = procedure;
        table.key_start = self.keys.len() as u32;
        table.key_len = key.len() as u32;
        table.width = width;
        // The vectors of a dropped table are emptied and kept.
        table.answers.clear();
        if table.count as usize >= HASHED_FROM {
            table.by_content.clear();
        }
        table.count = 0;
        table.complete = false;
        table.consumers.clear();
        self.keys.extend_from_slice(key);
        self.slots[slot.0] = Slot {
            epoch: self.epoch,
            hash: slot.1,
            table: number,
        };
        // At most half of the slots are in use, so that a probe ends after few steps.
        if self.used * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![Slot::default(); old.len() * 2];
        let mask = self.slots.len() - 1;
        for slot in old.into_iter().filter(|slot| slot.epoch == self.epoch) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].epoch == self.epoch {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

fn call_hash(procedure: ProcedureId, key: &[TermId]) -> u32 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write_u32(procedure.index() as u32);
    for cell in key {
        hasher.write_u32(cell.index() as u32);
    }
    hasher.finish() as u32
}

/// The tables of all calls.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    spaces: [Space; 3],
}

/// What there is for a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Its table.
    Known(TableId),
    /// A new table, which the caller has to fill.
    New(TableId),
}

impl Tables {
    pub(super) fn new() -> Self {
        Self {
            spaces: [Space::new(), Space::new(), Space::new()],
        }
    }

    /// Drops all tables that live this long or shorter.
    pub(super) fn drop_from(&mut self, lifetime: Lifetime) {
        for space in &mut self.spaces[lifetime as usize..] {
            space.clear();
        }
    }

    /// The table of a call; made if there is none.
    pub(super) fn open(
        &mut self,
        lifetime: Lifetime,
        procedure: ProcedureId,
        key: &[TermId],
        width: u32,
    ) -> Entry {
        let space = &mut self.spaces[lifetime as usize];
        match space.find(procedure, key) {
            Ok(index) => Entry::Known(TableId { lifetime, index }),
            Err(slot) => {
                let index = space.create(slot, procedure, key, width);
                Entry::New(TableId { lifetime, index })
            }
        }
    }

    pub(super) fn get(&self, id: TableId) -> &Table {
        &self.spaces[id.lifetime as usize].tables[id.index as usize]
    }

    pub(super) fn get_mut(&mut self, id: TableId) -> &mut Table {
        &mut self.spaces[id.lifetime as usize].tables[id.index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(n: usize) -> TermId {
        TermId::from_index(n)
    }

    #[test]
    fn a_call_has_one_table_until_it_is_dropped() {
        let mut tables = Tables::new();
        let mut ids = Vec::new();
        for n in 0..200 {
            let Entry::New(id) = tables.open(Lifetime::State, ProcedureId::of(7), &[t(n)], 1)
            else {
                unreachable!("a new key");
            };
            ids.push(id);
        }
        assert!(
            matches!(tables.open(Lifetime::State, ProcedureId::of(7), &[t(150)], 1), Entry::Known(id) if id == ids[150])
        );
        tables.drop_from(Lifetime::Move);
        assert!(matches!(
            tables.open(Lifetime::State, ProcedureId::of(7), &[t(3)], 1),
            Entry::Known(_)
        ));
        tables.drop_from(Lifetime::State);
        assert!(matches!(
            tables.open(Lifetime::State, ProcedureId::of(7), &[t(3)], 1),
            Entry::New(_)
        ));
    }

    #[test]
    fn answers_are_sets_in_order_of_discovery() {
        let mut tables = Tables::new();
        let Entry::New(id) = tables.open(Lifetime::Game, ProcedureId::of(0), &[], 2) else {
            unreachable!("a new key");
        };
        let table = tables.get_mut(id);
        assert!((0..100).all(|n| table.add(&[t(n), t(n + 1)])));
        assert!(!table.add(&[t(5), t(6)]));
        assert_eq!(table.count, 100);
        assert_eq!(table.answer(42), [t(42), t(43)]);
    }
}
