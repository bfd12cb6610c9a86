//! A state and a joint move that can be made in it.

use crate::circuit::assemble::Circuit;
use crate::circuit::sat::cardinality::at_most_one;
use crate::circuit::sat::encode::Encoding;
use crate::circuit::sat::solver::{Literal, Solver};

/// Requires that the game is not over, and that every role makes exactly one move, which is legal.
pub(crate) fn require_move(circuit: &Circuit, solver: &mut Solver, encoding: &mut Encoding) {
    let gates = &circuit.gates;
    for moves in &circuit.moves {
        let mut choices = Vec::with_capacity(moves.len());
        for mv in moves {
            let made = encoding.literal(solver, gates, mv.made);
            let legal = encoding.literal(solver, gates, mv.legal);
            solver.require([!made, legal]);
            choices.push(made);
        }
        solver.require(choices.iter().copied());
        let always = solver.truth();
        at_most_one(solver, always, &choices);
    }
    let terminal: Literal = encoding.literal(solver, gates, circuit.terminal);
    solver.require([!terminal]);
}
