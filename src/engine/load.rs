//! Clauses and facts given as values: game rules, and the facts of a state.

use rustc_hash::FxHashMap;

use crate::engine::atoms;
use crate::engine::cell::Cell;
use crate::engine::compile::CompileError;
use crate::engine::database::Kind;
use crate::engine::instruction::PredicateId;
use crate::engine::machine::Machine;
use crate::engine::table::mode::TableMode;
use crate::term::{Clause, Functor, Literal, Store, SymbolId, Term, TermId};

/// Which predicates of added clauses are tabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tabling {
    /// None of them.
    Nothing,
    /// Every one that has a rule.
    Rules,
    /// These, named by functors of the store that the clauses come from.
    Only(Vec<Functor>),
}

/// A clause that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Its head is no atom or compound, or one of its conditions is none.
    #[error("clause {clause} is not made of atoms and compounds")]
    NotCallable {
        /// The position of the clause among those given.
        clause: usize,
    },
    /// It has more arguments or variables than the machine takes.
    #[error("clause {clause} has too many arguments or variables")]
    TooComplex {
        /// The position of the clause among those given.
        clause: usize,
    },
    /// It would define a predicate of the machine's control.
    #[error("clause {clause} defines a control construct")]
    Control {
        /// The position of the clause among those given.
        clause: usize,
    },
}

/// Terms of another store as terms of this machine.
struct Import<'s> {
    store: &'s Store,
    symbols: FxHashMap<SymbolId, SymbolId>,
}

impl Machine {
    /// Adds clauses of another store. `not`, `or`, `and` and `distinct` are read as
    /// [`Literal`] reads them; predicates of `dynamic` may have no clause and get their facts by
    /// [`Machine::set_facts`]. A predicate defined here hides a built-in one of the same name.
    ///
    /// # Errors
    /// For the first clause that cannot be added; those in front of it are added.
    pub fn add_clauses(
        &mut self,
        store: &Store,
        clauses: &[Clause],
        tabling: &Tabling,
        dynamic: &[Functor],
    ) -> Result<(), LoadError> {
        self.reset();
        let mut import = Import {
            store,
            symbols: FxHashMap::default(),
        };
        for functor in dynamic {
            let id = self.import_predicate(&mut import, *functor, 0)?;
            self.database.get_mut(id).is_dynamic = true;
        }
        for (number, clause) in clauses.iter().enumerate() {
            let Some(functor) = store.functor(clause.head) else {
                return Err(LoadError::NotCallable { clause: number });
            };
            let id = self.import_predicate(&mut import, functor, number)?;
            let is_tabled = match tabling {
                Tabling::Nothing => false,
                Tabling::Rules => !clause.body.is_empty(),
                Tabling::Only(functors) => functors.contains(&functor),
            };
            if is_tabled && self.database.get(id).table.is_none() {
                let modes = vec![None; functor.arity as usize];
                self.table_predicate(id, TableMode { modes });
            }
            self.import_clause(&mut import, id, clause, number)?;
        }
        self.reset();
        self.drop_all_tables();
        self.tables.release();
        Ok(())
    }

    fn import_predicate(
        &mut self,
        import: &mut Import<'_>,
        functor: Functor,
        clause: usize,
    ) -> Result<PredicateId, LoadError> {
        let name = self.import_symbol(import, functor.symbol);
        let id = self.database.predicate(name, functor.arity as usize);
        let predicate = self.database.get_mut(id);
        if matches!(predicate.kind, Kind::Control(_)) {
            return Err(LoadError::Control { clause });
        }
        if predicate.is_system {
            predicate.kind = Kind::User;
            predicate.is_system = false;
            for old in self.database.live_clauses(id) {
                self.database.erase(old);
            }
            self.database.compact(id);
        }
        Ok(id)
    }

    fn import_symbol(&mut self, import: &mut Import<'_>, symbol: SymbolId) -> SymbolId {
        if let Some(&known) = import.symbols.get(&symbol) {
            return known;
        }
        let own = self.heap.store.symbol(import.store.name(symbol));
        import.symbols.insert(symbol, own);
        own
    }

    fn import_clause(
        &mut self,
        import: &mut Import<'_>,
        id: PredicateId,
        clause: &Clause,
        number: usize,
    ) -> Result<(), LoadError> {
        self.heap.cells.clear();
        let variables: Vec<Cell> = clause
            .variables
            .iter()
            .map(|_| self.heap.variable())
            .collect();
        let head = self.import_term(import, clause.head, &variables);
        let head = self.heap.expose(head);
        let mut goals = Vec::new();
        for &literal in &clause.body {
            goals.push(self.import_literal(import, literal, &variables));
        }
        let body = self.conjunction(&goals);
        let record = self.heap.record(&[head, body]);
        match self
            .database
            .add(&mut self.heap.store, id, record, None, false)
        {
            Ok(_) => Ok(()),
            Err(CompileError::TooComplex) => Err(LoadError::TooComplex { clause: number }),
            Err(CompileError::UnboundHead | CompileError::NotCallable) => {
                Err(LoadError::NotCallable { clause: number })
            }
        }
    }

