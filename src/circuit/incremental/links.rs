//! The fan-out of the nodes of a network.

/// A node, by its place in the order of a network.
///
/// A word and no type of its own: a node is a bit of the agenda, a bound of a range of nodes and, shifted, an edge; the
/// innermost loops compute with it, and loops number their nodes anew.
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
