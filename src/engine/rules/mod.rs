//! Evaluation of safe rules: stratified programs all of whose answers are ground.
//!
//! The rules of games are of this kind, and almost all time is spent in them. Where the general
//! machine of [`crate::engine`] unifies terms on a heap, this evaluator joins relations: a term is
//! an id, a condition is a look-up by the arguments that are bound, and a clause is compiled for
//! each pattern of bound arguments it is called with. What does not depend on the state is
//! evaluated once; what does is tabled where that pays.
//!
//! Reading order: [`relation`], [`code`], [`machine`], [`tabling`]; then [`program`], [`plan`],
//! [`clause_code`], [`clause_terms`], [`compile`] for how rules get there.

mod clause_code;
mod clause_terms;
mod code;
mod compile;
mod machine;
mod plan;
mod program;
mod relation;
mod safety;
mod stacks;
mod table;
mod tabling;

use thiserror::Error;

use crate::engine::limits::{Limits, StopReason};
use crate::engine::rules::code::{Code, Lifetime, Procedure};
use crate::engine::rules::machine::Machine;
use crate::engine::rules::program::{MOVES, Predicate, Program};
use crate::engine::rules::relation::Relation;
use crate::engine::rules::stacks::Stacks;
use crate::engine::rules::table::Tables;
use crate::term::{Clause, Functor, Store, TermId};

pub use program::{Dynamic, MAX_NESTING};

/// The number of a fluent: dense, from 0, in order of first sight.
pub type FluentNumber = u32;

/// Steps that evaluating all answers of one predicate before the game may take; predicates that
/// need more are evaluated call by call.
const MATERIALIZATION_STEPS: u64 = 2_000_000;

/// Answers that one predicate may have to be kept as facts.
const MATERIALIZATION_ANSWERS: usize = 250_000;

/// Why rules cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A variable of the head or of `distinct` is bound by no condition.
    #[error("a variable is bound by no condition")]
    Unsafe {
        /// Index of the clause.
        clause: usize,
        /// Number of the variable.
        variable: u32,
    },
    /// Connectives are nested too deep.
    #[error("connectives are nested deeper than {limit}")]
    NestedTooDeep {
        /// Index of the clause.
        clause: usize,
        /// Levels that are allowed.
        limit: usize,
    },
}

/// Why an evaluation ended before all answers were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A limit was reached or somebody interrupted.
    #[error("{0}")]
    Stopped(StopReason),
    /// An atom depends on its own negation, so that it is neither true nor false.
    #[error("an atom depends on its own negation")]
    NegativeLoop {
        /// The predicate of the atom.
        predicate: Functor,
    },
    /// The variables that several `or` of one rule share would multiply its code beyond bounds.
    #[error("a rule has too many `or` that share variables with other conditions")]
    CodeTooLarge {
        /// The predicate of the rule.
        predicate: Functor,
    },
}

impl From<StopReason> for EvaluationError {
    fn from(reason: StopReason) -> Self {
        EvaluationError::Stopped(reason)
    }
}

/// A program of safe rules with a state and a joint move that can be changed.
#[derive(Clone, Debug)]
pub struct Rules {
    program: Program,
    code: Code,
    procedures: Vec<Procedure>,
    relations: Vec<Relation>,
    tables: Tables,
    stacks: Stacks,
    moves: Vec<u32>,
    steps: u64,
}

impl Rules {
    /// Takes a program in. State and moves are empty.
    ///
    /// # Errors
    /// [`RulesError`] if the rules are not safe or nested too deep. Whether negation is stratified
    /// is seen when atoms are evaluated: what counts is that no atom depends on its own negation.
    pub fn new(store: &Store, clauses: Vec<Clause>, dynamic: Dynamic) -> Result<Self, RulesError> {
        for (number, clause) in clauses.iter().enumerate() {
            program::check_nesting(store, clause, number)?;
        }
        safety::check(store, &clauses)?;
        let mut relations = Vec::new();
        let program = Program::new(store, clauses, dynamic, &mut relations)?;
        Ok(Self {
            program,
            code: Code::default(),
            procedures: Vec::new(),
            relations,
            tables: Tables::new(),
            stacks: Stacks::default(),
            moves: Vec::new(),
            steps: 0,
        })
    }

