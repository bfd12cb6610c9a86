//! A state, a joint move that can be made in it, and the state after it.

use crate::circuit::assemble::Circuit;
use crate::circuit::sat::cardinality::{Requirement, at_most_one};
use crate::circuit::sat::encode::Encoding;
use crate::circuit::sat::solver::{Literal, Solver};

/// Requires that the game is not over, and that every role makes exactly one move, which is legal.
pub(crate) fn require_move(circuit: &Circuit, solver: &mut Solver, encoding: &mut Encoding) {
    require_one_move(circuit, solver, encoding);
    require_legal_moves(circuit, solver, encoding);
}

/// Requires that every role makes exactly one move, legal or not.
pub(crate) fn require_one_move(circuit: &Circuit, solver: &mut Solver, encoding: &mut Encoding) {
    for moves in &circuit.moves {
        let made = moves
            .iter()
            .map(|mv| encoding.literal(solver, &circuit.gates, mv.made));
        let made: Vec<Literal> = made.collect();
        let always = solver.truth();
        at_most_one(solver, always, &made);
        solver.require(made);
    }
}

/// Requires that the game is not over, and that the moves made are legal.
pub(crate) fn require_legal_moves(circuit: &Circuit, solver: &mut Solver, encoding: &mut Encoding) {
    let gates = &circuit.gates;
    for mv in circuit.moves.iter().flatten() {
        let made = encoding.literal(solver, gates, mv.made);
        let legal = encoding.literal(solver, gates, mv.legal);
        solver.require([!made, legal]);
    }
    let terminal: Literal = encoding.literal(solver, gates, circuit.terminal);
    solver.require([!terminal]);
}

/// The fluents, by place, of a state that satisfies the invariants.
pub(super) fn require_state<'r>(
    circuit: &Circuit,
    invariants: impl IntoIterator<Item = &'r Requirement>,
    solver: &mut Solver,
    encoding: &mut Encoding,
) -> Vec<Literal> {
    let fluents = circuit.fluents.iter();
    let now = fluents.map(|fluent| encoding.literal(solver, &circuit.gates, fluent.holds));
    let now: Vec<Literal> = now.collect();
    let always = solver.truth();
    for invariant in invariants {
        invariant.require(solver, always, &now);
    }
    now
}

/// The fluents, by place, of a state that satisfies the invariants, and of the one after a joint move.
pub(crate) struct Transition {
    pub(crate) now: Vec<Literal>,
    pub(crate) next: Vec<Literal>,
}

impl Transition {
    pub(crate) fn new<'r>(
        circuit: &Circuit,
        invariants: impl IntoIterator<Item = &'r Requirement>,
        solver: &mut Solver,
    ) -> Self {
        let mut encoding = Encoding::new(&circuit.gates);
        let now = require_state(circuit, invariants, solver, &mut encoding);
        require_move(circuit, solver, &mut encoding);
        let fluents = circuit.fluents.iter();
        let next = fluents.map(|fluent| encoding.literal(solver, &circuit.gates, fluent.next));
        let next = next.collect();
        Self { now, next }
    }

    /// A move that follows another one.
    pub(crate) fn after<'r>(
        before: &Self,
        circuit: &Circuit,
        invariants: impl IntoIterator<Item = &'r Requirement>,
        solver: &mut Solver,
    ) -> Self {
        let after = Self::new(circuit, invariants, solver);
        for (&one, &other) in before.next.iter().zip(&after.now) {
            solver.require([!one, other]);
            solver.require([one, !other]);
        }
        after
    }
}
