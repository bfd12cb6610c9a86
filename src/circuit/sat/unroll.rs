//! The plays of a game of one player as clauses: the circuit once for each move.
//!
//! The fluents of a step are the successors of the step before, so that what cannot hold yet is no
//! variable but false, and takes with it what depends on it. A play goes on or is over; where it is
//! over, terminal holds. What comes after is not constrained.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::{Circuit, Move};
use crate::circuit::gates::Signal;
use crate::circuit::sat::cardinality::{Requirement, at_most_one};
use crate::circuit::sat::encode::Encoding;
use crate::circuit::sat::solver::{Answer, Literal, Solver};
use crate::circuit::sat::transition::require_state;
use crate::gdl::GoalValue;
use crate::limits::{StopFlag, StopReason};

/// Plays of fewer moves than there are steps.
pub(crate) struct Unrolling {
    circuit: Arc<Circuit>,
    /// What always holds of the fluents.
    invariants: Vec<Requirement>,
    solver: Solver,
    steps: Vec<UnrolledStep>,
    /// The fluents after the last step, by place.
    fluents: Vec<Literal>,
    /// What is to be assumed for an end that is worth at least so much.
    aims: Vec<(GoalValue, Literal)>,
}

/// A state on the way.
struct UnrolledStep {
    /// A move is made here.
    goes_on: Literal,
    /// The moves by place.
    made: Vec<Literal>,
    /// The payoffs by place; none where the game cannot be over.
    payoffs: Vec<Literal>,
}

impl Unrolling {
    /// Whether the clauses of a circuit say as much as it does: atoms do not depend on each other, and
    /// there is one player.
    pub(crate) fn is_for(circuit: &Circuit) -> bool {
        circuit.gates.loops().is_empty() && circuit.moves.len() == 1
    }

    /// Plays from a state, without steps so far.
    pub(crate) fn new(
        circuit: Arc<Circuit>,
        invariants: Vec<Requirement>,
        start: &FixedBitSet,
        stop: StopFlag,
    ) -> Self {
        let solver = Solver::new(stop, 0);
        let truth = solver.truth();
        let fluents = 0..circuit.fluents.len();
        let fluents = fluents.map(|place| truth.negated_if(!start.contains(place)));
        Self {
            fluents: fluents.collect(),
            circuit,
            invariants,
            solver,
            steps: Vec::new(),
            aims: Vec::new(),
        }
    }

