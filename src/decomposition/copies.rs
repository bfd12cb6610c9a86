//! Copies of a circuit in one solver, for questions about several states of a game at once.

use crate::circuit::sat::{Encoding, Literal, Requirement, Solver};
use crate::circuit::{Circuit, Signal};

/// A state that satisfies the invariants, and what follows from it.
pub(super) struct CircuitCopy {
    pub(super) encoding: Encoding,
    /// By place.
    pub(super) fluents: Vec<Literal>,
}

impl CircuitCopy {
    /// The state with these fluents, by place.
    pub(super) fn new(
        circuit: &Circuit,
        invariants: &[Requirement],
        solver: &mut Solver,
        fluents: Vec<Literal>,
    ) -> Self {
        let mut encoding = Encoding::new(&circuit.gates);
        for (fluent, &literal) in circuit.fluents.iter().zip(&fluents) {
            if fluent.holds.constant().is_none() {
                encoding.bind(fluent.holds, literal);
            }
        }
        let always = solver.truth();
        for invariant in invariants {
            invariant.require(solver, always, &fluents);
        }
        Self { encoding, fluents }
    }

    /// The literal of a signal in this state.
    pub(super) fn literal(
        &mut self,
        circuit: &Circuit,
        solver: &mut Solver,
        signal: Signal,
    ) -> Literal {
        self.encoding.literal(solver, &circuit.gates, signal)
    }

    /// The state in the values found last: the fluents, by place.
    pub(super) fn state(&self, solver: &Solver) -> Vec<bool> {
        self.fluents
            .iter()
            .map(|&fluent| solver.value(fluent))
            .collect()
    }

    /// A literal that is true if and only if one of some signals is.
    pub(super) fn any(
        &mut self,
        circuit: &Circuit,
        solver: &mut Solver,
        signals: impl IntoIterator<Item = Signal>,
    ) -> Literal {
        let some = solver.variable();
        let mut inputs = Vec::new();
        for signal in signals {
            let literal = self.literal(circuit, solver, signal);
            solver.require([!literal, some]);
            inputs.push(literal);
        }
        solver.require(inputs.into_iter().chain([!some]));
        some
    }
}

/// Fluents of a state by place: a literal each, the same one as in another state where that is said.
pub(super) fn fluents(
    circuit: &Circuit,
    solver: &mut Solver,
    common: impl Fn(usize) -> Option<Literal>,
) -> Vec<Literal> {
    let places = circuit.fluents.iter().enumerate();
    places
        .map(|(place, fluent)| match fluent.holds.constant() {
            Some(value) => solver.truth().negated_if(!value),
            None => common(place).unwrap_or_else(|| solver.variable()),
        })
        .collect()
}
