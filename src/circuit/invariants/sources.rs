//! Which fluents the next value of a fluent is computed from, by the gates that lead to it.
//!
//! The gates pass on sets of fluents, inputs first, 256 fluents at a time: a pass over the gates of a game of
//! 10,000 fluents costs as much as forty steps of a simulation, and needs one word a gate.

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::plays::Row;
use crate::circuit::invariants::variable::{Variable, by_fluent};
use crate::circuit::lanes::{lanes, or};
use crate::circuit::{Circuit, Gate};

/// Fluents that are told apart in a pass: the bits of a [`Row`].
const BLOCK: usize = 256;

/// The sources of all fluents.
pub(crate) struct Sources {
    /// By place.
    of: Vec<FixedBitSet>,
    /// How many those are.
    numbers: Vec<usize>,
}

impl Sources {
    pub(crate) fn new(circuit: &Circuit) -> Self {
        let fluents = circuit.fluents.len();
        let mut of = vec![FixedBitSet::with_capacity(fluents); fluents];
        for first in (0..fluents).step_by(BLOCK) {
            let reached = reached(circuit, first);
            for (sources, fluent) in of.iter_mut().zip(&circuit.fluents) {
                sources.extend(lanes(reached[fluent.next.gate()]).map(|lane| first + lane));
            }
        }
        let numbers = of.iter().map(|sources| sources.count_ones(..)).collect();
        Self { of, numbers }
    }

    /// The fluents, by place, that the gates of a fluent's next value reach.
    pub(crate) fn of(&self, place: usize) -> &FixedBitSet {
        &self.of[place]
    }

    /// By variable, those other ones whose next values are computed from it.
    pub(crate) fn readers(&self, variables: &[Variable]) -> Vec<FixedBitSet> {
        let variable_of = by_fluent(variables, self.of.len());
        let mut readers = vec![FixedBitSet::with_capacity(variables.len()); variables.len()];
        // A word of each row at a time: 64 variables, each of which may be computed from thousands of others.
        for (block, variables) in variables.chunks(usize::BITS as usize).enumerate() {
            let mut words = vec![0_usize; readers.len()];
            for (at, variable) in variables.iter().enumerate() {
                // Values of one variable are mostly computed from the same fluents.
                let mut sources = FixedBitSet::with_capacity(self.of.len());
                let fluents = variable.fluents.iter();
                fluents.for_each(|&fluent| sources.union_with(&self.of[fluent]));
                for read in sources.ones().filter_map(|source| variable_of[source]) {
                    words[read] |= 1 << at;
                }
            }
            for (row, word) in readers.iter_mut().zip(words) {
                row.as_mut_slice()[block] = word;
            }
        }
        for (number, row) in readers.iter_mut().enumerate() {
            row.remove(number);
        }
        readers
    }

    /// By place, how many sources that one of some fluents has that has the fewest of all that are computed from this one;
    /// none if no other is computed from it.
    pub(crate) fn simplest_followers(&self, fluents: &[usize]) -> Vec<Option<usize>> {
        let mut simplest: Vec<Option<usize>> = vec![None; self.of.len()];
        for &place in fluents {
            let number = self.number(place);
            for source in self.of(place).ones().filter(|&source| source != place) {
                let least = simplest[source].get_or_insert(number);
                *least = number.min(*least);
            }
        }
        simplest
    }

    /// How many fluents those are.
    pub(crate) fn number(&self, place: usize) -> usize {
        self.numbers[place]
    }
}

/// For each gate, which fluents of a block lead to it.
fn reached(circuit: &Circuit, first: usize) -> Vec<Row> {
    let gates = &circuit.gates;
    let mut reached = vec![Row::default(); gates.len()];
    loop {
        for gate in 0..gates.len() {
            match gates.gate(gate) {
                Gate::Fluent(place) => {
                    let lane = (place as usize).checked_sub(first);
                    if let Some(lane) = lane.filter(|&lane| lane < BLOCK) {
                        reached[gate][lane / 64] = 1 << (lane % 64);
                    }
                }
                Gate::And => {
                    let inputs = gates.inputs(gate).iter();
                    reached[gate] =
                        inputs.fold(Row::default(), |all, input| or(all, reached[input.gate()]));
                }
                // A loop's variables keep what the last pass found.
                Gate::Variable(..) | Gate::False | Gate::Move(..) => {}
            }
        }
        let mut is_done = true;
        for atoms in gates.loops() {
            let all = atoms
                .definitions
                .iter()
                .fold(Row::default(), |all, signal| {
                    or(all, reached[signal.gate()])
                });
            for &variable in &atoms.variables {
                is_done &= reached[variable] == all;
                reached[variable] = all;
            }
        }
        if is_done {
            return reached;
        }
    }
}
