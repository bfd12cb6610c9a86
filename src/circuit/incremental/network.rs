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
    /// Nodes of which it is an input.
    Straight = 0,
    /// Nodes of which its inverse is an input.
    Inverted = 1,
    /// Outputs that it is.
    Output = 2,
    /// Hubs of loops that it is an input of.
    Hub = 3,
    /// Masks of what it guards.
    Mask = 4,
    /// Guarded gates that are ready if it holds, or if it does not.
    Ready = 5,
}

/// Where the links of a node are.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Where each kind starts.
    starts: [u32; 6],
    end: u32,
}

/// The links of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    places: Vec<Place>,
    items: Vec<u32>,
    /// No node is an input of more.
    most: usize,
}

/// The links of a node.
pub(super) struct Fan<'l> {
    pub(super) straight: &'l [Node],
    pub(super) inverted: &'l [Node],
    pub(super) outputs: &'l [Node],
    pub(super) hubs: &'l [Node],
    /// Places of masks.
    pub(super) masks: &'l [u32],
    /// Bits of guarded gates.
    pub(super) ready: &'l [u32],
}

impl Fan<'_> {
    /// Tells the counters behind the node what it is now, and notes the nodes that change with it; their
    /// number. There must be room for [`Links::most`] of them.
    #[inline]
    pub(super) fn tell(&self, holds: bool, counts: &mut [u32], changed: &mut [Node]) -> usize {
        let (less, more) = match holds {
            true => (self.straight, self.inverted),
            false => (self.inverted, self.straight),
        };
        // Whether a counter has come to zero cannot be foreseen; so nothing branches on it.
        let mut number = 0;
        for &target in less {
            let count = &mut counts[target as usize];
            *count -= 1;
            changed[number] = target;
            number += usize::from(*count == 0);
        }
        for &target in more {
            let count = &mut counts[target as usize];
            *count += 1;
            changed[number] = target;
            number += usize::from(*count == 1);
        }
        number
    }
}

impl Links {
    /// Links by node, of so many nodes; each once.
    pub(super) fn new(nodes: usize, mut links: Vec<(Node, Link, u32)>) -> Self {
        links.sort_unstable();
        links.dedup();
        let mut places = vec![Place::default(); nodes];
        let mut at = 0;
        for (node, place) in places.iter_mut().enumerate() {
            for (kind, start) in place.starts.iter_mut().enumerate() {
                let comes_before = |&(from, link, _): &(Node, Link, u32)| {
                    (from as usize, link as usize) < (node, kind)
                };
                while links.get(at).is_some_and(comes_before) {
                    at += 1;
                }
                *start = at as u32;
            }
            let own = |&(from, _, _): &(Node, Link, u32)| from as usize == node;
            while links.get(at).is_some_and(own) {
                at += 1;
            }
            place.end = at as u32;
        }
        let inputs = places
            .iter()
            .map(|place| place.starts[Link::Output as usize]);
        let inputs = inputs
            .zip(&places)
            .map(|(end, place)| end - place.starts[0]);
        Self {
            most: inputs.max().unwrap_or(0) as usize,
            places,
            items: links.into_iter().map(|(_, _, item)| item).collect(),
        }
    }

    /// No node is an input of more nodes.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    #[inline]
    pub(super) fn of(&self, node: Node) -> Fan<'_> {
        let Place { starts, end } = self.places[node as usize];
        let [straight, inverted, outputs, hubs, masks, ready] = starts.map(|start| start as usize);
        Fan {
            straight: &self.items[straight..inverted],
            inverted: &self.items[inverted..outputs],
            outputs: &self.items[outputs..hubs],
            hubs: &self.items[hubs..masks],
            masks: &self.items[masks..ready],
            ready: &self.items[ready..end as usize],
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
