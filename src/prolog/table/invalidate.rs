//! Tables that go when clauses change.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::program::call_graph::LoadedProgram;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{Owner, TableId, Tables};
use crate::prolog::terms::cell::Cell;

impl Machine {
    /// Whether a goal may call a tabled predicate.
    pub(super) fn may_reach_table(&mut self, goal: Cell) -> bool {
        let record = self.heap.record(&[goal]);
        let program = LoadedProgram {
            database: &self.database,
            store: &self.heap.store,
        };
        let graph = &mut self.tables.call_graph;
        graph.refresh(&self.database);
        graph.goal_reaches_table(program, &record.cells)
    }

    /// Drops the complete tables that depend on a predicate.
    pub(in crate::prolog) fn invalidate(&mut self, changed: PredicateId) {
        if self.tables.variants.is_empty() {
            return;
        }
        let program = LoadedProgram {
            database: &self.database,
            store: &self.heap.store,
        };
        let tables = &mut self.tables;
        tables.call_graph.refresh(&self.database);
        let owners =
            tables
                .variants
                .values()
                .filter_map(|&id| match tables.tables[id.0 as usize].owner {
                    Owner::Predicate(owner) => Some(owner),
                    Owner::Goal => None,
                });
        let graph = &mut tables.call_graph;
        let dependent: FxHashSet<PredicateId> = owners
            .filter(|&owner| graph.depends_on(program, owner, changed))
            .collect();
        tables.drop_owned_by(|owner| dependent.contains(&owner));
    }

    /// Drops the complete tables of a predicate.
    pub(crate) fn drop_tables_of(&mut self, predicate: PredicateId) {
        self.tables.drop_owned_by(|owner| owner == predicate);
    }

    /// Drops all tables; incomplete ones stay until they are complete or abandoned.
    pub(crate) fn drop_all_tables(&mut self) {
        self.tables.drop_owned_by(|_| true);
    }
}

impl Tables {
    /// Drops the complete tables of some predicates.
    fn drop_owned_by(&mut self, is_dropped: impl Fn(PredicateId) -> bool) {
        let tables = &self.tables;
        let mut gone: Vec<TableId> = Vec::new();
        self.variants.retain(|_, &mut id| {
            let table = &tables[id.0 as usize];
            let drop = table.is_complete
                && matches!(table.owner, Owner::Predicate(owner) if is_dropped(owner));
            if drop {
                gone.push(id);
            }
            !drop
        });
        // A choice point may still return their answers; only the way to them from a call is gone.
        self.retired.append(&mut gone);
    }

    /// Frees dropped tables. No choice point may read them any more.
    pub(crate) fn release(&mut self) {
        if self.variants.is_empty() && self.incomplete.is_empty() {
            self.tables.clear();
            self.retired.clear();
            self.kept = 0;
            return;
        }
        for id in std::mem::take(&mut self.retired) {
            let table = &mut self.tables[id.0 as usize];
            self.kept = self.kept.saturating_sub(table.answers.len());
            table.answers = indexmap::IndexMap::default();
            table.best = FxHashMap::default();
        }
    }
}
