//! Moded tabling: answers that are aggregated instead of collected.
//!
//! `:- table path(_, _, min).` keeps, for each value of the first two arguments, the least third
//! one. Calls are variants by the other arguments only; an answer that improves on the one in force
//! supersedes it, and consumers see the better one as a new answer.

use crate::prolog::program::instruction::{BACKTRACK, Pc, PredicateId};
use crate::prolog::program::predicate::Aggregation;
use crate::prolog::state::frame::{FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::TableId;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;
use crate::prolog::terms::heap::TermView;
use crate::term::TermId;

impl Machine {
    /// Puts fresh variables in the place of aggregated arguments; their values are unified with
    /// the arguments when an answer returns.
    pub(super) fn generalize_moded(&mut self, id: PredicateId) {
        let Some(mode) = self.database.get(id).table.clone() else {
            return;
        };
        let (mut fresh, mut given) = (Vec::new(), Vec::new());
        for (position, mode) in mode.modes.iter().enumerate() {
            if mode.is_some() {
                let variable = self.heap.variable();
                fresh.push(variable);
                given.push(self.x[position]);
                self.x[position] = variable;
            }
        }
        // `path(a, b, 7)` is called as `path(a, b, V)`; the answer's V meets 7 afterwards, in the stub.
        let fresh = self.heap.compound(atoms::ANSWER, &fresh);
        let given = self.heap.compound(atoms::ANSWER, &given);
        self.allocate(2, FrameKind::Plain);
        self.set_slot(0, fresh);
        self.set_slot(1, given);
        self.cp = stub::UNIFY_SLOTS;
    }

    /// The continuation of a moded call: its answers meet the arguments given.
    #[inline(never)]
    pub(in crate::prolog) fn unify_slots(&mut self) -> Pc {
        let (left, right) = (self.slot(0), self.slot(1));
        self.deallocate();
        if self.heap.unify(left, right) {
            self.cp
        } else {
            BACKTRACK
        }
    }

    /// Notes which variables of a call are aggregated. They are fresh, so each is a variable of
    /// its own.
    pub(super) fn set_modes(&mut self, table: TableId, id: PredicateId, variables: &[Cell]) {
        let Some(mode) = &self.database.get(id).table else {
            return;
        };
        let mut modes = Vec::new();
        for (position, mode) in mode.modes.iter().enumerate() {
            if let Some(mode) = mode {
                let argument = self.heap.deref(self.x[position]);
                if let Some(variable) = variables.iter().position(|&cell| cell == argument) {
                    modes.push((variable, *mode));
                }
            }
        }
        self.tables.get_mut(table).modes = modes;
    }

    /// The values of an answer's template: those that identify it, and those aggregated.
    fn split_template(&mut self, table: TableId, template: Cell) -> (TermId, Vec<Cell>) {
        let modes = self.tables.get(table).modes.clone();
        let arguments = self.heap.arguments(template);
        let is_moded = |position: usize| modes.iter().any(|&(moded, _)| moded == position);
        let others: Vec<Cell> = (0..arguments.len())
            // `path(a, V, 7)` with the third argument aggregated: the key is V, the value 7.
            .filter(|&position| !is_moded(position))
            .map(|position| arguments[position])
            .collect();
        let others = self.heap.compound(atoms::ANSWER, &others);
        let key = self.heap.intern(others, &mut Vec::new());
        let values = modes
            .iter()
            .map(|&(position, _)| arguments[position])
            .collect();
        (key, values)
    }

    pub(super) fn moded_answer_found(
        &mut self,
        table: TableId,
        template: Cell,
    ) -> Result<Pc, Interruption> {
        let (key, values) = self.split_template(table, template);
        // The first answer for these values is in force without further ado.
        let Some(&best) = self.tables.get(table).best.get(&key) else {
            self.put_moded(table, template, key);
            return Ok(BACKTRACK);
        };
        let old = self.old_values(table, best);
        let modes = self.tables.get(table).modes.clone();
        let mut results = Vec::new();
        let mut goals = Vec::new();
        for (index, &(_, mode)) in modes.iter().enumerate() {
            let (old, new) = (old[index], values[index]);
            results.push(self.aggregate(mode, old, new, &mut goals)?);
        }
        // What is built in is computed here; lattice and order are goals, which run before `aggregated` compares.
        let results = self.heap.compound(atoms::ANSWER, &results);
        self.allocate(1, FrameKind::Plain);
        self.set_slot(0, results);
        self.cp = stub::AGGREGATED;
        let mut goal = Cell::atom(atoms::TRUE);
        for &part in goals.iter().rev() {
            goal = self.heap.compound(atoms::COMMA, &[part, goal]);
        }
        Ok(self.goal_later(goal, self.choices.len()))
    }

    fn old_values(&mut self, table: TableId, best: usize) -> Vec<Cell> {
        let entry = self.tables.get(table);
        let Some((&key, _)) = entry.answers.get_index(best) else {
            return Vec::new();
        };
        let positions: Vec<usize> = entry.modes.iter().map(|&(position, _)| position).collect();
        let mut variables = Vec::new();
        positions
            .into_iter()
            .map(|position| {
                let id = self.heap.store.arguments(key)[position];
                self.heap.build(id, &mut variables)
            })
            .collect()
    }

    fn aggregate(
        &mut self,
        mode: Aggregation,
        old: Cell,
        new: Cell,
        goals: &mut Vec<Cell>,
    ) -> Result<Cell, Interruption> {
        use std::cmp::Ordering;
        Ok(match mode {
            Aggregation::First => old,
            Aggregation::Last => new,
            Aggregation::Min if self.heap.compare(new, old) == Ordering::Less => new,
            Aggregation::Max if self.heap.compare(new, old) == Ordering::Greater => new,
            Aggregation::Min | Aggregation::Max => old,
            Aggregation::Sum => {
                use crate::prolog::terms::operations::Operation;
                self.operate(Operation::Add, old, new)?
            }
            Aggregation::Lattice(name) => {
                let result = self.heap.variable();
                goals.push(self.heap.compound(name, &[old, new, result]));
                result
            }
            Aggregation::PartialOrder(name) => {
                goals.push(self.heap.compound(name, &[old, new]));
                new
            }
        })
    }

    /// The aggregated values are known: supersede the answer in force if they differ from it.
    #[inline(never)]
    pub(in crate::prolog) fn aggregated(&mut self) -> Pc {
        let results = self.slot(0);
        self.deallocate();
        let table = TableId(self.slot_number(0) as u32);
        let template = self.slot(1);
        let (key, _) = self.split_template(table, template);
        let Some(&best) = self.tables.get(table).best.get(&key) else {
            return BACKTRACK;
        };
        let old = self.old_values(table, best);
        let values = self.heap.arguments(results);
        // A variant of the old values is no better answer, and consumers would see it for ever.
        let changed = (0..old.len()).any(|index| !self.heap.is_variant(old[index], values[index]));
        if changed {
            let modes = self.tables.get(table).modes.clone();
            let mut arguments = self.heap.arguments(template);
            for (index, &(position, _)) in modes.iter().enumerate() {
                // The better answer has the aggregated values, not those of the derivation: `sum` is neither old nor new.
                arguments[position] = values[index];
            }
            let better = self.heap.compound(atoms::ANSWER, &arguments);
            self.tables.get_mut(table).answers[best].superseded = true;
            self.put_moded(table, better, key);
        }
        BACKTRACK
    }

    fn put_moded(&mut self, table: TableId, template: Cell, key: TermId) {
        debug_assert!(matches!(
            self.heap.view(template),
            TermView::Compound(..) | TermView::Atom(_)
        ));
        let full = self.heap.intern(template, &mut Vec::new());
        let position = self.add_answer(table, full);
        let entry = self.tables.get_mut(table);
        // The same values may have been in force before and come back (`last`).
        entry.answers[position].superseded = false;
        entry.best.insert(key, position);
    }
}
