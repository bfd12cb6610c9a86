//! How large a circuit is.

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Loop, Signal};

/// The size of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitSize {
    /// Conjunctions.
    pub gates: usize,
    /// Their inputs, all counted.
    pub inputs: usize,
    /// Conjunctions on the longest way from a fluent or move to a result; a loop is passed once.
    pub depth: usize,
    /// Groups of atoms that depend on each other.
    pub loops: usize,
    /// Atoms in loops.
    pub variables: usize,
    /// Memory that the gates take.
    pub bytes: usize,
}

impl CircuitSize {
    /// Measures a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let gates = &circuit.gates;
        let mut level = vec![0usize; gates.len()];
        let mut conjunctions = 0;
        for gate in 1..gates.len() {
            if gates.gate(gate) == Gate::And {
                conjunctions += 1;
                let below = gates.inputs(gate).iter().map(|input| level[input.gate()]);
                level[gate] = below.max().unwrap_or(0) + 1;
            }
        }
        let variables = |looped: &Loop| looped.variables.len();
        Self {
            gates: conjunctions,
            inputs: gates.edges(),
            depth: level.into_iter().max().unwrap_or(0),
            loops: gates.loops().len(),
            variables: gates.loops().iter().map(variables).sum(),
            bytes: gates.len() * (size_of::<Gate>() + 3 * size_of::<u32>())
                + gates.edges() * size_of::<Signal>(),
        }
    }
}
