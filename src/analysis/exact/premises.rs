//! What is assumed of a state and a joint move: invariants, no end yet, one legal move a role.

use crate::analysis::invariants::requirements;
use crate::circuit::Circuit;
use crate::circuit::sat::{Encoding, Literal, Solver, require_move};
use crate::fluent::GameAxioms;
use crate::term::{Store, TermId};

/// Requires what always holds where a move is made. For every invariant there is a literal that has to be
/// assumed, so that it can be told which ones were of use.
pub(super) fn require_premises(
    store: &Store,
    axioms: &GameAxioms,
    circuit: &Circuit,
    (solver, encoding): (&mut Solver, &mut Encoding),
) -> Vec<Literal> {
    require_move(circuit, solver, encoding);
    let fluents = circuit.fluents.iter();
    let held = fluents.map(|fluent| encoding.literal(solver, &circuit.gates, fluent.holds));
    let held: Vec<Literal> = held.collect();
    let terms = circuit.fluents.iter().map(|fluent| fluent.term);
    let terms: Vec<TermId> = terms.collect();
    let invariants = requirements(store, axioms, &terms);
    let conditions = invariants.iter().map(|requirements| {
        // Assumed instead of required: an assumption that a refutation does not blame was not needed.
        let condition = solver.variable();
        for requirement in requirements {
            requirement.require(solver, condition, &held);
        }
        condition
    });
    conditions.collect()
}
