//! Which tables depend on which predicates, by reachability in the call graph.
//!
//! The graph is read off the clauses: every atom or compound in a body whose name and arity (or,
//! for arguments of meta-predicates, arity plus a few) belong to a predicate counts as a call. That
//! may find too many calls, never too few, but for goals made up at run time.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::cell::{Cell, GROUND, LIST, STR};
use crate::prolog::database::{Database, Kind};
use crate::prolog::instruction::PredicateId;
use crate::prolog::machine::Machine;
use crate::prolog::table::{Owner, TableId, Tables};
use crate::term::Store;

/// Arguments that a meta-predicate may add to a goal.
const ADDED_ARGUMENTS: usize = 4;

/// What was found out for the current clauses.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    changes: u64,
    reaches_table: FxHashMap<PredicateId, bool>,
    callees: FxHashMap<PredicateId, Vec<PredicateId>>,
    /// Whether calls of the first may call the second.
    depends: FxHashMap<(PredicateId, PredicateId), bool>,
}

impl Machine {
    /// Whether a goal may call a tabled predicate.
    pub(super) fn may_reach_table(&mut self, goal: Cell) -> bool {
        let record = self.heap.record(&[goal]);
        let mut called = FxHashSet::default();
        mentioned(&self.database, &self.heap.store, &record.cells, &mut called);
        let mut called: Vec<PredicateId> = called.into_iter().collect();
        called.sort_unstable();
        self.refresh_reach();
        called.into_iter().any(|id| self.reaches_table(id))
    }

    fn refresh_reach(&mut self) {
        // Facts of dynamic predicates come and go all the time; what they call is nothing.
        if self.tables.reach.changes != self.database.rule_changes {
            self.tables.reach = Reach {
                changes: self.database.rule_changes,
                ..Reach::default()
            };
        }
    }

    fn reaches_table(&mut self, id: PredicateId) -> bool {
        if let Some(&known) = self.tables.reach.reaches_table.get(&id) {
            return known;
        }
        let reached = self.reachable(id);
        let result = reached
            .iter()
            .any(|&callee| self.database.get(callee).table.is_some());
        self.tables.reach.reaches_table.insert(id, result);
        result
    }

    /// All predicates that a call of one may call, itself included.
    fn reachable(&mut self, id: PredicateId) -> FxHashSet<PredicateId> {
        let mut reached = FxHashSet::default();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if reached.insert(id) {
                stack.extend(self.callees(id));
            }
        }
        reached
    }

    fn callees(&mut self, id: PredicateId) -> Vec<PredicateId> {
        if let Some(known) = self.tables.reach.callees.get(&id) {
            return known.clone();
        }
        let mut called = FxHashSet::default();
        if self.database.get(id).kind == Kind::User {
            for clause in self.database.live_clauses(id) {
                let cells = &self.database.clauses[clause.0 as usize].term.cells;
                if cells.len() > 1 {
                    // The head names its own predicate, which is reached anyway.
                    mentioned(&self.database, &self.heap.store, &cells[1..2], &mut called);
                    mentioned_behind(&self.database, &self.heap.store, cells, &mut called);
                }
            }
        }
        let mut called: Vec<PredicateId> = called.into_iter().collect();
        called.sort_unstable();
        self.tables.reach.callees.insert(id, called.clone());
        called
    }

    /// Drops the complete tables that depend on a predicate.
    pub(in crate::prolog) fn invalidate(&mut self, changed: PredicateId) {
        if self.tables.variants.is_empty() {
            return;
        }
        self.refresh_reach();
        let owners: Vec<PredicateId> = self
            .tables
            .variants
            .values()
            .filter_map(|&id| match self.tables.get(id).owner {
                Owner::Predicate(owner) => Some(owner),
                Owner::Goal => None,
            })
            .collect();
        for owner in owners {
            if !self.tables.reach.depends.contains_key(&(owner, changed)) {
                let reached = self.reachable(owner).contains(&changed);
                self.tables.reach.depends.insert((owner, changed), reached);
            }
        }
        let depends = std::mem::take(&mut self.tables.reach.depends);
        self.tables
            .drop_owned_by(|owner| depends.get(&(owner, changed)).copied().unwrap_or(false));
        self.tables.reach.depends = depends;
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

/// The predicates that terms among some cells may name.
fn mentioned(
    database: &Database,
    store: &Store,
    cells: &[Cell],
    called: &mut FxHashSet<PredicateId>,
) {
    for &cell in cells {
        if cell.is_atom() {
            note(database, cell.symbol(), 0, called);
        } else if cell.tag() == GROUND {
            let mut stack = vec![cell.term()];
            while let Some(id) = stack.pop() {
                if let Some(functor) = store.functor(id) {
                    note(database, functor.symbol, functor.arity as usize, called);
                }
                stack.extend_from_slice(store.arguments(id));
            }
        } else if cell.is_functor() {
            note(database, cell.symbol(), cell.arity(), called);
        }
    }
}

/// The same for everything behind the head of a clause. Arguments of the head come first among the
/// cells and are not told apart; they only add calls that do not happen.
fn mentioned_behind(
    database: &Database,
    store: &Store,
    cells: &[Cell],
    called: &mut FxHashSet<PredicateId>,
) {
    let head = cells[0];
    let skipped = match head.tag() {
        STR => cells[head.index()].arity(),
        LIST => 2,
        _ => 0,
    };
    let start = (2 + skipped).min(cells.len());
    let start = if matches!(head.tag(), STR) {
        (start + 1).min(cells.len())
    } else {
        start
    };
    mentioned(database, store, &cells[start..], called);
}

fn note(
    database: &Database,
    name: crate::term::SymbolId,
    arity: usize,
    called: &mut FxHashSet<PredicateId>,
) {
    for added in 0..=ADDED_ARGUMENTS {
        if let Some(id) = database.find(name, arity + added) {
            called.insert(id);
        }
    }
}
