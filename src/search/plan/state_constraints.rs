//! What is known of all states of a game before plays are planned: which values some state may have, in
//! which states a play may end, and which fluents exclude each other or are never lost.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::analysis::requirements;
use crate::circuit::Circuit;
use crate::circuit::sat::{Mutexes, Requirement, Solver, Unrolling, ending, persistent_fluents};
use crate::fluent::GameAxioms;
use crate::gdl::{FluentId, GoalValue, Reasoner, State};
use crate::search::halt::Halt;
use crate::search::plan::problem::{Problem, Scope};
use crate::term::TermId;

/// Assignments for the question whether there is a state with a value.
const STEPS_OF_STATES: u64 = 1_000_000;

/// States that are visited for fluents that do not exclude each other.
const SAMPLES: usize = 5_000;

/// Assignments after which it is done without pairs that exclude each other.
const STEPS_OF_MUTEXES: u64 = 20_000_000;

/// What is known of all states.
pub(super) struct StateConstraints {
    circuit: Arc<Circuit>,
    /// The fluents by place.
    fluents: Vec<FluentId>,
    invariants: Vec<Requirement>,
    /// Pairs that are not yet known to exclude each other; none if there are too many of them.
    mutexes: Option<Mutexes>,
}

impl StateConstraints {
    /// What the axioms say, and pairs that a few plays do not deny.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached.
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        circuit: Arc<Circuit>,
        axioms: Option<&GameAxioms>,
    ) -> Result<Self, Halt> {
        let vocabulary = problem.vocabulary_mut();
        let terms = circuit.fluents.iter().map(|fluent| fluent.term);
        let terms: Vec<TermId> = terms.collect();
        let fluents = terms.iter().map(|&term| vocabulary.fluent(term));
        let fluents: Vec<FluentId> = fluents.collect();
        let store = vocabulary.store();
        let invariants = axioms.map(|axioms| requirements(store, axioms, &terms));
        let start = places(&fluents, problem.start());
        let mut mutexes = Mutexes::candidates(&circuit, &start);
        // A pair that holds together in some reachable state is no mutex; what remains is still to be proved.
        if let Some(mutexes) = &mut mutexes {
            random_walk(problem, |state| mutexes.strike(&places(&fluents, state)))?;
        }
        Ok(Self {
            circuit,
            fluents,
            invariants: invariants.into_iter().flatten().flatten().collect(),
            mutexes,
        })
    }

    /// The values that some state may have, ascending.
    ///
    /// # Errors
    /// [`Halt`] if somebody stops it.
    pub(super) fn values<R: Reasoner>(
        &self,
        problem: &Problem<'_, R>,
    ) -> Result<Vec<GoalValue>, Halt> {
        let payoffs = self.circuit.goals.iter().flatten();
        let mut values: Vec<GoalValue> = payoffs.filter_map(|payoff| payoff.value).collect();
        values.sort_unstable();
        values.dedup();
        // From the highest value down: a value that no state can have, reachable or not, is struck out.
        while let Some(&highest) = values.last() {
            let mut solver = Solver::new(problem.stop(), STEPS_OF_STATES);
            let end = ending(&self.circuit, &self.invariants, highest, &mut solver);
            problem.poll()?;
            // Known or unknown, the question is over; only a proof of impossibility goes on.
            if end != Ok(None) {
                break;
            }
            values.pop();
        }
        Ok(values)
    }

    /// A state with at least this value in which a play may end, as far as is known of all states.
    ///
    /// # Errors
    /// [`Halt`] if somebody stops it.
    pub(super) fn end<R: Reasoner>(
        &self,
        problem: &Problem<'_, R>,
        least: GoalValue,
    ) -> Result<Option<State>, Halt> {
        let start = places(&self.fluents, problem.start());
        let mut solver = Solver::new(problem.stop(), STEPS_OF_STATES);
        let persistent = persistent_fluents(&self.circuit, &self.invariants, &start, &mut solver);
        problem.poll()?;
        // What is never lost holds at the end of every play.
        let kept: Vec<Requirement> = persistent
            .unwrap_or_default()
            .ones()
            .map(|place| Requirement::Some(vec![place]))
            .collect();
        let invariants = self.invariants.iter().chain(&kept);
        let mut solver = Solver::new(problem.stop(), STEPS_OF_STATES);
        let end = ending(&self.circuit, invariants, least, &mut solver);
        problem.poll()?;
        let end = end.ok().flatten();
        Ok(end.map(|places| places.ones().map(|place| self.fluents[place]).collect()))
    }

    /// Plays of no moves, with all invariants; nothing yet if so many assignments are not enough to prove
    /// them.
    ///
    /// # Errors
    /// [`Halt`] if somebody stops it.
    pub(super) fn plays<R: Reasoner>(
        &mut self,
        problem: &Problem<'_, R>,
        steps: u64,
    ) -> Result<Option<Unrolling>, Halt> {
        let stop = problem.stop();
        if let Some(mutexes) = &mut self.mutexes {
            let is_proved = mutexes.prove(&self.circuit, &self.invariants, &stop, steps);
            problem.poll()?;
            // The proof can be continued with more work, up to a bound; then plays do without.
            match is_proved {
                Ok(()) => self.invariants.extend(mutexes.pairs()),
                Err(_) if steps < STEPS_OF_MUTEXES => return Ok(None),
                Err(_) => {}
            }
            self.mutexes = None;
        }
        let start = places(&self.fluents, problem.start());
        let (circuit, invariants) = (Arc::clone(&self.circuit), self.invariants.clone());
        Ok(Some(Unrolling::new(circuit, invariants, &start, stop)))
    }
}

/// Makes moves at random, and shows every state.
fn random_walk<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    mut show: impl FnMut(&State),
) -> Result<(), Halt> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let (start, mut moves) = (problem.start().clone(), Vec::new());
    let mut state = start.clone();
    for _ in 0..SAMPLES {
        show(&state);
        moves.clear();
        if !problem.is_terminal(&state)? {
            problem.legal_moves(&state, &mut moves)?;
        }
        // An end, or a state without moves, starts the walk again.
        let choice = problem.vocabulary_mut().choose(&moves, random.random());
        state = match choice {
            Some(mv) => problem.successor(&state, mv, Scope::Global)?,
            None => start.clone(),
        };
    }
    Ok(())
}

/// The fluents of a state, by place.
fn places(fluents: &[FluentId], state: &State) -> FixedBitSet {
    let mut places = FixedBitSet::with_capacity(fluents.len());
    let held = fluents.iter().enumerate();
    let held = held.filter(|&(_, &fluent)| state.contains(fluent));
    places.extend(held.map(|(place, _)| place));
    places
}
