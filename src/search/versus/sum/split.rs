//! The fluents and moves of a game by the part that they belong to, and that gates keep the parts apart.
//!
//! What a part is next and what is legal in it must be computed from its own fluents and from those of no part
//! (whose turn it is): then a part can be followed by itself, with the others in any state whatever.

use crate::circuit::{Circuit, Gate, Signal};
use crate::decomposition::{self, DecompositionEffort, Prospect, Undecomposed};
use crate::limits::{Limits, StopReason};

/// What finding the parts may cost.
const EFFORT: DecompositionEffort = DecompositionEffort {
    max_variables: 10_000,
    max_operations: 4_000_000_000,
    max_assignments: 5_000_000,
    max_induction: 3_000_000,
    seed: 1,
};

/// A game whose parts do not read each other.
pub(super) struct Split<'c> {
    pub(super) circuit: &'c Circuit,
    /// By part, its fluents by place.
    pub(super) parts: Vec<Vec<usize>>,
    /// The fluents, by place, that belong to no part.
    pub(super) outside: Vec<usize>,
    /// By role, by move, the part in which it is one; none if it passes.
    pub(super) owners: [Vec<Option<usize>>; 2],
}

impl<'c> Split<'c> {
    /// Takes a game of two roles apart; none if there are fewer than two parts, or one reads another one.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(super) fn of(circuit: &'c Circuit, limits: &Limits) -> Result<Option<Self>, StopReason> {
        if circuit.moves.len() != 2 {
            return Ok(None);
        }
        let quiet = Limits {
            stop: limits.stop.clone(),
            ..Limits::default()
        };
        let is_wanted = |prospect: Prospect| prospect.parts > 1;
        let found = match decomposition::decompose_if(circuit, &EFFORT, &quiet, &is_wanted) {
            Ok(found) => found,
            Err(Undecomposed::Stopped(_, reason)) => {
                // The solver's own limit is no stop from outside.
                return limits.stop.raised().map_or(Ok(None), |_| Err(reason));
            }
            Err(_) => return Ok(None),
        };
        let mut part_of = vec![None; circuit.fluents.len()];
        let mut parts = Vec::new();
        let mut owners = [0, 1].map(|role| vec![None; circuit.moves[role].len()]);
        for (number, part) in found.parts.iter().enumerate() {
            let variables = part.variables.iter();
            let mut fluents: Vec<usize> = variables
                .flat_map(|&variable| found.variables[variable].fluents.iter().copied())
                .collect();
            fluents.sort_unstable();
            for &fluent in &fluents {
                if part_of[fluent].replace(number).is_some() {
                    return Ok(None);
                }
            }
            parts.push(fluents);
            for (owners, moves) in owners.iter_mut().zip(&part.moves) {
                for mv in moves.active() {
                    if owners[mv].replace(number).is_some() {
                        return Ok(None);
                    }
                }
            }
        }
        let outside = (0..part_of.len()).filter(|&fluent| part_of[fluent].is_none());
        let split = Self {
            circuit,
            parts,
            outside: outside.collect(),
            owners,
        };
        Ok((split.parts.len() > 1 && split.is_kept_apart(&part_of)).then_some(split))
    }

    /// The moves of a role in a part, by place.
    pub(super) fn moves(&self, role: usize, part: usize) -> impl Iterator<Item = usize> + '_ {
        let moves = self.owners[role].iter().enumerate();
        let moves = moves.filter(move |&(_, &owner)| owner == Some(part));
        moves.map(|(mv, _)| mv)
    }

    /// The moves of a role that are in no part, by place.
    pub(super) fn passes(&self, role: usize) -> impl Iterator<Item = usize> + '_ {
        let moves = self.owners[role].iter().enumerate();
        moves.filter(|(_, owner)| owner.is_none()).map(|(mv, _)| mv)
    }

    /// Whether each part is next, and offers moves, by its own fluents.
    fn is_kept_apart(&self, part_of: &[Option<usize>]) -> bool {
        let reads = reads(self.circuit, part_of);
        let is_of = |signal: Signal, part: Option<usize>| match reads[signal.gate()] {
            Reads::Nothing => true,
            Reads::Part(read) => Some(read) == part,
            Reads::Several => false,
        };
        let mut fluents = self.circuit.fluents.iter().zip(part_of);
        let moves = self.circuit.moves.iter().zip(&self.owners);
        let mut moves = moves.flat_map(|(moves, owners)| moves.iter().zip(owners));
        fluents.all(|(fluent, &part)| part.is_none() || is_of(fluent.next, part))
            && moves.all(|(mv, &part)| is_of(mv.legal, part))
    }
}

/// The parts whose fluents a gate is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Nothing,
    Part(usize),
    Several,
}

impl Reads {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Reads::Nothing, other) => other,
            (one, Reads::Nothing) => one,
            (one, other) if one == other => one,
            _ => Reads::Several,
        }
    }
}

/// By gate, what it reads. Inputs come before the gate; loops are gone through until nothing changes.
fn reads(circuit: &Circuit, part_of: &[Option<usize>]) -> Vec<Reads> {
    let gates = &circuit.gates;
    let mut reads = vec![Reads::Nothing; gates.len()];
    loop {
        for gate in 0..gates.len() {
            match gates.gate(gate) {
                Gate::Fluent(place) => {
                    reads[gate] = part_of[place as usize].map_or(Reads::Nothing, Reads::Part);
                }
                Gate::And => {
                    let inputs = gates.inputs(gate).iter();
                    let inputs = inputs.map(|input| reads[input.gate()]);
                    reads[gate] = inputs.fold(Reads::Nothing, Reads::with);
                }
                Gate::Variable(..) | Gate::False | Gate::Move(..) => {}
            }
        }
        let mut is_stable = true;
        for atoms in gates.loops() {
            for (&variable, definition) in atoms.variables.iter().zip(&atoms.definitions) {
                let all = reads[variable].with(reads[definition.gate()]);
                is_stable &= all == reads[variable];
                reads[variable] = all;
            }
        }
        if is_stable {
            return reads;
        }
    }
}
