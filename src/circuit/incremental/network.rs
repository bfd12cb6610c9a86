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
use crate::circuit::incremental::shared_input::Masks;
use crate::circuit::schedule::Phase;

/// A place in the order of a network.
pub(in crate::circuit) type Node = u32;

/// What is never true: the first node.
pub(super) const FALSE: Node = 0;

/// The counter of the hub of a loop: the node behind its gates, which recomputes it.
pub(super) const HUB: u32 = u32::MAX;

/// One edge of the fan-out of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// A node of which it is an input.
    Straight(Node),
    /// A node of which its inverse is an input.
    Inverted(Node),
    /// An edge to something that is no counter.
    Other(Other),
}

/// An edge to something that is no counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// An output that it is.
    Output(Node),
    /// The hub of a loop that it is an input of.
    Hub(Node),
    /// The mask, by place, that it opens and closes.
    Mask(u32),
    /// The masked gate, by its bit, that is ready if it holds, or if it does not.
    Ready(u32),
}

/// The links of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// By node, where its links start: among counters, and among others.
    starts: Vec<(u32, u32)>,
    /// Nodes that count another one, twice, plus one for its inverse.
    counters: Vec<u32>,
    others: Vec<Other>,
}

/// The links of a node.
pub(super) struct Fan<'l> {
    counters: &'l [u32],
    pub(super) others: &'l [Other],
}

impl Fan<'_> {
    /// Updates the counters in the fan-out of a node that changed; gives their nodes, and whether these change too.
    ///
    /// Whether an edge is inverted and whether a counter reaches zero are unpredictable branches, so the code is
    /// branch-free here, and the caller should be.
    #[inline]
    pub(super) fn tell(
        &self,
        holds: bool,
        counts: &mut [u32],
    ) -> impl Iterator<Item = (Node, bool)> {
        // For a straight link a fall adds one false input and a rise removes one; for an inverted link the other
        // way round.
        let falls = u32::from(!holds);
        self.counters.iter().map(move |&link| {
            let target = link >> 1;
            let more = (link & 1) ^ falls;
            let count = &mut counts[target as usize];
            // Two cases without a branch: +1 or −1. The counter passes zero if it was 0 and grows, or was 1 and
            // shrinks.
            let before = *count;
            *count = before.wrapping_add(2 * more).wrapping_sub(1);
            (target, before == 1 - more)
        })
    }
}

impl Links {
    /// Links by node, of so many nodes; each once.
    pub(super) fn new(nodes: usize, mut links: Vec<(Node, Link)>) -> Self {
        links.sort_unstable();
        links.dedup();
        let mut all = Self::default();
        // Ascending by node, so that one pass over all nodes finds each group.
        let mut own = links.chunk_by(|one, other| one.0 == other.0).peekable();
        for node in 0..nodes {
            all.end();
            let is_of_node = |links: &&[(Node, Link)]| links[0].0 as usize == node;
            for &(_, link) in own.next_if(is_of_node).unwrap_or_default() {
                match link {
                    Link::Straight(target) => all.counters.push(2 * target),
                    Link::Inverted(target) => all.counters.push(2 * target + 1),
                    Link::Other(other) => all.others.push(other),
                }
            }
        }
        all.end();
        all
    }

    /// Notes where the links of a node end and those of the next one start.
    fn end(&mut self) {
        let end = (self.counters.len() as u32, self.others.len() as u32);
        self.starts.push(end);
    }

    #[inline]
    pub(super) fn of(&self, node: Node) -> Fan<'_> {
        let (counters, others) = self.starts[node as usize];
        let (counters_end, others_end) = self.starts[node as usize + 1];
        Fan {
            counters: &self.counters[counters as usize..counters_end as usize],
            others: &self.others[others as usize..others_end as usize],
        }
    }
}

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
