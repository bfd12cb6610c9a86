//! Which parts the end, the payoffs and the phases are computed from, gate by gate.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::circuit::{Gate, Signal};
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;

/// The signals that decide end, payoffs and phase.
fn outputs(model: &Model, phases: Option<&Phases>) -> Vec<Signal> {
    let circuit = model.circuit;
    let goals = circuit.goals.iter().flatten();
    let goals = goals.map(|payoff| payoff.signal);
    let phases = phases.map_or_else(Vec::new, |phases| {
        phases.signals(circuit, phases.len().saturating_sub(2))
    });
    goals.chain([circuit.terminal]).chain(phases).collect()
}

/// By gate that the outputs depend on, the parts that it depends on.
pub(super) struct Supports {
    /// Those of gates that are no mere part of a larger conjunction, each once and not empty.
    pub(super) sets: Vec<FixedBitSet>,
    /// What the outputs depend on.
    pub(super) needed: FixedBitSet,
}

impl Supports {
    pub(super) fn of(model: &Model, parts: &[Vec<usize>], phases: Option<&Phases>) -> Self {
        let gates = &model.circuit.gates;
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
        let mut needed = FixedBitSet::with_capacity(parts.len());
        for output in &outputs {
            if let Some(support) = &by_gate[output.gate()] {
                needed.union_with(support);
            }
        }
        let mut known = FxHashSet::default();
        let mut sets = Vec::new();
        for (gate, support) in by_gate.into_iter().enumerate() {
            if let Some(support) = support.filter(|_| !is_inner[gate])
                && !support.is_clear()
                && known.insert(support.clone())
            {
                sets.push(support);
            }
        }
        Self { sets, needed }
    }
}

/// The supports of all gates in the cone of the outputs.
fn cone_supports(
    model: &Model,
    outputs: &[Signal],
    part_of: &[Option<usize>],
    parts: usize,
) -> Vec<Option<FixedBitSet>> {
    let gates = &model.circuit.gates;
    let mut supports: Vec<Option<FixedBitSet>> = vec![None; gates.len()];
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
            grown |= supports[gate].as_ref() != Some(&support)
                && matches!(gates.gate(gate), Gate::Variable(..));
            supports[gate] = Some(support);
        }
        if !grown {
            return supports;
        }
    }
}
