//! Rules of GDL for signals of a circuit in which some fluents and moves are constants.
//!
//! A conjunction is the body of a rule, a disjunction a rule for each of its members, each with negation pushed down
//! to fluents and moves, so that what is written is stratified. Disjunctions inside of bodies get names.

use std::collections::VecDeque;
use std::fmt::Write;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::{Circuit, Gate, Signal};

/// What stands for a fluent or a move of the circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    /// Always or never.
    Constant(bool),
    /// A literal of the rules.
    Literal(String),
}

/// What stands for the fluents and the moves of a circuit.
pub(super) struct Stands {
    /// By place.
    pub(super) fluents: Vec<Stand>,
    /// By gate; a move that is not among them is never made. None where moves do not matter.
    pub(super) moves: Option<FxHashMap<usize, Stand>>,
}

impl Stands {
    fn of(&self, circuit: &Circuit, gate: usize) -> Option<&Stand> {
        const NEVER: &Stand = &Stand::Constant(false);
        match circuit.gates.gate(gate) {
            Gate::Fluent(place) => self.fluents.get(place as usize),
            Gate::Move(..) => {
                let moves = self.moves.as_ref()?;
                Some(moves.get(&gate).unwrap_or(NEVER))
            }
            Gate::False | Gate::Variable(..) | Gate::And => None,
        }
    }
}

/// By gate, its value if the constants decide it.
pub(super) fn values(circuit: &Circuit, stands: &Stands) -> Vec<Option<bool>> {
    let gates = &circuit.gates;
    let mut values: Vec<Option<bool>> = vec![None; gates.len()];
    loop {
        for gate in 0..gates.len() {
            // Inputs have lower numbers than the gate, but for atoms of loops, which keep what is known of them.
            values[gate] = match gates.gate(gate) {
                Gate::False => Some(false),
                Gate::Fluent(_) | Gate::Move(..) => match stands.of(circuit, gate) {
                    Some(Stand::Constant(value)) => Some(*value),
                    Some(Stand::Literal(_)) | None => None,
                },
                Gate::Variable(..) => values[gate],
                Gate::And => conjunction(gates.inputs(gate), &values),
            };
        }
        // Definitions of loops that constants decide.
        let mut is_stable = true;
        for of_loop in gates.loops() {
            for (&variable, &definition) in of_loop.variables.iter().zip(&of_loop.definitions) {
                let value = of_signal(&values, definition);
                is_stable &= values[variable] == value;
                values[variable] = value;
            }
        }
        if is_stable {
            return values;
        }
    }
}