    /// Number of steps: moves, and one more.
    pub(crate) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.solver.variables()
    }

    /// Assignments that were inferred so far.
    pub(crate) fn spent(&self) -> u64 {
        self.solver.spent()
    }

    /// Allows for one move more.
    pub(crate) fn extend(&mut self) {
        let circuit = Arc::clone(&self.circuit);
        let gates = &circuit.gates;
        let mut encoding = Encoding::new(gates);
        // The fluents are literals already: constants in the first step, outputs of the step before in all others.
        for (fluent, &literal) in circuit.fluents.iter().zip(&self.fluents) {
            encoding.bind(fluent.holds, literal);
        }
        let solver = &mut self.solver;
        let terminal = encoding.literal(solver, gates, circuit.terminal);
        // Where the state cannot be terminal, its payoffs are of no interest, and their gates get no variables.
        let payoffs = if terminal == !solver.truth() {
            Vec::new()
        } else {
            let payoffs = circuit.goals.iter().flatten();
            payoffs
                .map(|payoff| encoding.literal(solver, gates, payoff.signal))
                .collect()
        };
        let goes_on = self.go_on(terminal);
        let moves: &[Move] = circuit.moves.first().map_or(&[], Vec::as_slice);
        let made = self.make_one(&mut encoding, moves, goes_on);
        let solver = &mut self.solver;
        let fluents = circuit.fluents.iter();
        let next = fluents.map(|fluent| encoding.literal(solver, gates, fluent.next));
        self.fluents = next.collect();
        // Redundant, as the fluents follow from the moves, and worth it: what invariants exclude need not be
        // searched.
        for invariant in &self.invariants {
            invariant.require(solver, goes_on, &self.fluents);
        }
        self.steps.push(UnrolledStep {
            goes_on,
            made,
            payoffs,
        });
        let last = self.steps.len() - 1;
        // Aims that are known get their clause for the new step, too.
        for (value, aim) in self.aims.clone() {
            self.tie(value, aim, last);
        }
    }

    /// Whether the play goes on behind the last step, given whether the state there is terminal.
    fn go_on(&mut self, terminal: Literal) -> Literal {
        // goes_on(t) ↔ goes_on(t−1) ∧ ¬terminal(t). The three clauses are the two directions; the play is a prefix,
        // after which nothing is required.
        let solver = &mut self.solver;
        let goes_on = solver.variable();
        solver.require([!goes_on, !terminal]);
        let last = self.steps.last();
        let before = last.map_or(solver.truth(), |before| before.goes_on);
        solver.require([!goes_on, before]);
        solver.require([!before, goes_on, terminal]);
        goes_on
    }

    /// Requires one legal move while the play goes on; gives the literals of all moves.
    fn make_one(
        &mut self,
        encoding: &mut Encoding,
        moves: &[Move],
        goes_on: Literal,
    ) -> Vec<Literal> {
        let (solver, gates) = (&mut self.solver, &self.circuit.gates);
        let legal = moves.iter();
        let legal: Vec<Literal> = legal
            .map(|mv| encoding.literal(solver, gates, mv.legal))
            .collect();
        let mut made = Vec::with_capacity(moves.len());
        for (mv, legal) in moves.iter().zip(legal) {
            // A move that can never be legal here stays false, and is not encoded.
            let literal = if legal == !solver.truth() {
                legal
            } else {
                solver.choice()
            };
            encoding.bind(mv.made, literal);
            solver.require([!literal, legal]);
            solver.require([!literal, goes_on]);
            made.push(literal);
        }
        // Exactly one move while the play goes on: some of them, and at most one.
        let some: Vec<Literal> = made
            .iter()
            .copied()
            .filter(|&literal| literal != !solver.truth())
            .collect();
        solver.require(some.iter().copied().chain([!goes_on]));
        at_most_one(solver, goes_on, &some);
        made
    }

    /// Whether a play of at most so many moves ends with at least this value, as far as so many assignments
    /// tell. There must be a step more than moves.
    pub(crate) fn ask(&mut self, least: GoalValue, moves: usize, steps: u64) -> Answer {
        self.solver.grant(steps);
        let aim = self.aim(least);
        // "At most so many moves" is assumed and not required, so that the same clauses serve the next question.
        let last = self.steps.get(moves).map(|step| !step.goes_on);
        let assumed: Vec<Literal> = last.into_iter().chain([aim]).collect();
        self.solver.ask(&assumed)
    }

    /// Whether a play can go on after so many moves, as far as so many assignments tell.
    pub(crate) fn goes_on(&mut self, moves: usize, steps: u64) -> Answer {
        self.solver.grant(steps);
        let last = self.steps.get(moves).map(|step| step.goes_on);
        let assumed: Vec<Literal> = last.into_iter().collect();
        self.solver.ask(&assumed)
    }

    /// The play that was found last: moves by place.
    pub(crate) fn play(&self) -> Vec<usize> {
        let steps = self.steps.iter();
        let steps = steps.take_while(|step| self.solver.value(step.goes_on));
        let made = |step: &UnrolledStep| step.made.iter().position(|&made| self.solver.value(made));
        steps.filter_map(made).collect()
    }

    /// What is assumed for ends of at least this value.
    fn aim(&mut self, least: GoalValue) -> Literal {
        let known = self.aims.iter().find(|&&(value, _)| value == least);
        if let Some(&(_, aim)) = known {
            return aim;
        }
        let aim = self.solver.variable();
        self.aims.push((least, aim));
        for step in 0..self.steps.len() {
            self.tie(least, aim, step);
        }
        aim
    }

    /// An end at this step is worth enough if that is aimed at.
    fn tie(&mut self, least: GoalValue, aim: Literal, step: usize) {
        let UnrolledStep {
            goes_on, payoffs, ..
        } = &self.steps[step];
        if payoffs.is_empty() {
            return;
        }
        // Not goes_on, but the step before goes on: the play ends here. Then one of the payoffs that are enough
        // must hold.
        let before = step.checked_sub(1).map(|step| !self.steps[step].goes_on);
        let enough = enough(&self.circuit, least).map(|(place, _)| payoffs[place]);
        let clause = before.into_iter().chain([*goes_on, !aim]).chain(enough);
        self.solver.require(clause);
    }
}

/// A state that satisfies the invariants, reachable or not, that is an end of at least this value; nothing if there
/// is none. Gives the fluents that it has, by place.
///
/// # Errors
/// [`StopReason`] if the solver may infer no more.
pub(crate) fn ending<'r>(
    circuit: &Circuit,
    invariants: impl IntoIterator<Item = &'r Requirement>,
    least: GoalValue,
    solver: &mut Solver,
) -> Result<Option<FixedBitSet>, StopReason> {
    let mut encoding = Encoding::new(&circuit.gates);
    let fluents = require_state(circuit, invariants, solver, &mut encoding);
    let mut literal =
        |solver: &mut Solver, signal| encoding.literal(solver, &circuit.gates, signal);
    let enough = enough(circuit, least).map(|(_, signal)| literal(solver, signal));
    let enough: Vec<Literal> = enough.collect();
    solver.require(enough);
    let terminal = literal(solver, circuit.terminal);
    match solver.ask(&[terminal]) {
        Answer::Satisfiable => Ok(Some(solver.held(&fluents))),
        Answer::Unsatisfiable => Ok(None),
        Answer::Stopped(reason) => Err(reason),
    }
}

/// The payoffs of at least this value, by place.
fn enough(circuit: &Circuit, least: GoalValue) -> impl Iterator<Item = (usize, Signal)> {
    let payoffs = circuit.goals.iter().flatten().enumerate();
    payoffs
        .filter(move |(_, payoff)| payoff.value.is_some_and(|value| value >= least))
        .map(|(place, payoff)| (place, payoff.signal))
}
