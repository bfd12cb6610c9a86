//! A circuit as a network of counters.
//!
//! Every gate counts those of its inputs that are false, and is true if there are none. A node that
//! changes tells the counters of the gates behind it, and those that come to zero or leave it have
//! changed as well.
//!
//! Nodes are numbered in the order in which they are brought up to date: first fluents and moves, then
//! phase by phase, inputs before the gates that count them, so that no node changes twice. Behind them
//! come the outputs. A gate that is nothing but an output has no other number; a change of it is seen at
//! once.

use std::ops::Range;

use crate::circuit::incremental::guards::Masks;
use crate::circuit::incremental::layout::Layout;
use crate::circuit::incremental::settle::Settling;
use crate::circuit::schedule::Phase;

/// A place in the order of a network.
pub(in crate::circuit) type Node = u32;

/// What is never true: the first node.
pub(super) const FALSE: Node = 0;

/// The counter of what brings a loop up to date: the node behind its gates.
pub(super) const HUB: u32 = u32::MAX;

/// Who has to do with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// A node of which it is an input.
    Straight(Node),
    /// A node of which its inverse is an input.
    Inverted(Node),
    /// What else it is seen by.
    Other(Other),
}

/// Who has to do with a node but does not count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// An output that it is.
    Output(Node),
    /// The hub of a loop that it is an input of.
    Hub(Node),
    /// The mask, by place, of what it guards.
    Mask(u32),
    /// The guarded gate, by its bit, that is ready if it holds, or if it does not.
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
    /// Tells the counters behind the node what it is now; gives their nodes, and whether these change with it.
    ///
    /// Neither who counts the inverse nor whether a counter comes to zero can be foreseen; so nothing branches on it,
    /// nor should the caller.
    #[inline]
    pub(super) fn tell(
        &self,
        holds: bool,
        counts: &mut [u32],
    ) -> impl Iterator<Item = (Node, bool)> {
        let falls = u32::from(!holds);
        self.counters.iter().map(move |&link| {
            let target = link >> 1;
            let more = (link & 1) ^ falls;
            let count = &mut counts[target as usize];
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
    /// What nodes count while everything is false; see [`HUB`].
    pub(super) counts: Vec<u32>,
    /// The nodes of each phase.
    pub(super) phases: [Range<Node>; 3],
    /// Loops, in the order of their hubs.
    pub(super) loops: Vec<Settling>,
    /// The word, of a bit a node, in which outputs start.
    pub(super) first: usize,
    /// What can be seen, from there on.
    pub(super) layout: Layout,
    /// A bit a node: the outputs while everything is false.
    pub(super) bits: Vec<u64>,
    /// What guards guard.
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

    /// The loop that a hub brings up to date.
    pub(super) fn loop_of(&self, hub: Node) -> Option<&Settling> {
        let place = self.loops.binary_search_by_key(&hub, |looped| looped.hub());
        place.ok().map(|place| &self.loops[place])
    }
}
