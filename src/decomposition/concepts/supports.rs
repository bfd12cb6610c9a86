//! The parts that the gates below end and payoffs depend on: candidates for sets that are needed together.

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::circuit::{Gate, Signal};
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;

/// The signals that decide end and payoffs, and which phase it is.
fn outputs(model: &Model, phases: Option<&Phases>) -> Vec<Signal> {
    let goals = model.circuit.goals.iter().flatten();
    let goals = goals.map(|payoff| payoff.signal);
    let phases = phases.map(|phases| phases.signals(model.circuit, phases.len() - 2));
    let phases = phases.into_iter().flatten();
    goals
        .chain([model.circuit.terminal])
        .chain(phases)
        .collect()
}

/// What end and payoffs ask of the parts, gate by gate.
pub(super) struct Supports {
    /// The parts that gates depend on, each set once; of gates that are mere parts of a larger conjunction, none.
    pub(super) sets: Vec<FixedBitSet>,
    /// What end and payoffs depend on.
    pub(super) needed: FixedBitSet,
    /// By gate, what it depends on, if end and payoffs depend on the gate.
    by_gate: Vec<Option<FixedBitSet>>,
    outputs: Vec<Signal>,
}

impl Supports {
    pub(super) fn of(model: &Model, parts: &[Vec<usize>], phases: Option<&Phases>) -> Self {
        let mut part_of = vec![None; model.circuit.fluents.len()];
        for (number, part) in parts.iter().enumerate() {
            for fluent in part
                .iter()
                .flat_map(|&variable| &model.variables[variable].fluents)
            {
                part_of[*fluent] = Some(number);
            }
        }
        let outputs = outputs(model, phases);
        let by_gate = cone_supports(model, &outputs, &part_of, parts.len());
        let mut needed = FixedBitSet::with_capacity(parts.len());
        for output in &outputs {
            if let Some(support) = &by_gate[output.gate()] {
                needed.union_with(support);
            }
        }
        let mut supports = Self {
            sets: Vec::new(),
            needed,
            by_gate,
            outputs,
        };
        supports.sets = supports.candidates(model);
        supports
    }

    /// The sets of parts that gates name.
    fn candidates(&self, model: &Model) -> Vec<FixedBitSet> {
        let is_inner = inner_conjunctions(model, &self.outputs);
        let mut sets: IndexSet<FixedBitSet, FxBuildHasher> = IndexSet::default();
        for (gate, support) in self.by_gate.iter().enumerate() {
            if let Some(support) = support.as_ref().filter(|_| !is_inner[gate]) {
                sets.insert(support.clone());
                sets.extend(self.disjoint_operands(model, gate));
            }
        }
        sets.into_iter().collect()
    }

    /// What a conjunction is made of that has no parts in common. That no line of two boards is complete is one
    /// conjunction over all lines: those that overlap are one operand, and so is each board.
    fn disjoint_operands(&self, model: &Model, gate: usize) -> Vec<FixedBitSet> {
        let mut operands: Vec<FixedBitSet> = Vec::new();
        for operand in operands_of(model, gate) {
            let Some(support) = self.by_gate[operand].as_ref().filter(|set| !set.is_clear()) else {
                continue;
            };
            let mut union = support.clone();
            operands.retain(|other| {
                let is_apart = union.is_disjoint(other);
                if !is_apart {
                    union.union_with(other);
                }
                is_apart
            });
            operands.push(union);
        }
        operands
    }

    /// By part, the gates that depend on it alone and that others, or end and payoffs themselves, ask for: all that
    /// these know of the part.
    pub(super) fn local_gates(&self, model: &Model) -> Vec<Vec<usize>> {
        let parts = self.needed.len();
        let owner = |gate: usize| {
            let support = self.by_gate[gate].as_ref()?;
            support.minimum().filter(|_| support.count_ones(..) == 1)
        };
        let gates = &model.circuit.gates;
        let mut asked: IndexSet<usize, FxBuildHasher> = IndexSet::default();
        asked.extend(self.outputs.iter().map(|signal| signal.gate()));
        for gate in (0..gates.len()).filter(|&gate| self.by_gate[gate].is_some()) {
            if owner(gate).is_none() {
                asked.extend(gates.inputs(gate).iter().map(|input| input.gate()));
            }
        }
        let mut local = vec![Vec::new(); parts];
        for gate in asked {
            if let Some(part) = owner(gate) {
                local[part].push(gate);
            }
        }
        local
    }

