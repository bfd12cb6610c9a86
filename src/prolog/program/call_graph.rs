//! Which predicates a call may reach, read off the clauses.
//!
//! Every atom or compound in a body whose name and arity (or, for arguments of meta-predicates,
//! arity plus a few) belong to a predicate counts as a call. That may find too many calls, never too
//! few, but for goals made up at run time:
//!
//! ```text
//! p(X) :- findall(Y, q(X), L), r(L).     p/1 reaches findall/3, r/1, q/1 and, if there is one, q/2
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::program::predicate::PredicateKind;
use crate::prolog::terms::cell::{Cell, GROUND, LIST, STR};
use crate::term::{Store, SymbolId};

/// Arguments that a meta-predicate may add to a goal.
const ADDED_ARGUMENTS: usize = 4;

/// What was found out for the current clauses.
#[derive(Debug, Default)]
pub(crate) struct CallGraph {
    /// The state of the rules that it was read off, see [`Database::rule_changes`].
    changes: u64,
    reaches_table: FxHashMap<PredicateId, bool>,
    callees: FxHashMap<PredicateId, Vec<PredicateId>>,
    /// Whether calls of the first may call the second.
    depends: FxHashMap<(PredicateId, PredicateId), bool>,
}

/// The program that the graph is read off.
#[derive(Clone, Copy)]
pub(in crate::prolog) struct LoadedProgram<'p> {
    pub(in crate::prolog) database: &'p Database,
    pub(in crate::prolog) store: &'p Store,
}

impl CallGraph {
    /// Forgets what was found for rules that have changed since.
    pub(in crate::prolog) fn refresh(&mut self, database: &Database) {
        // Facts of dynamic predicates come and go all the time; what they call is nothing.
        if self.changes != database.rule_changes {
            *self = Self {
                changes: database.rule_changes,
                ..Self::default()
            };
        }
    }

    /// Whether a goal may call a tabled predicate; the goal is given by its cells.
    pub(in crate::prolog) fn goal_reaches_table(
        &mut self,
        program: LoadedProgram<'_>,
        goal: &[Cell],
    ) -> bool {
        let mut called = FxHashSet::default();
        program.mentioned(goal, &mut called);
        let mut called: Vec<PredicateId> = called.into_iter().collect();
        called.sort_unstable();
        called.into_iter().any(|id| self.reaches_table(program, id))
    }

    fn reaches_table(&mut self, program: LoadedProgram<'_>, id: PredicateId) -> bool {
        if let Some(&known) = self.reaches_table.get(&id) {
            return known;
        }
        let reached = self.reachable(program, id);
        let result = reached
            .iter()
            .any(|&callee| program.database.get(callee).table.is_some());
        self.reaches_table.insert(id, result);
        result
    }

    /// Whether calls of a predicate may call another one.
    pub(in crate::prolog) fn depends_on(
        &mut self,
        program: LoadedProgram<'_>,
        caller: PredicateId,
        callee: PredicateId,
    ) -> bool {
        if let Some(&known) = self.depends.get(&(caller, callee)) {
            return known;
        }
        let reached = self.reachable(program, caller).contains(&callee);
        self.depends.insert((caller, callee), reached);
        reached
    }

    /// All predicates that a call of one may call, itself included.
    fn reachable(&mut self, program: LoadedProgram<'_>, id: PredicateId) -> FxHashSet<PredicateId> {
        let mut reached = FxHashSet::default();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if reached.insert(id) {
                let callees = self.callees.entry(id);
                stack.extend_from_slice(callees.or_insert_with(|| program.callees(id)));
            }
        }
        reached
    }
}

impl LoadedProgram<'_> {
    fn callees(self, id: PredicateId) -> Vec<PredicateId> {
        let mut called = FxHashSet::default();
        if self.database.get(id).kind == PredicateKind::User {
            for clause in self.database.live_clauses(id) {
                let cells = &self.database.clauses[clause.0 as usize].term.cells;
                if cells.len() > 1 {
                    // The head names its own predicate, which is reached anyway.
                    self.mentioned(&cells[1..2], &mut called);
                    self.mentioned_behind_head(cells, &mut called);
                }
            }
        }
        let mut called: Vec<PredicateId> = called.into_iter().collect();
        called.sort_unstable();
        called
    }

    /// The predicates that terms among some cells may name.
    fn mentioned(self, cells: &[Cell], called: &mut FxHashSet<PredicateId>) {
        for &cell in cells {
            if cell.is_atom() {
                self.note(cell.symbol(), 0, called);
            } else if cell.tag() == GROUND {
                let mut stack = vec![cell.term()];
                while let Some(id) = stack.pop() {
                    if let Some(functor) = self.store.functor(id) {
                        self.note(functor.symbol, functor.arity as usize, called);
                    }
                    stack.extend_from_slice(self.store.arguments(id));
                }
            } else if cell.is_functor() {
                self.note(cell.symbol(), cell.arity(), called);
            }
        }
    }

    /// The same for everything behind the head of a clause. Arguments of the head come first among
    /// the cells and are not told apart; they only add calls that do not happen.
    fn mentioned_behind_head(self, cells: &[Cell], called: &mut FxHashSet<PredicateId>) {
        let head = cells[0];
        // Two roots, then the functor of a structure, then the arguments of the head.
        let skipped = match head.tag() {
            STR => 1 + cells[head.index()].arity(),
            LIST => 2,
            _ => 0,
        };
        let start = (2 + skipped).min(cells.len());
        self.mentioned(&cells[start..], called);
    }

    fn note(self, name: SymbolId, arity: usize, called: &mut FxHashSet<PredicateId>) {
        for added in 0..=ADDED_ARGUMENTS {
            if let Some(id) = self.database.find(name, arity + added) {
                called.insert(id);
            }
        }
    }
}
