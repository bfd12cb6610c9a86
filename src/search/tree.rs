//! States in order of discovery, each with the move that led to it.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;

use crate::gdl::MoveId;
use crate::search::outcome::Plan;

/// How a state was first reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The state before, by place.
    pub(super) from: usize,
    pub(super) mv: MoveId,
}

/// Distinct states with the ways to them.
#[derive(Clone, Debug)]
pub(super) struct Tree<S> {
    nodes: IndexMap<S, Option<Arrival>, FxBuildHasher>,
}

impl<S: Hash + Eq> Tree<S> {
    /// The tree of one state.
    pub(super) fn new(root: S) -> Self {
        let mut nodes = IndexMap::default();
        nodes.insert(root, None);
        Self { nodes }
    }

    /// Adds a state; gives its place, and whether it is new.
    pub(super) fn insert(&mut self, state: S, arrival: Arrival) -> (usize, bool) {
        let place = self.nodes.len();
        match self.nodes.entry(state) {
            indexmap::map::Entry::Occupied(known) => (known.index(), false),
            indexmap::map::Entry::Vacant(vacant) => {
                vacant.insert(Some(arrival));
                (place, true)
            }
        }
    }

    pub(super) fn state(&self, place: usize) -> Option<&S> {
        self.nodes.get_index(place).map(|(state, _)| state)
    }

    /// The moves from the root to a state.
    pub(super) fn plan(&self, place: usize) -> Plan {
        let mut plan = Plan::new();
        let mut at = place;
        while let Some((_, Some(arrival))) = self.nodes.get_index(at) {
            plan.push(arrival.mv);
            at = arrival.from;
        }
        plan.reverse();
        plan
    }
}
