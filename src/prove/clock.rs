//! Plays that end whatever anybody does, because a counter runs out.
//!
//! The game is followed from its start with moves that are not known: a signal is true, false, or unknown. Counters of
//! steps stay known, since no move is among what they are computed from. Where the end is known to be true after so many
//! moves, every play is over by then; where a state comes back, the counters go on for ever and say nothing.
//!
//! ```text
//! moves      0             1             …    40
//! step       1             2             …    41
//! cell       as at start   unknown       …    unknown
//! terminal   false         unknown       …    true
//! ```
//!
//! It takes milliseconds where a proof by the solver takes seconds, as it does on large boards.
//!
//! Source: three-valued simulation with unknown inputs, as in symbolic trajectory evaluation: Seger, Bryant, Formal
//! Verification by Symbolic Evaluation of Partially-Ordered Trajectories, Formal Methods in System Design 6, 1995.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::{Circuit, Gate, Signal};
use crate::limits::StopFlag;
use crate::prove::invariant::Cube;

/// Gates that are evaluated.
const MAX_EVALUATED: usize = 50_000_000;

/// What is known of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    False,
    True,
    Unknown,
}

impl Value {
    fn known(value: bool) -> Self {
        if value { Value::True } else { Value::False }
    }

    fn inverted_if(self, condition: bool) -> Self {
        match (self, condition) {
            (Value::False, true) => Value::True,
            (Value::True, true) => Value::False,
            (value, _) => value,
        }
    }
}

/// What is known after each number of moves, up to the one after which every play is over; nothing if counters alone do
/// not tell.
pub(super) fn runs_out(circuit: &Circuit, stop: &StopFlag) -> Option<Vec<Cube>> {
    let fluents = circuit.fluents.iter();
    let start = fluents.map(|fluent| Value::known(fluent.initial)).collect();
    let mut simulation = Simulation::of(circuit, start);
    // A state that comes back would come back for ever.
    let mut known: IndexSet<Cube, FxBuildHasher> = IndexSet::default();
    let mut evaluated = 0;
    while stop.raised().is_none()
        && evaluated < MAX_EVALUATED
        && known.insert(cube(&simulation.state))
    {
        simulation.evaluate();
        if simulation.value(circuit.terminal) == Value::True {
            return Some(known.into_iter().collect());
        }
        evaluated += simulation.dependents.len();
        simulation.advance();
    }
    None
}

/// The fluents that are known.
fn cube(state: &[Value]) -> Cube {
    let known = state
        .iter()
        .enumerate()
        .filter(|(_, value)| **value != Value::Unknown);
    known
        .map(|(place, &value)| (place, value == Value::True))
        .collect()
}

/// A circuit whose moves are not known.
struct Simulation<'c> {
    circuit: &'c Circuit,
    /// By place.
    state: Vec<Value>,
    /// The gates that known fluents have a part in, inputs first: all others are unknown.
    dependents: Vec<usize>,
    /// By gate.
    values: Vec<Value>,
}

impl<'c> Simulation<'c> {
    fn of(circuit: &'c Circuit, state: Vec<Value>) -> Self {
        let mut simulation = Self {
            circuit,
            state,
            dependents: Vec::new(),
            values: Vec::new(),
        };
        simulation.find_dependents();
        simulation
    }

    fn find_dependents(&mut self) {
        let gates = &self.circuit.gates;
        let mut depends = vec![false; gates.len()];
        for gate in 0..gates.len() {
            depends[gate] = match gates.gate(gate) {
                Gate::Fluent(place) => self.state[place as usize] != Value::Unknown,
                // Values of loops may follow from each other: nothing is said of them.
                Gate::Move(..) | Gate::Variable(..) => false,
                Gate::And => gates.inputs(gate).iter().any(|input| depends[input.gate()]),
                Gate::False => true,
            };
        }
        self.dependents = (0..gates.len()).filter(|&gate| depends[gate]).collect();
        self.values = vec![Value::Unknown; gates.len()];
    }

    fn evaluate(&mut self) {
        let gates = &self.circuit.gates;
        for &gate in &self.dependents {
            self.values[gate] = match gates.gate(gate) {
                Gate::False => Value::False,
                Gate::Fluent(place) => self.state[place as usize],
                Gate::Move(..) | Gate::Variable(..) => Value::Unknown,
                Gate::And => self.conjunction(gates.inputs(gate)),
            };
        }
    }

    /// False if an input is, and unknown if one is and none is false.
    fn conjunction(&self, inputs: &[Signal]) -> Value {
        let mut value = Value::True;
        for &input in inputs {
            match self.value(input) {
                Value::False => return Value::False,
                Value::Unknown => value = Value::Unknown,
                Value::True => {}
            }
        }
        value
    }

    fn value(&self, signal: Signal) -> Value {
        self.values[signal.gate()].inverted_if(signal.is_inverted())
    }

    /// Goes on to the next state. What was unknown once stays so: it is seldom known again, and fewer gates are evaluated.
    fn advance(&mut self) {
        let fluents = self.circuit.fluents.iter().zip(&self.state);
        let next = fluents.map(|(fluent, &before)| match before {
            Value::Unknown => Value::Unknown,
            Value::False | Value::True => self.value(fluent.next),
        });
        let next: Vec<Value> = next.collect();
        let known = |state: &[Value]| state.iter().filter(|&&v| v != Value::Unknown).count();
        let is_less = known(&next) < known(&self.state);
        self.state = next;
        if is_less {
            self.find_dependents();
        }
    }
}
