//! Which fluents the next value of a fluent is computed from, by the gates that lead to it.

use fixedbitset::FixedBitSet;

use crate::circuit::{Circuit, Gate};

/// The sources of fluents; those of each are looked for once.
pub(super) struct Sources<'c> {
    circuit: &'c Circuit,
    /// By place.
    known: Vec<Option<FixedBitSet>>,
    seen: FixedBitSet,
}

impl<'c> Sources<'c> {
    pub(super) fn new(circuit: &'c Circuit) -> Self {
        Self {
            circuit,
            known: vec![None; circuit.fluents.len()],
            seen: FixedBitSet::with_capacity(circuit.gates.len()),
        }
    }

    /// The fluents, by place, that the gates of a fluent's next value reach.
    pub(super) fn of(&mut self, place: usize) -> &FixedBitSet {
        let Self {
            circuit,
            known,
            seen,
        } = self;
        known[place].get_or_insert_with(|| reached(circuit, place, seen))
    }
}

fn reached(circuit: &Circuit, place: usize, seen: &mut FixedBitSet) -> FixedBitSet {
    let mut sources = FixedBitSet::with_capacity(circuit.fluents.len());
    let mut open = vec![circuit.fluents[place].next.gate()];
    let mut visited = Vec::new();
    while let Some(gate) = open.pop() {
        if seen.put(gate) {
            continue;
        }
        visited.push(gate);
        match circuit.gates.gate(gate) {
            Gate::Fluent(place) => sources.insert(place as usize),
            Gate::Variable(number, _) => {
                let definitions = &circuit.gates.loops()[number as usize].definitions;
                open.extend(definitions.iter().map(|signal| signal.gate()));
            }
            Gate::And => open.extend(circuit.gates.inputs(gate).iter().map(|input| input.gate())),
            Gate::False | Gate::Move(..) => {}
        }
    }
    visited.into_iter().for_each(|gate| seen.set(gate, false));
    sources
}