    /// Evaluates once and for all the predicates that do not depend on state and moves, as far as
    /// that is possible within bounds.
    ///
    /// # Errors
    /// The reason for which `limits.stop` was raised.
    pub fn materialize(
        &mut self,
        store: &mut Store,
        limits: &Limits,
    ) -> Result<(), EvaluationError> {
        let allowed = limits.steps.unwrap_or(u64::MAX);
        let bounded = Limits {
            steps: Some(allowed.min(MATERIALIZATION_STEPS)),
            ..limits.clone()
        };
        let components = self.program.components.clone();
        for functor in components.into_iter().flatten() {
            let lasting = match self.program.predicate(functor) {
                Some(Predicate::Rules {
                    lifetime: Lifetime::Game,
                    ..
                }) => true,
                Some(Predicate::Rules { .. } | Predicate::Facts(_)) | None => false,
            };
            if !lasting {
                continue;
            }
            let mut relation = Relation::new(functor.arity as usize);
            let mut full = false;
            let unbound = vec![None; functor.arity as usize];
            let outcome = self.solve(store, functor, &unbound, &bounded, &mut |store, answer| {
                let term = store.compound(functor.symbol, answer);
                let row = relation.row(answer, term);
                relation.insert(row);
                full = relation.len() > MATERIALIZATION_ANSWERS;
                !full
            });
            match outcome {
                Ok(()) if !full => {
                    self.relations.push(relation);
                    self.program
                        .set_facts(functor, self.relations.len() as u32 - 1);
                    self.forget_code();
                }
                Ok(()) | Err(EvaluationError::Stopped(StopReason::StepLimit(_))) => {}
                Err(error) => return Err(error),
            }
        }
        self.forget_code();
        Ok(())
    }

    /// Drops all code and tables, so that plans are made anew from what is known now.
    pub fn forget_code(&mut self) {
        self.code = Code::default();
        self.procedures.clear();
        self.program.forget_procedures();
        self.tables.drop_from(Lifetime::Game);
    }

    /// The number of a fluent, which becomes known.
    pub fn fluent(&mut self, store: &Store, term: TermId) -> FluentNumber {
        self.program.fluent(store, &mut self.relations, term)
    }

    /// Makes fluents true or false; everything that depends on the state is forgotten.
    pub fn change_state(&mut self, changes: impl IntoIterator<Item = (FluentNumber, bool)>) {
        self.tables.drop_from(Lifetime::State);
        for (fluent, holds) in changes {
            self.program.set_fluent(&mut self.relations, fluent, holds);
        }
    }

    /// Replaces the joint move: one list of arguments of `does` for each role.
    pub fn set_moves<'m>(
        &mut self,
        store: &mut Store,
        moves: impl IntoIterator<Item = &'m [TermId]>,
    ) {
        self.tables.drop_from(Lifetime::Move);
        let relation = &mut self.relations[MOVES as usize];
        for row in self.moves.drain(..) {
            relation.remove(row);
        }
        for arguments in moves {
            let term = store.compound(self.program.dynamic.moves.symbol, arguments);
            let row = relation.row(arguments, term);
            relation.insert(row);
            self.moves.push(row);
        }
    }

    /// Gives `sink` the answers of a call until it returns false: for each, the terms of the
    /// arguments that are `None` in `arguments`, in order of position. Answers may repeat.
    ///
    /// # Errors
    /// The reason for which the evaluation was stopped before its end.
    pub fn solve(
        &mut self,
        store: &mut Store,
        predicate: Functor,
        arguments: &[Option<TermId>],
        limits: &Limits,
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) -> Result<(), EvaluationError> {
        let keyed = arguments
            .iter()
            .take(relation::MAX_KEY_COLUMN + 1)
            .enumerate();
        let inputs = keyed
            .filter(|(_, argument)| argument.is_some())
            .fold(0, |mask, (position, _)| mask | 1 << position);
        let given: Vec<TermId> = arguments.iter().copied().flatten().collect();
        let procedure = self
            .program
            .procedure(&mut self.procedures, predicate, inputs);
        let mut machine = Machine {
            store,
            code: &mut self.code,
            procedures: &mut self.procedures,
            relations: &mut self.relations,
            tables: &mut self.tables,
            stacks: &mut self.stacks,
            compiler: &mut self.program,
            limits,
            steps: &mut self.steps,
        };
        let result = machine.solve(procedure, &given, sink);
        if matches!(result, Err(EvaluationError::CodeTooLarge { .. })) {
            // What was made of the rule so far is of no use to anybody.
            self.forget_code();
        }
        result
    }

    /// Whether a call without open arguments holds.
    ///
    /// # Errors
    /// The reason for which the evaluation was stopped before its end.
    pub fn holds(
        &mut self,
        store: &mut Store,
        predicate: Functor,
        arguments: &[TermId],
        limits: &Limits,
    ) -> Result<bool, EvaluationError> {
        let arguments: Vec<Option<TermId>> = arguments.iter().copied().map(Some).collect();
        let mut found = false;
        self.solve(store, predicate, &arguments, limits, &mut |_, _| {
            found = true;
            false
        })?;
        Ok(found)
    }
}
