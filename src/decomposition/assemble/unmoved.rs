//! What no move has an influence on: what runs by itself, and what never changes.

use rustc_hash::FxHashMap;

use crate::circuit::lanes::{bit, lanes};
use crate::decomposition::assemble::assembly::Assembly;
use crate::decomposition::assemble::draft::Draft;
use crate::decomposition::partition::Partition;
use crate::decomposition::phases::Phases;

/// Autonomous variables.
pub(super) struct AutonomousGroups {
    pub(super) constant: Vec<usize>,
    pub(super) moving: Vec<Vec<usize>>,
}

impl Assembly<'_> {
    /// Autonomous variables by dependence on each other, and those that never change.
    pub(super) fn autonomous_groups(&self, draft: &Draft) -> AutonomousGroups {
        let (constant, moving): (Vec<usize>, Vec<usize>) = (0..self.model.variables.len())
            .filter(|&variable| draft.autonomous[variable])
            .partition(|&variable| self.is_constant(variable, draft.phases.as_ref()));
        let mut is_member = vec![false; self.model.variables.len()];
        for &variable in &moving {
            is_member[variable] = true;
        }
        let mut partition = Partition::new(is_member);
        partition.join_dependent(&draft.found.by_like_move);
        AutonomousGroups {
            constant,
            moving: partition.parts(),
        }
    }

    /// Whether a variable never changes, or has the same value after every move, as what is true only at
    /// the start.
    fn is_constant(&self, variable: usize, phases: Option<&Phases>) -> bool {
        if self.model.never_changes(variable) {
            return true;
        }
        let fluents = &self.model.variables[variable].fluents;
        fluents.iter().all(|&fluent| self.is_fixed(fluent, phases))
    }

    /// Whether a fluent has one value after all moves of a phase: then it only says which phase it is.
    fn is_fixed(&self, fluent: usize, phases: Option<&Phases>) -> bool {
        // By the phase as a bit for each that may go on: with three phases 11, 01, 00.
        let mut values: FxHashMap<Vec<bool>, bool> = FxHashMap::default();
        self.model.samples.iter().all(|sample| {
            let rows = phases.map_or_else(Vec::new, |phases| phases.conditions(&sample.legal));
            lanes(sample.open).all(|lane| {
                let phase: Vec<bool> = rows.iter().map(|row| bit(row, lane)).collect();
                let holds = bit(&sample.next[fluent], lane);
                *values.entry(phase).or_insert(holds) == holds
            })
        })
    }

    /// By fluent, whether it belongs to an autonomous variable.
    pub(super) fn context(&self, draft: &Draft) -> Vec<bool> {
        let mut is_context = vec![false; self.model.circuit.fluents.len()];
        for (variable, _) in draft.autonomous.iter().enumerate().filter(|(_, is)| **is) {
            for &fluent in &self.model.variables[variable].fluents {
                is_context[fluent] = true;
            }
        }
        is_context
    }
}
