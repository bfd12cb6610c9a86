//! Clauses and facts given as values: game rules, and the facts of a state.

use crate::prolog::program::compile::CompileError;
use crate::prolog::program::install::NewClause;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::program::predicate::{ClauseOrigin, SourceId, TableMode};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::syntax::Source;
use crate::term::{Clause, Functor, SymbolId, TermId};

/// A program as values: terms and functors of [`Machine::store`].
#[derive(Clone, Copy, Debug)]
pub struct ClauseSet<'c> {
    /// The text that the origins of the clauses are places in.
    pub source: &'c Source,
    /// The clauses in their order; the conditions are goals of Prolog.
    pub clauses: &'c [Clause],
    /// Predicates whose calls are tabled.
    pub tabled: &'c [Functor],
    /// Predicates that may have no clause; see [`Machine::set_facts`].
    pub dynamic: &'c [Functor],
}

/// A clause that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Its head or one of its conditions is no atom or compound.
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
    /// The predicate belongs to the machine or its library.
    #[error("{name}/{arity} is part of the machine")]
    System {
        /// The name of the predicate.
        name: String,
        /// The number of its arguments.
        arity: u32,
    },
}

/// The most arguments that a predicate can have.
const MAX_ARITY: u32 = 240;

impl Machine {
    /// Adds a program given by value, as [`Machine::consult`] adds one given as text: it replaces
    /// what was loaded before under the name of its source.
    ///
    /// # Errors
    /// For the first clause that cannot be added; those in front of it are added.
    pub fn add_clauses(&mut self, program: &ClauseSet<'_>) -> Result<(), LoadError> {
        self.unload(program.source.name());
        self.reset();
        let source = self.add_source(program.source);
        for &functor in program.dynamic {
            let id = self.program_predicate(functor)?;
            self.database.get_mut(id).is_dynamic = true;
        }
        // What is tabled comes first: it decides how negations are compiled.
        for &functor in program.tabled {
            let id = self.program_predicate(functor)?;
            let modes = vec![None; functor.arity as usize];
            self.table_predicate(id, TableMode { modes });
        }
        for (number, clause) in program.clauses.iter().enumerate() {
            self.add_clause(source, clause, number)?;
        }
        self.reset();
        self.drop_all_tables();
        self.tables.release();
        Ok(())
    }

    /// A predicate that programs may define.
    fn program_predicate(&mut self, functor: Functor) -> Result<PredicateId, LoadError> {
        let id = self
            .database
            .predicate(functor.symbol, functor.arity as usize);
        if self.database.get(id).is_system {
            return Err(LoadError::System {
                name: self.heap.name(functor.symbol).to_owned(),
                arity: functor.arity,
            });
        }
        Ok(id)
    }

    fn add_clause(
        &mut self,
        source: SourceId,
        clause: &Clause,
        number: usize,
    ) -> Result<(), LoadError> {
        let (too_complex, not_callable) = (
            LoadError::TooComplex { clause: number },
            LoadError::NotCallable { clause: number },
        );
        let Some(functor) = self.heap.store.functor(clause.head) else {
            return Err(not_callable);
        };
        if functor.arity > MAX_ARITY {
            return Err(too_complex);
        }
        let id = self.program_predicate(functor)?;
        // Clauses share no variables: each is built on an empty heap.
        self.heap.cells.clear();
        let mut variables = Vec::new();
        let head = self.heap.build(clause.head, &mut variables);
        let head = self.heap.expose(head);
        let mut goals = Vec::new();
        for &goal in &clause.body {
            goals.push(self.build_goal(goal, &mut variables));
        }
        let body = self.conjunction(&goals);
        let record = self.heap.record_clause(head, body);
        let origin = ClauseOrigin {
            source,
            span: clause.origin.span,
            literals: Box::default(),
        };
        let store = &mut self.heap.store;
        let clause = NewClause::last(record, Some(Box::new(origin)));
        match self.database.add(store, id, clause) {
            Ok(_) => Ok(()),
            Err(CompileError::TooComplex) => Err(too_complex),
            Err(CompileError::UnboundHead | CompileError::NotCallable) => Err(not_callable),
        }
    }