    /// A condition as a goal: `or` is `;`, `and` is `,`.
    fn import_literal(
        &mut self,
        import: &mut Import<'_>,
        root: TermId,
        variables: &[Cell],
    ) -> Cell {
        /// What is left to do: look at a condition, or join the goals of its parts.
        enum Step {
            Visit(TermId),
            Not,
            Join(SymbolId, usize),
        }
        let mut steps = vec![Step::Visit(root)];
        let mut goals: Vec<Cell> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id) => match Literal::of(import.store, id) {
                    Literal::Not(inner) => steps.extend([Step::Not, Step::Visit(inner)]),
                    Literal::Or(parts) => {
                        steps.push(Step::Join(atoms::SEMICOLON, parts.len()));
                        steps.extend(parts.iter().rev().map(|&part| Step::Visit(part)));
                    }
                    Literal::And(parts) => {
                        steps.push(Step::Join(atoms::COMMA, parts.len()));
                        steps.extend(parts.iter().rev().map(|&part| Step::Visit(part)));
                    }
                    Literal::Distinct(..) | Literal::Call(_) => {
                        let goal = self.import_term(import, id, variables);
                        goals.push(goal);
                    }
                },
                Step::Not => {
                    if let Some(inner) = goals.pop() {
                        goals.push(self.heap.compound(atoms::NOT_PROVABLE, &[inner]));
                    }
                }
                Step::Join(name, count) => {
                    let parts = goals.split_off(goals.len() - count);
                    let mut parts = parts.into_iter().rev();
                    let empty = if name == atoms::COMMA {
                        atoms::TRUE
                    } else {
                        atoms::FAIL
                    };
                    let mut joined = parts.next().unwrap_or(Cell::atom(empty));
                    for part in parts {
                        joined = self.heap.compound(name, &[part, joined]);
                    }
                    goals.push(joined);
                }
            }
        }
        goals.pop().unwrap_or(Cell::atom(atoms::TRUE))
    }

    /// A term of another store on the heap.
    fn import_term(&mut self, import: &mut Import<'_>, root: TermId, variables: &[Cell]) -> Cell {
        /// What is left to do: look at a term, or build it from its arguments.
        enum Step {
            Visit(TermId),
            Build(SymbolId, usize),
        }
        let mut steps = vec![Step::Visit(root)];
        let mut built: Vec<Cell> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id) => match import.store.view(id) {
                    Term::Compound(name, arguments) => {
                        let count = arguments.len();
                        steps.push(Step::Build(self.import_symbol(import, name), count));
                        let arguments = import.store.arguments(id);
                        steps.extend(arguments.iter().rev().map(|&part| Step::Visit(part)));
                    }
                    Term::Variable(number) => built.push(variables[number as usize]),
                    Term::Atom(name) => built.push(Cell::atom(self.import_symbol(import, name))),
                    Term::Text(name) => built.push(Cell::text(self.import_symbol(import, name))),
                    Term::Integer(value) => built.push(self.heap.integer(value)),
                    Term::Float(value) => built.push(self.heap.float(value)),
                },
                Step::Build(name, count) => {
                    let arguments = built.split_off(built.len() - count);
                    built.push(self.heap.compound(name, &arguments));
                }
            }
        }
        built.pop().unwrap_or(Cell::ZERO)
    }

    /// Replaces all facts of a dynamic predicate by these ground terms of [`Machine::store`], and
    /// drops the tables that depend on the predicate. Terms with another functor are ignored.
    pub fn set_facts(&mut self, functor: Functor, facts: &[TermId]) {
        self.reset();
        let id = self
            .database
            .predicate(functor.symbol, functor.arity as usize);
        self.database.get_mut(id).is_dynamic = true;
        for clause in self.database.live_clauses(id) {
            self.database.erase(clause);
        }
        self.database.compact(id);
        for &fact in facts {
            if self.heap.store.functor(fact) != Some(functor) || !self.heap.store.is_ground(fact) {
                continue;
            }
            let head = self.heap.cell_of(fact);
            let head = self.heap.expose(head);
            let record = self.heap.record(&[head, Cell::atom(atoms::TRUE)]);
            // A ground fact always compiles, unless it has more arguments than registers.
            let _ = self
                .database
                .add(&mut self.heap.store, id, record, None, false);
        }
        self.invalidate(id);
        self.tables.release();
        self.reset();
    }
}