    /// The gates that end and payoffs depend on.
    pub(super) fn cone(&self) -> impl Iterator<Item = usize> {
        let gates = self.by_gate.iter().enumerate();
        gates
            .filter(|(_, support)| support.is_some())
            .map(|(gate, _)| gate)
    }
}

/// By gate, whether it is a conjunction that is only an input of larger ones, and so names no concept: a ∧ b in
/// a ∧ b ∧ c. It does if it is an output, defines an atom of a loop, or is negated somewhere, as a member of a
/// disjunction is.
fn inner_conjunctions(model: &Model, outputs: &[Signal]) -> Vec<bool> {
    let gates = &model.circuit.gates;
    let mut is_inner = vec![true; gates.len()];
    let definitions = gates.loops().iter().flat_map(|one| &one.definitions);
    for signal in outputs.iter().chain(definitions) {
        is_inner[signal.gate()] = false;
    }
    for gate in 0..gates.len() {
        for input in gates
            .inputs(gate)
            .iter()
            .filter(|input| input.is_inverted())
        {
            is_inner[input.gate()] = false;
        }
    }
    is_inner
}

/// The gates that a conjunction is made of when conjunctions inside of it are taken apart.
fn operands_of(model: &Model, gate: usize) -> Vec<usize> {
    let gates = &model.circuit.gates;
    let mut operands = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![gate];
    while let Some(gate) = open.pop() {
        for input in gates
            .inputs(gate)
            .iter()
            .filter(|input| seen.insert(**input))
        {
            if gates.gate(input.gate()) == Gate::And && !input.is_inverted() {
                open.push(input.gate());
            } else {
                operands.push(input.gate());
            }
        }
    }
    operands
}

/// The supports of all gates in the cone of end and payoffs.
fn cone_supports(
    model: &Model,
    outputs: &[Signal],
    part_of: &[Option<usize>],
    parts: usize,
) -> Vec<Option<FixedBitSet>> {
    let gates = &model.circuit.gates;
    let mut supports: Vec<Option<FixedBitSet>> = vec![None; gates.len()];
    let cone = cone_of_influence(model, outputs);
    // Gates of loops come before their definitions; sweeps go on until nothing grows.
    loop {
        let mut grown = false;
        for gate in cone.ones() {
            let mut support = FixedBitSet::with_capacity(parts);
            let add = |support: &mut FixedBitSet, signals: &[Signal]| {
                for signal in signals {
                    if let Some(other) = &supports[signal.gate()] {
                        support.union_with(other);
                    }
                }
            };
            match gates.gate(gate) {
                Gate::Fluent(place) => support.extend(part_of[place as usize]),
                Gate::Variable(number, _) => {
                    add(&mut support, &gates.loops()[number as usize].definitions);
                }
                Gate::And => add(&mut support, gates.inputs(gate)),
                Gate::False | Gate::Move(..) => {}
            }
            // Without loops one sweep is enough: inputs have lower numbers.
            grown |= supports[gate].as_ref() != Some(&support)
                && matches!(gates.gate(gate), Gate::Variable(..));
            supports[gate] = Some(support);
        }
        if !grown {
            return supports;
        }
    }
}

/// The gates that some signals depend on; gates outside of it keep no support.
fn cone_of_influence(model: &Model, outputs: &[Signal]) -> FixedBitSet {
    let gates = &model.circuit.gates;
    let mut open: Vec<usize> = outputs.iter().map(|signal| signal.gate()).collect();
    let mut cone = FixedBitSet::with_capacity(gates.len());
    while let Some(gate) = open.pop() {
        if cone.put(gate) {
            continue;
        }
        open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        if let Gate::Variable(number, _) = gates.gate(gate) {
            let definitions = &gates.loops()[number as usize].definitions;
            open.extend(definitions.iter().map(|signal| signal.gate()));
        }
    }
    cone
}
