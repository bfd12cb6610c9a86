//! Circuits whose gates have few inputs, and only those gates that somebody needs.

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Loop, Signal};

/// The same circuit without the gates that are not needed, and with at most so many inputs a gate.
pub(super) fn narrow(circuit: &Circuit, needed: &[bool], most: usize) -> Circuit {
    let old = &circuit.gates;
    let mut gates = Gates::default();
    let mut signals = vec![Signal::FALSE; old.len()];
    gates.loops = vec![Loop::default(); old.loops().len()];
    // Inputs have smaller numbers, so that they are mapped already; variables of loops are mapped here and defined
    // below.
    for gate in (1..old.len()).filter(|&gate| needed[gate]) {
        signals[gate] = match old.gate(gate) {
            Gate::And => {
                let inputs = old.inputs(gate).iter();
                let mut inputs: Vec<Signal> =
                    inputs.map(|&input| mapped(&signals, input)).collect();
                gates.narrow_and(&mut inputs, most)
            }
            Gate::Move(role, mv) => gates.source_move(role, mv),
            other @ (Gate::False | Gate::Fluent(_) | Gate::Variable(..)) => gates.source(other),
        };
        if let Gate::Variable(number, _) = old.gate(gate) {
            let variables = &mut gates.loops[number as usize].variables;
            variables.push(signals[gate].gate());
        }
    }
    for (number, looped) in old.loops().iter().enumerate() {
        // The variables of a loop are needed all or none.
        let first = looped.variables.first();
        if first.is_some_and(|&variable| needed[variable]) {
            let definitions = looped.definitions.iter();
            gates.loops[number].definitions = definitions.map(|&d| mapped(&signals, d)).collect();
        }
    }
    with_signals(circuit, gates, &signals)
}

/// The circuit with other gates, given the signal that each gate has become.
fn with_signals(circuit: &Circuit, gates: Gates, signals: &[Signal]) -> Circuit {
    let mut narrow = Circuit {
        gates,
        ..circuit.clone()
    };
    for fluent in &mut narrow.fluents {
        fluent.holds = mapped(signals, fluent.holds);
        fluent.next = mapped(signals, fluent.next);
    }
    for mv in narrow.moves.iter_mut().flatten() {
        mv.made = mapped(signals, mv.made);
        mv.legal = mapped(signals, mv.legal);
    }
    for payoff in narrow.goals.iter_mut().flatten() {
        payoff.signal = mapped(signals, payoff.signal);
    }
    narrow.terminal = mapped(signals, narrow.terminal);
    narrow
}

fn mapped(signals: &[Signal], signal: Signal) -> Signal {
    signals[signal.gate()].inverted_if(signal.is_inverted())
}