fn conjunction(inputs: &[Signal], values: &[Option<bool>]) -> Option<bool> {
    let mut is_known = true;
    for &input in inputs {
        match of_signal(values, input) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

/// The value of a signal.
pub(super) fn of_signal(values: &[Option<bool>], signal: Signal) -> Option<bool> {
    values[signal.gate()].map(|value| value != signal.is_inverted())
}

/// Writes rules.
pub(super) struct RuleWriter<'c> {
    circuit: &'c Circuit,
    stands: &'c Stands,
    values: Vec<Option<bool>>,
    /// Signals that have names, with these.
    names: FxHashMap<Signal, String>,
    /// Those of them that have no rules yet.
    unwritten: VecDeque<Signal>,
    /// What names begin with; writers of one sheet have different stems.
    stem: &'static str,
    pub(super) text: String,
}

impl<'c> RuleWriter<'c> {
    /// Nothing is written yet; names are the stem with a number.
    pub(super) fn new(circuit: &'c Circuit, stands: &'c Stands, stem: &'static str) -> Self {
        Self {
            values: values(circuit, stands),
            circuit,
            stands,
            names: FxHashMap::default(),
            unwritten: VecDeque::new(),
            stem,
            text: String::new(),
        }
    }

    /// Writes the rules of a head, which is true if one of some signals is; and says how many there are.
    pub(super) fn define(&mut self, head: &str, signals: &[Signal]) -> usize {
        // ¬(a ∧ ¬b) is a rule for ¬a and one for b.
        let signals = signals.iter().flat_map(|&signal| self.alternatives(signal));
        let alternatives: IndexSet<Signal, FxBuildHasher> = signals.collect();
        let mut bodies: IndexSet<Vec<String>, FxBuildHasher> = IndexSet::default();
        for signal in alternatives {
            bodies.extend(self.body(signal));
        }
        // A rule without conditions makes the others needless.
        if bodies.contains(&Vec::new()) {
            bodies = IndexSet::from_iter([Vec::new()]);
        }
        for body in &bodies {
            match body[..] {
                [] => _ = writeln!(self.text, "{head}"),
                _ => _ = writeln!(self.text, "(<= {head}\n    {})", body.join("\n    ")),
            }
        }
        bodies.len()
    }

    /// Writes the rules of all that bodies have named.
    pub(super) fn finish(mut self) -> String {
        while let Some(signal) = self.unwritten.pop_front() {
            let name = self.names[&signal].clone();
            let definition = match self.circuit.gates.gate(signal.gate()) {
                Gate::Variable(number, variable) => {
                    let definitions = &self.circuit.gates.loops()[number as usize].definitions;
                    definitions[variable as usize]
                }
                Gate::False | Gate::Fluent(_) | Gate::Move(..) | Gate::And => signal,
            };
            self.define(&name, &[definition]);
        }
        self.text
    }

    /// The signals of which one is true if this one is: the members of a disjunction.
    fn alternatives(&self, signal: Signal) -> Vec<Signal> {
        let gates = &self.circuit.gates;
        let is_open = self.values[signal.gate()].is_none();
        match gates.gate(signal.gate()) {
            Gate::And if is_open && signal.is_inverted() => gates
                .inputs(signal.gate())
                .iter()
                .map(|&input| !input)
                .collect(),
            Gate::And | Gate::False | Gate::Fluent(_) | Gate::Move(..) | Gate::Variable(..) => {
                vec![signal]
            }
        }
    }

    /// The conditions under which a signal is true; none if it never is.
    fn body(&mut self, signal: Signal) -> Option<Vec<String>> {
        let mut body: IndexSet<String, FxBuildHasher> = IndexSet::default();
        let mut seen: IndexSet<Signal, FxBuildHasher> = IndexSet::default();
        // Conjunctions inside of conjunctions are one body; the first input is popped first.
        let mut pending = vec![signal];
        while let Some(signal) = pending.pop() {
            match of_signal(&self.values, signal) {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            if !seen.insert(signal) {
                continue;
            }
            let gate = self.circuit.gates.gate(signal.gate());
            if gate == Gate::And && !signal.is_inverted() {
                let inputs = self.circuit.gates.inputs(signal.gate());
                pending.extend(inputs.iter().rev());
                continue;
            }
            let literal = match (self.stands.of(self.circuit, signal.gate()), gate) {
                (Some(Stand::Literal(literal)), _) => {
                    if signal.is_inverted() {
                        format!("(not {literal})")
                    } else {
                        literal.clone()
                    }
                }
                // Loops are asked for as they are, disjunctions as the opposites that they are.
                (_, Gate::Variable(..)) if signal.is_inverted() => {
                    format!("(not {})", self.name(!signal))
                }
                _ => self.name(signal),
            };
            body.insert(literal);
        }
        Some(body.into_iter().collect())
    }

    /// The name of a signal.
    fn name(&mut self, signal: Signal) -> String {
        if let Some(name) = self.names.get(&signal) {
            return name.clone();
        }
        let name = format!("{}{}", self.stem, self.names.len() + 1);
        self.names.insert(signal, name.clone());
        self.unwritten.push_back(signal);
        name
    }
}

impl RuleWriter<'_> {
    /// Writes the rule of a head that is true if a literal is, where there is one, and all of some signals are.
    pub(super) fn define_conjunction(
        &mut self,
        head: &str,
        literal: Option<String>,
        signals: &[Signal],
    ) {
        let mut body = Vec::from_iter(literal);
        for &signal in signals {
            match self.body(signal) {
                Some(conditions) => body.extend(conditions),
                None => return,
            }
        }
        let conditions: IndexSet<String, FxBuildHasher> = body.into_iter().collect();
        let conditions: Vec<String> = conditions.into_iter().collect();
        _ = match conditions[..] {
            [] => writeln!(self.text, "{head}"),
            _ => writeln!(self.text, "(<= {head}\n    {})", conditions.join("\n    ")),
        };
    }
}