    /// A goal on the heap. The compiler looks into control constructs, so those and the goals in
    /// them are cells even where they are ground.
    fn build_goal(&mut self, root: TermId, variables: &mut Vec<Cell>) -> Cell {
        /// What is left to do: look at a goal, or build a construct of the last goals.
        enum GoalStep {
            Visit(TermId),
            Build(SymbolId, usize),
        }
        let mut steps = vec![GoalStep::Visit(root)];
        let mut built: Vec<Cell> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                GoalStep::Visit(goal) => match self.heap.store.functor(goal) {
                    Some(functor) if is_construct(functor) => {
                        let parts = self.heap.store.arguments(goal);
                        steps.push(GoalStep::Build(functor.symbol, parts.len()));
                        steps.extend(parts.iter().rev().map(|&part| GoalStep::Visit(part)));
                    }
                    Some(_) | None => {
                        let cell = self.heap.build(goal, variables);
                        built.push(self.heap.expose(cell));
                    }
                },
                GoalStep::Build(name, count) => {
                    let parts = built.split_off(built.len() - count);
                    built.push(self.heap.compound(name, &parts));
                }
            }
        }
        built
            .pop()
            .unwrap_or_else(|| unreachable!("the walk leaves one goal"))
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
        // Facts of a state are replaced in every step of a game: no dead clause is left to be passed over.
        self.database.compact(id);
        for &fact in facts {
            if self.heap.store.functor(fact) != Some(functor) || !self.heap.store.is_ground(fact) {
                continue;
            }
            let head = self.heap.cell_of(fact);
            let head = self.heap.expose(head);
            let record = self.heap.record_clause(head, Cell::atom(atoms::TRUE));
            // A ground fact always compiles, unless it has more arguments than registers.
            let _ = self
                .database
                .add(&mut self.heap.store, id, NewClause::last(record, None));
        }
        self.invalidate(id);
        self.tables.release();
        self.reset();
    }
}

/// Whether the arguments of a goal are goals that are compiled with it.
fn is_construct(goal: Functor) -> bool {
    matches!(
        (goal.symbol, goal.arity),
        (
            atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW,
            2
        ) | (atoms::NOT_PROVABLE, 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::prolog::{Reason, Solution};
    use crate::syntax::{Notation, parse};
    use crate::term::{Case, Lowering};

    fn load(machine: &mut Machine, text: &str) -> Result<(), LoadError> {
        let source = Source::new("rules", text);
        let parsed = parse(&source, Notation::Prolog);
        let mut lowering = Lowering::new(&parsed.document, &source, Case::Keep);
        let clauses = lowering.clauses(machine.store_mut());
        machine.add_clauses(&ClauseSet {
            source: &source,
            clauses: &clauses,
            tabled: &[],
            dynamic: &[],
        })
    }

    fn answers(machine: &mut Machine, goal: &str) -> Vec<String> {
        let Ok(mut solutions) = machine.query(goal, Limits::default()) else {
            unreachable!("{goal} is a goal")
        };
        let mut found = Vec::new();
        while let Solution::Answer(answer) = solutions.next_solution() {
            found.push(answer.to_string());
        }
        found
    }

    #[test]
    fn ground_conditions_are_goals() {
        let mut machine = Machine::new();
        let text = "p(X) :- \\+ q(a), (q(c) -> fail ; q(b), q(f(b))), X = g(b), \\+ (q(b), q(d)).
            q(b). q(f(b)).";
        assert_eq!(load(&mut machine, text), Ok(()));
        assert_eq!(answers(&mut machine, "p(X)"), ["X = g(b)"]);
    }

    #[test]
    fn a_source_replaces_what_it_gave_before() {
        let mut machine = Machine::new();
        assert_eq!(load(&mut machine, "q(1). q(2)."), Ok(()));
        assert_eq!(load(&mut machine, "\nq(3)."), Ok(()));
        assert_eq!(answers(&mut machine, "q(X)"), ["X = 3"]);
        let goal = machine.read_goal("q(3)").ok();
        let proof = goal.and_then(|goal| machine.why(goal, Limits::default()).ok()?);
        let Some(Reason::Clause(Some(place))) = proof.map(|proof| proof.nodes[0].reason) else {
            unreachable!("a fact is the proof")
        };
        assert_eq!(machine.place_text(place), "rules:2");
    }

    #[test]
    fn what_cannot_be_added_is_refused() {
        let mut machine = Machine::new();
        let system = LoadError::System {
            name: "append".to_owned(),
            arity: 3,
        };
        assert_eq!(load(&mut machine, "append(a, b, c)."), Err(system));
        let number = LoadError::NotCallable { clause: 1 };
        assert_eq!(load(&mut machine, "p. p :- q, 1."), Err(number));
        let wide = format!("p(0{}).", ",0".repeat(MAX_ARITY as usize));
        let too_complex = LoadError::TooComplex { clause: 0 };
        assert_eq!(load(&mut machine, &wide), Err(too_complex));
    }
}
