//! The evaluator: a program with a state and a joint move, and the answers of its predicates.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::limits::{Limits, StopReason};
use crate::rules::code::{Code, Lifetime, Procedure, RelationId};
use crate::rules::error::{EvaluationError, RulesError};
use crate::rules::machine::Machine;
use crate::rules::maintenance::{Halt, Maintenance, PlanAddress, Site, Unmaintained};
use crate::rules::plan::Planner;
use crate::rules::program::{self, Dynamic, FLUENTS, FluentNumber, MOVES, Predicate, Program};
use crate::rules::relation::{Columns, MAX_KEY_COLUMN, Relation, RowId};
use crate::rules::safety;
use crate::rules::stacks::Stacks;
use crate::rules::table::Tables;
use crate::term::{Clause, Functor, Store, TermId};

/// Steps that evaluating all answers of one predicate before the game may take; predicates that
/// need more are evaluated call by call.
const MATERIALIZATION_STEPS: u64 = 2_000_000;

/// Answers that one predicate may have to be kept as facts.
const MATERIALIZATION_ANSWERS: usize = 250_000;

/// Steps of maintenance that one change of state may take; if it needs more, maintenance ends.
const MAINTENANCE_STEPS: u64 = 10_000_000;

/// A program of safe rules with a state and a joint move that can be changed.
#[derive(Clone, Debug)]
pub struct Rules {
    program: Program,
    code: Code,
    procedures: Vec<Procedure>,
    relations: Vec<Relation>,
    tables: Tables,
    stacks: Stacks,
    /// The rows of the moves made.
    moves: Vec<RowId>,
    steps: u64,
    maintenance: Option<Box<Maintenance>>,
    /// Why maintenance ended, if it did.
    refusal: Option<Unmaintained>,
    /// Relations that nothing uses any more.
    spare: Vec<RelationId>,
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
            maintenance: None,
            refusal: None,
            spare: Vec::new(),
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
        // Callees first: what the callees come to is a relation already when their callers are evaluated.
        let components = self.program.components.clone();
        for functor in components.into_iter().flatten() {
            let is_static = match self.program.predicate(functor) {
                Some(Predicate::Rules {
                    lifetime: Lifetime::Game,
                    ..
                }) => true,
                Some(Predicate::Rules { .. } | Predicate::Facts(_)) | None => false,
            };
            if !is_static {
                continue;
            }
            let mut relation = Relation::new(functor.arity as usize);
            let mut full = false;
            let unbound = vec![None; functor.arity as usize];
            let outcome = self.solve(store, functor, &unbound, &bounded, &mut |store, answer| {
                let term = store.compound(functor.symbol, answer);
                let row = relation.row(answer, term);
                relation.insert(row);
                // One answer more than is allowed shows that there are too many; the rules then stay as they are.
                full = relation.len() > MATERIALIZATION_ANSWERS;
                !full
            });
            match outcome {
                Ok(()) if !full => {
                    self.relations.push(relation);
                    self.program
                        .set_facts(functor, RelationId::of(self.relations.len() - 1));
                    // Code that called the predicate now scans its rows, and plans are made with their number.
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

    /// Makes fluents true or false; everything that depends on the state is forgotten, or brought
    /// up to date if it is maintained.
    pub fn change_state(
        &mut self,
        store: &mut Store,
        changes: impl IntoIterator<Item = (FluentNumber, bool)>,
        limits: &Limits,
    ) {
        // Tables of the state and of the joint move, which are the last two spaces.
        self.tables.drop_from(Lifetime::State);
        if self.maintenance.is_none() {
            for (fluent, holds) in changes {
                self.program.set_fluent(&mut self.relations, fluent, holds);
            }
            return;
        }
        let changes: Vec<(FluentNumber, bool)> = changes.into_iter().collect();
        if let Err(halt) = self.pass_on(store, &changes, limits) {
            self.refusal = match halt {
                Halt::Refused(refusal) => Some(refusal),
                Halt::Stopped => None,
            };
            // The state is what counts; what follows from it is evaluated from now on.
            // The views are half changed. The predicates get their rules back, and the fluents are set below, those
            // included that were passed on before the halt.
            self.end_maintenance(store);
            for (fluent, holds) in changes {
                self.program.set_fluent(&mut self.relations, fluent, holds);
            }
        }
    }

    fn pass_on(
        &mut self,
        store: &mut Store,
        changes: &[(FluentNumber, bool)],
        limits: &Limits,
    ) -> Result<(), Halt> {
        let Some(maintenance) = &mut self.maintenance else {
            return Ok(());
        };
        let relations = &mut self.relations;
        maintenance.allow(MAINTENANCE_STEPS);
        // Fluents that do not change cost nothing, and the views see each change between two consistent states.
        for &(fluent, holds) in changes {
            if relations[FLUENTS.index()].is_present(fluent.0) == holds {
                continue;
            }
            // A fluent has two rows: one among all fluents, for `true(?f)`, and one in the relation of its functor.
            maintenance.change(store, relations, (FLUENTS, fluent.0, holds), limits)?;
            if let Some((relation, row)) = self.program.home(fluent) {
                maintenance.change(store, relations, (relation, row, holds), limits)?;
            }
        }
        maintenance.propagate(store, relations, limits)
    }

    /// The predicates that depend on the state and not on moves, callees first: those that can be
    /// maintained, unless something speaks against it.
    pub fn maintainable(&self) -> Vec<Functor> {
        let predicates = self.program.components.iter().flatten().copied();
        predicates
            .filter(|&functor| {
                self.maintained().contains(&functor)
                    || matches!(
                        self.program.predicate(functor),
                        Some(Predicate::Rules {
                            lifetime: Lifetime::State,
                            ..
                        })
                    )
            })
            .collect()
    }

    /// The predicates that are maintained, callees first.
    pub fn maintained(&self) -> Vec<Functor> {
        self.maintenance
            .as_ref()
            .map_or_else(Vec::new, |maintenance| maintenance.predicates().collect())
    }

    /// The predicate because of which maintenance ended in a change of state, if it did.
    pub fn refusal(&self) -> Option<Unmaintained> {
        self.refusal
    }

    /// Steps of evaluation and of maintenance made so far.
    pub fn work(&self) -> (u64, u64) {
        let maintenance = self.maintenance.as_ref();
        (self.steps, maintenance.map_or(0, |views| views.work()))
    }

    /// Keeps the answers of some predicates up to date from now on, whenever the state changes,
    /// and of no others. Whatever depends on the state and is called by them must be among them.
    ///
    /// # Errors
    /// The predicate that cannot be maintained, and why; then none is. None if `limits.stop` was
    /// raised.
    pub fn maintain(
        &mut self,
        store: &mut Store,
        predicates: &[Functor],
        limits: &Limits,
    ) -> Result<(), Option<Unmaintained>> {
        self.end_maintenance(store);
        self.refusal = None;
        if predicates.is_empty() {
            return Ok(());
        }
        let fluents: Vec<(FluentNumber, bool)> = self.relations[FLUENTS.index()]
            .present_rows()
            .map(|row| (FluentNumber(row), true))
            .collect();
        // The views start from the empty state, in which they are known to be right, and then the fluents of the
        // present one come as changes.
        for &(fluent, _) in &fluents {
            self.program.set_fluent(&mut self.relations, fluent, false);
        }
        let predicates: FxHashSet<Functor> = predicates.iter().copied().collect();
        let result = self.start_maintenance(store, &predicates, limits);
        let result = result.and_then(|()| self.pass_on(store, &fluents, limits));
        self.tables.drop_from(Lifetime::State);
        match result {
            Ok(()) => {
                // Plans are better when it is known how many rows there are.
                self.compile_maintenance(store);
                self.forget_code();
                Ok(())
            }
            // With the views gone the fluents are made true directly.
            Err(halt) => {
                self.end_maintenance(store);
                for (fluent, holds) in fluents {
                    self.program.set_fluent(&mut self.relations, fluent, holds);
                }
                Err(match halt {
                    Halt::Refused(refusal) => Some(refusal),
                    Halt::Stopped => None,
                })
            }
        }
    }

    fn start_maintenance(
        &mut self,
        store: &mut Store,
        predicates: &FxHashSet<Functor>,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let maintenance = Maintenance::new(&mut self.site(store), predicates);
        self.maintenance = Some(Box::new(maintenance.map_err(Halt::Refused)?));
        let wholes = self.compile_maintenance(store);
        let Some(maintenance) = &mut self.maintenance else {
            return Ok(());
        };
        maintenance.allow(MAINTENANCE_STEPS);
        maintenance.start(store, &mut self.relations, wholes, limits)
    }

    fn compile_maintenance(&mut self, store: &Store) -> Vec<PlanAddress> {
        let Some(maintenance) = &mut self.maintenance else {
            return Vec::new();
        };
        maintenance.compile(&mut Planner {
            store,
            program: &mut self.program,
            relations: &mut self.relations,
            procedures: &mut self.procedures,
        })
    }

    /// Evaluates all predicates from now on.
    fn end_maintenance(&mut self, store: &Store) {
        if let Some(mut maintenance) = self.maintenance.take() {
            maintenance.dismantle(&mut self.site(store));
            self.tables.drop_from(Lifetime::State);
            self.forget_code();
        }
    }

    fn site<'s>(&'s mut self, store: &'s Store) -> Site<'s> {
        Site {
            store,
            program: &mut self.program,
            relations: &mut self.relations,
            procedures: &mut self.procedures,
            spare: &mut self.spare,
        }
    }

    /// Replaces the joint move: one list of arguments of `does` for each role.
    pub fn set_moves<'m>(
        &mut self,
        store: &mut Store,
        moves: impl IntoIterator<Item = &'m [TermId]>,
    ) {
        self.tables.drop_from(Lifetime::Move);
        let relation = &mut self.relations[MOVES.index()];
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
        let inputs = arguments.iter().enumerate();
        let inputs = inputs.filter(|(_, argument)| argument.is_some());
        let inputs = Columns::of(inputs.map(|(position, _)| position));
        let given: Vec<TermId> = arguments.iter().copied().flatten().collect();
        // What is kept as rows needs neither code nor stacks.
        if let Some(&Predicate::Facts(relation)) = self.program.predicate(predicate)
            && arguments.len() <= MAX_KEY_COLUMN
        {
            self.look_up(store, relation, arguments, (inputs, &given), sink);
            return Ok(());
        }
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

    /// The answers of a call of a predicate that is kept as rows.
    fn look_up(
        &mut self,
        store: &mut Store,
        relation: RelationId,
        arguments: &[Option<TermId>],
        (columns, key): (Columns, &[TermId]),
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) {
        let relation = &mut self.relations[relation.index()];
        let index = relation.index(columns);
        let Some(bucket) = relation.bucket(index, key) else {
            return;
        };
        let free = arguments.iter().enumerate();
        let free = free.filter(|(_, argument)| argument.is_none());
        let free: Vec<usize> = free.map(|(column, _)| column).collect();
        for &row in relation.rows(index, bucket) {
            self.steps += 1;
            let cells = relation.cells(row);
            let answer = self.stacks.answer.resize(free.len());
            for (output, &column) in answer.iter_mut().zip(&free) {
                *output = cells[column];
            }
            if !sink(store, self.stacks.answer.cells()) {
                return;
            }
        }
    }

    /// The arguments of all answers of a predicate, each once, in order of discovery.
    ///
    /// # Errors
    /// The reason for which the evaluation was stopped before its end.
    pub fn answers(
        &mut self,
        store: &mut Store,
        predicate: Functor,
        limits: &Limits,
    ) -> Result<IndexSet<Box<[TermId]>, FxBuildHasher>, EvaluationError> {
        let mut answers = IndexSet::default();
        let unbound = vec![None; predicate.arity as usize];
        self.solve(store, predicate, &unbound, limits, &mut |_, answer| {
            answers.insert(answer.into());
            true
        })?;
        Ok(answers)
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
