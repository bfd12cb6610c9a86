//! What is left of a signal where some gates are known.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::gates::{Gate, Gates, Signal};

/// Gates that are looked into; what is behind them stays as it is, which is true but longer.
const MAX_GATES: usize = 200;

/// Gates whose value is known.
#[derive(Clone, Default)]
pub(super) struct Assumed(FxHashMap<usize, bool>);

impl Assumed {
    /// Takes it that a signal is true.
    pub(super) fn insert(&mut self, signal: Signal) {
        self.0.insert(signal.gate(), !signal.is_inverted());
    }

    /// The value of a signal, if it is known.
    pub(super) fn value(&self, signal: Signal) -> Option<bool> {
        let known = self.0.get(&signal.gate()).copied();
        signal
            .constant()
            .or(known.map(|value| value != signal.is_inverted()))
    }
}

/// A signal that is equal wherever the assumptions hold.
pub(super) fn restrict(gates: &mut Gates, signal: Signal, assumed: &Assumed) -> Signal {
    if let Some(value) = assumed.value(signal) {
        return Signal::FALSE.inverted_if(value);
    }
    let inner = inner_gates(gates, signal.gate(), assumed);
    let mut made: FxHashMap<usize, Signal> = FxHashMap::default();
    // Inputs have smaller numbers than the gate, so that they are there before they are asked for.
    for gate in inner {
        let old: Vec<Signal> = gates.inputs(gate).to_vec();
        let restricted = |input: Signal| match (assumed.value(input), made.get(&input.gate())) {
            (Some(value), _) => Signal::FALSE.inverted_if(value),
            (None, Some(own)) => own.inverted_if(input.is_inverted()),
            (None, None) => input,
        };
        let mut inputs: Vec<Signal> = old.iter().map(|&input| restricted(input)).collect();
        let own = if inputs == old {
            Signal::of(gate)
        } else {
            gates.and(&mut inputs)
        };
        made.insert(gate, own);
    }
    let own = made.get(&signal.gate()).copied();
    own.map_or(signal, |own| own.inverted_if(signal.is_inverted()))
}

/// The conjunctions behind a gate that are not known, the nearest ones first come, ascending.
fn inner_gates(gates: &Gates, gate: usize, assumed: &Assumed) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut next = 0;
    if gates.gate(gate) == Gate::And {
        found.push(gate);
    }
    while let Some(&gate) = found.get(next) {
        next += 1;
        for &input in gates.inputs(gate) {
            let is_open = gates.gate(input.gate()) == Gate::And && assumed.value(input).is_none();
            if is_open && found.len() < MAX_GATES && seen.insert(input.gate()) {
                found.push(input.gate());
            }
        }
    }
    found.sort_unstable();
    found
}
