//! States and the moves between them, as numbers.

use crate::gdl::States;
use crate::prove::graph::labels::Labels;

/// States and moves between them.
pub(in crate::prove) struct Graph {
    pub(super) states: States,
    /// By state, where its joint moves end in `successors`.
    pub(super) ends: Vec<usize>,
    /// Where joint moves lead, the last role's move changing first.
    pub(super) successors: Vec<u32>,
    /// By state and role, the number of legal moves; 0 for ends.
    pub(super) options: Vec<u32>,
    pub(super) roles: usize,
    pub(super) parents: Vec<u32>,
    pub(super) depths: Vec<u32>,
    /// What is true in the states, and the targets that they reach.
    pub(in crate::prove) labels: Labels,
    /// Whether these are all states.
    pub(in crate::prove) is_complete: bool,
}

impl Graph {
    /// Number of states that were found.
    pub(in crate::prove) fn len(&self) -> usize {
        self.states.len()
    }

    /// Number of states of which it is known what comes after.
    pub(super) fn expanded(&self) -> usize {
        self.ends.len()
    }

    /// The moves up to which all plays were looked at.
    pub(in crate::prove) fn depth(&self) -> u64 {
        // States are expanded in order of depth: before the first one that is not, all of smaller depth are.
        let last = self.depths.get(self.expanded()).or(self.depths.last());
        last.map_or(0, |&depth| u64::from(depth))
    }

    /// Whether a signal is true in a state.
    pub(in crate::prove) fn has(&self, state: usize, signal: usize) -> bool {
        self.labels.has(state, signal)
    }

    /// Where the joint moves of a state lead.
    pub(in crate::prove) fn successors(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else {
            return &[];
        };
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[start..end]
    }

    /// The first state in which a signal is true.
    pub(in crate::prove) fn find(&self, signal: usize) -> Option<usize> {
        (0..self.len()).find(|&state| self.has(state, signal))
    }

    /// The first move with one of some pairs of signals, before and after it.
    pub(in crate::prove) fn find_step(&self, pairs: &[[usize; 2]]) -> Option<[usize; 2]> {
        let is_step = |from: usize, to: usize| {
            pairs
                .iter()
                .any(|&[before, after]| self.has(from, before) && self.has(to, after))
        };
        (0..self.expanded()).find_map(|from| {
            let mut to = self.successors(from).iter();
            let found = to.find(|&&to| is_step(from, to as usize));
            found.map(|&to| [from, to as usize])
        })
    }
}
