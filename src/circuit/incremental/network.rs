//! A circuit as a network of counters (a counting propnet).
//!
//! Every gate counts its false inputs, and is true if there are none. A change of a node updates the
//! counters in its fan-out; a gate whose counter reaches or leaves zero has changed in turn:
//!
//! ```text
//! g = a ∧ b ∧ c      a, b true, c false: counter 1, g false      c becomes true: counter 0, g changes
//! ```
//!
//! Nodes are numbered in topological order: fluents and moves, then phase by phase, inputs before the
//! gates that count them, so that no node changes twice. The outputs come last. A gate that is nothing
//! but an output has no other number: a change flips its output bit at once.

use std::ops::Range;

use crate::circuit::incremental::fixpoint::LoopFixpoint;
use crate::circuit::incremental::layout::Layout;
use crate::circuit::incremental::links::{Links, Node};
use crate::circuit::incremental::shared_input::Masks;
use crate::circuit::schedule::Phase;

/// A circuit for one state at a time.
#[derive(Clone, Debug, Default)]
pub(in crate::circuit) struct Network {
    pub(super) links: Links,
    /// The counters while all fluents and moves are false; see [`HUB`].
    pub(super) counts: Vec<u32>,
    /// The nodes of each phase.
    pub(super) phases: [Range<Node>; 3],
    /// Loops, in the order of their hubs.
    pub(super) loops: Vec<LoopFixpoint>,
    /// The word, of a bit a node, in which outputs start.
    pub(super) first: usize,
    /// The layout of the outputs.
    pub(super) layout: Layout,
    /// A bit a node: the outputs while all fluents and moves are false.
    pub(super) bits: Vec<u64>,
    /// The masks of shared inputs and of enablers.
    pub(super) masks: Masks,
    /// By fluent, by id, its node, or [`FALSE`] if nothing depends on it.
    pub(super) fluents: Vec<Node>,
    /// By role and place of a move, its node, or [`FALSE`] if nothing depends on it.
    pub(super) moves: Vec<Vec<Node>>,
}

impl Network {
    pub(super) fn phase(&self, phase: Phase) -> Range<Node> {
        self.phases[phase as usize].clone()
    }

    /// The loop that a hub recomputes.
    pub(super) fn loop_of(&self, hub: Node) -> Option<&LoopFixpoint> {
        let place = self.loops.binary_search_by_key(&hub, |looped| looped.hub());
        place.ok().map(|place| &self.loops[place])
    }
}
