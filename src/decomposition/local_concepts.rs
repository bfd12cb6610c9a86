//! Local concepts: what the parts tell a function of the whole game, and the formula that is left above them.
//!
//! A signal of the circuit is walked downward until what is reached depends on the fluents of one part only, or on
//! what runs by itself only. That is a local concept; what is above is a formula of conjunctions over these:
//!
//! ```text
//! goal 100 = (on1(a,b) ∧ on1(b,c)) ∧ (on2(a,b) ∧ on2(b,c))
//!                   part 1                  part 2
//! ```
//!
//! The same for the circuit as [G07, Definition 5.1] has it for call graphs, so that it does not depend on how the
//! rules are written.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::{Circuit, Gate, Signal};

/// A conjunction of signals that depend on one part only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocalConcept {
    /// The part, by number; none for what runs by itself.
    pub part: Option<usize>,
    /// The signals, ascending.
    pub signals: Vec<Signal>,
}

/// What a conjunction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConceptOperand {
    /// A local concept, by place.
    Concept(usize),
    /// A conjunction, by place; smaller than that of what it is an operand of.
    Conjunction(usize),
}

/// An operand or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConceptCondition {
    /// What is asked for.
    pub operand: ConceptOperand,
    /// Whether it shall not be so.
    pub is_inverted: bool,
}

/// Functions of the whole game over the local concepts of its parts.
#[derive(Clone, Debug)]
pub struct LocalConcepts {
    concepts: IndexSet<LocalConcept, FxBuildHasher>,
    /// Each with its operands; the first has none, and is always true.
    conjunctions: Vec<Vec<ConceptCondition>>,
    /// By gate, for those that were asked for or depend on several parts.
    known: FxHashMap<usize, ConceptOperand>,
}

/// Concepts, and conjunctions, at most.
const MAX_CONCEPTS: usize = 10_000;

/// Whose fluents a gate depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    /// None.
    Nothing,
    /// Those of one part, or what runs by itself.
    One(Option<usize>),
    /// Several, or the moves.
    Several,
}

impl Dependence {
    fn with(self, other: Dependence) -> Self {
        match (self, other) {
            (Dependence::Nothing, other) => other,
            (one, Dependence::Nothing) => one,
            (one, other) if one == other => one,
            _ => Dependence::Several,
        }
    }
}

impl LocalConcepts {
    /// The concepts of some signals. `owners` says, by place of the fluent, to which part a fluent belongs.
    ///
    /// None if the signals depend on moves, on several parts by a loop of the circuit, or on too many concepts.
    pub fn of(circuit: &Circuit, owners: &[Option<usize>], roots: &[Signal]) -> Option<Self> {
        let supports = supports(circuit, owners);
        let mut found = Self {
            concepts: IndexSet::default(),
            conjunctions: vec![Vec::new()],
            known: FxHashMap::default(),
        };
        // Inputs come first, so that what a conjunction refers to is known when it is reached.
        for gate in above(circuit, &supports, roots) {
            if circuit.gates.gate(gate) != Gate::And {
                // A move, or an atom of a loop over several parts: neither is a formula over their states.
                return None;
            }
            let conditions = found.conditions(&supports, circuit.gates.inputs(gate))?;
            found.conjunctions.push(conditions);
            let place = found.conjunctions.len() - 1;
            found.known.insert(gate, ConceptOperand::Conjunction(place));
            if found.concepts.len().max(place) > MAX_CONCEPTS {
                return None;
            }
        }
        // A root that depends on one part only is below all conjunctions: it is a concept by itself.
        for root in roots {
            let conditions = found.conditions(&supports, &[*root])?;
            if let (true, [condition]) = (root.constant().is_none(), &conditions[..]) {
                found.known.insert(root.gate(), condition.operand);
            }
        }
        Some(found)
    }

    /// The concepts, by place.
    pub fn concepts(&self) -> impl ExactSizeIterator<Item = &LocalConcept> {
        self.concepts.iter()
    }

    /// The conjunctions, by place: each is true if all of its conditions are.
    pub fn conjunctions(&self) -> &[Vec<ConceptCondition>] {
        &self.conjunctions
    }

    /// What a signal that was asked for is.
    pub fn condition(&self, signal: Signal) -> Option<ConceptCondition> {
        if let Some(value) = signal.constant() {
            return Some(ConceptCondition {
                operand: ConceptOperand::Conjunction(0),
                is_inverted: !value,
            });
        }
        let operand = *self.known.get(&signal.gate())?;
        Some(ConceptCondition {
            operand,
            is_inverted: signal.is_inverted(),
        })
    }

    /// A conjunction of signals: those of one part together are one concept.
    fn conditions(
        &mut self,
        supports: &[Dependence],
        signals: &[Signal],
    ) -> Option<Vec<ConceptCondition>> {
        let mut conditions = Vec::new();
        let mut own: Vec<LocalConcept> = Vec::new();
        for &signal in signals {
            match supports[signal.gate()] {
                Dependence::Nothing | Dependence::Several => {
                    conditions.push(self.condition(signal)?)
                }
                Dependence::One(part) => {
                    match own.iter_mut().find(|concept| concept.part == part) {
                        Some(concept) => concept.signals.push(signal),
                        None => own.push(LocalConcept {
                            part,
                            signals: vec![signal],
                        }),
                    }
                }
            }
        }
        for mut concept in own {
            // A concept and its opposite are one: ¬s is the concept s, asked for inverted. Conjunctions are as they are.
            let is_inverted = matches!(concept.signals[..], [signal] if signal.is_inverted());
            if is_inverted {
                concept.signals[0] = !concept.signals[0];
            }
            let (place, _) = self.concepts.insert_full(concept);
            conditions.push(ConceptCondition {
                operand: ConceptOperand::Concept(place),
                is_inverted,
            });
        }
        Some(conditions)
    }
}

/// By gate, what it depends on. Inputs come before the gate, but for loops, which are gone through until nothing
/// changes.
fn supports(circuit: &Circuit, owners: &[Option<usize>]) -> Vec<Dependence> {
    let gates = &circuit.gates;
    let mut supports = vec![Dependence::Nothing; gates.len()];
    loop {
        for gate in 0..gates.len() {
            supports[gate] = match gates.gate(gate) {
                Gate::False => Dependence::Nothing,
                Gate::Fluent(place) => Dependence::One(owners[place as usize]),
                Gate::Move(..) => Dependence::Several,
                Gate::Variable(..) => supports[gate],
                Gate::And => {
                    let inputs = gates.inputs(gate).iter();
                    let of = inputs.map(|input| supports[input.gate()]);
                    of.fold(Dependence::Nothing, Dependence::with)
                }
            };
        }
        // Atoms of loops take over what their definitions depend on; that only grows, at most twice for each.
        let mut is_stable = true;
        for of_loop in gates.loops() {
            for (&variable, definition) in of_loop.variables.iter().zip(&of_loop.definitions) {
                let support = supports[variable].with(supports[definition.gate()]);
                is_stable &= support == supports[variable];
                supports[variable] = support;
            }
        }
        if is_stable {
            return supports;
        }
    }
}

/// The gates of several parts that some signals depend on, inputs before what they are inputs of.
fn above(circuit: &Circuit, supports: &[Dependence], roots: &[Signal]) -> Vec<usize> {
    let mut is_above = vec![false; circuit.gates.len()];
    let mut pending: Vec<usize> = roots.iter().map(|root| root.gate()).collect();
    while let Some(gate) = pending.pop() {
        if supports[gate] == Dependence::Several && !std::mem::replace(&mut is_above[gate], true) {
            let inputs = circuit.gates.inputs(gate).iter();
            pending.extend(inputs.map(|input| input.gate()));
        }
    }
    (0..circuit.gates.len())
        .filter(|&gate| is_above[gate])
        .collect()
}
