//! Retrograde analysis: what every state is worth, computed from the ends backwards.
//!
//! Where every edge of the graph leads to a later node, nodes are evaluated in one pass from the last to the first.
//! Otherwise the game has cycles (or seems to), and worths are *attracted*, the highest first: a node is worth at
//! least *v* once so many of its successors are that the role can force one. Counters of what is missing make
//! this linear in the number of edges. What nothing attracts is without value: there the others can keep
//! the play from ever ending well.
//!
//! ```text
//! a → b, a → c; b → a, b → end 50; c → end 100     (one role chooses in a, the other in b)
//! 100: c, and a, which may choose c.   50: the end; not yet b, which has a ... but a is there: b.
//! ```
//!
//! Source: [T86], extended from won and lost to ordered payoffs and joint moves.

use std::collections::VecDeque;

use crate::limits::{StopFlag, StopReason};
use crate::search::versus::graph::{NodeId, Options, Shape, StateGraph};
use crate::search::versus::question::First;
use crate::search::versus::worth::Worth;

/// Nodes between two polls of the limits.
const INTERVAL: usize = 1 << 16;

/// What every node of a graph is worth to one role.
pub(super) struct NodeValues {
    pub(super) worth: Vec<Worth>,
    /// By node, when it was attracted: towards lower numbers a worth is reached. Empty where there are no cycles.
    pub(super) order: Vec<u32>,
}

/// Evaluates a graph of which all nodes are expanded.
///
/// # Errors
/// Why it was stopped.
pub(super) fn evaluate(
    graph: &StateGraph,
    role: usize,
    first: First,
    stop: &StopFlag,
) -> Result<NodeValues, StopReason> {
    if graph.is_ascending() {
        descend(graph, role, first, stop)
    } else {
        attract(graph, role, first, stop)
    }
}

/// One pass from the last node to the first.
fn descend(
    graph: &StateGraph,
    role: usize,
    first: First,
    stop: &StopFlag,
) -> Result<NodeValues, StopReason> {
    let mut worth = vec![Worth::NONE; graph.len()];
    for node in graph.nodes().rev() {
        if node.index().is_multiple_of(INTERVAL) {
            stop.poll()?;
        }
        worth[node.index()] = match graph.shape(node) {
            Shape::End(payoffs) => payoffs[role],
            Shape::Choices(choices) => {
                let after = graph.edges(node).iter();
                let after = after.map(|&next| worth[next.index()]);
                // Three cases of who chooses: nobody but the others, the role alone, or several.
                if choices[role] == 1 {
                    after.min().unwrap_or(Worth::NONE)
                } else if choices.iter().product::<usize>() == choices[role] {
                    after.max().unwrap_or(Worth::NONE)
                } else {
                    stage(graph.edges(node), Options::of(choices, role), first, &worth)
                }
            }
        };
    }
    let order = Vec::new();
    Ok(NodeValues { worth, order })
}

/// The worth of a state where several choose at the same moment.
fn stage(edges: &[NodeId], options: Options, first: First, worth: &[Worth]) -> Worth {
    let after = |own, others| worth[edges[options.join(own, others)].index()];
    let value = match first {
        First::Role => (0..options.own)
            .filter_map(|own| (0..options.others).map(|others| after(own, others)).min())
            .max(),
        First::Others => (0..options.others)
            .filter_map(|others| (0..options.own).map(|own| after(own, others)).max())
            .min(),
    };
    value.unwrap_or(Worth::NONE)
}

/// The edges of a graph by the node to which they lead.
struct Predecessors {
    /// By node, where its edges begin; and the end of the last.
    first: Vec<u64>,
    /// The node where the edge begins, and which of its joint moves it is.
    edges: Vec<(NodeId, u32)>,
}

impl Predecessors {
    fn of(graph: &StateGraph) -> Self {
        // Counting sort of the edges by their target: numbers, prefix sums, places.
        let mut first = vec![0u64; graph.len() + 1];
        for node in graph.nodes() {
            let edges = graph.edges(node).iter();
            edges.for_each(|to| first[to.index() + 1] += 1);
        }
        for node in 0..graph.len() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut edges = vec![(StateGraph::START, 0); graph.edge_count()];
        for node in graph.nodes() {
            for (joint, &to) in graph.edges(node).iter().enumerate() {
                edges[next[to.index()] as usize] = (node, joint as u32);
                next[to.index()] += 1;
            }
        }
        Self { first, edges }
    }

    fn of_node(&self, node: NodeId) -> &[(NodeId, u32)] {
        let (start, end) = (self.first[node.index()], self.first[node.index() + 1]);
        &self.edges[start as usize..end as usize]
    }
}

/// What keeps nodes from being attracted.
struct Missing {
    first: First,
    /// By edge place: for [`First::Role`], at the place of the role's move, the joint moves of the others that are
    /// not attracted; for [`First::Others`], at the place of the others' joint move, one until some answer is.
    by_choice: Vec<u32>,
    /// By node, joint moves of the others without an attracted answer.
    by_node: Vec<u32>,
}

impl Missing {
    fn of(graph: &StateGraph, role: usize, first: First) -> Self {
        let mut by_choice = vec![0; graph.edge_count()];
        let mut by_node = vec![0; graph.len()];
        for (node, left) in graph.nodes().zip(&mut by_node) {
            if let Shape::Choices(choices) = graph.shape(node) {
                let options = Options::of(choices, role);
                let start = graph.first_edge(node);
                match first {
                    First::Role if options.others > 0 => {
                        // The role has forced it when all joint moves of the others against one of its moves are
                        // attracted.
                        by_choice[start..start + options.own].fill(options.others as u32);
                    }
                    First::Role => {}
                    // If it answers, it has forced it when each joint move of the others has one attracted answer.
                    First::Others => by_choice[start..start + options.others].fill(1),
                }
                *left = options.others as u32;
            }
        }
        Self {
            first,
            by_choice,
            by_node,
        }
    }

    /// Notes that a joint move leads to an attracted node; says whether the node that it starts from is attracted.
    fn note(&mut self, graph: &StateGraph, role: usize, (node, joint): (NodeId, usize)) -> bool {
        let Shape::Choices(choices) = graph.shape(node) else {
            return false;
        };
        let (own, others) = Options::of(choices, role).split(joint);
        let start = graph.first_edge(node);
        match self.first {
            First::Role => {
                let left = &mut self.by_choice[start + own];
                *left -= 1;
                *left == 0
            }
            // Only the first attracted answer counts.
            First::Others => {
                let open = std::mem::replace(&mut self.by_choice[start + others], 0);
                self.by_node[node.index()] -= open;
                open == 1 && self.by_node[node.index()] == 0
            }
        }
    }
}

/// Attraction by descending worth.
fn attract(
    graph: &StateGraph,
    role: usize,
    first: First,
    stop: &StopFlag,
) -> Result<NodeValues, StopReason> {
    let predecessors = Predecessors::of(graph);
    let mut missing = Missing::of(graph, role, first);
    let mut worth = vec![Worth::NONE; graph.len()];
    let mut order = vec![u32::MAX; graph.len()];
    let mut ends = vec![Vec::new(); Worth::MOST.index() + 1];
    // Ends by what they are worth: a bucket for each of 102 values.
    for node in graph.nodes() {
        if let Shape::End(payoffs) = graph.shape(node) {
            ends[payoffs[role].index()].push(node);
        }
    }
    let mut attracted = 0u32;
    for value in Worth::payoffs() {
        let mut queue = VecDeque::<NodeId>::from(std::mem::take(&mut ends[value.index()]));
        queue.iter().for_each(|end| worth[end.index()] = value);
        while let Some(node) = queue.pop_front() {
            order[node.index()] = attracted;
            attracted += 1;
            if (attracted as usize).is_multiple_of(INTERVAL) {
                stop.poll()?;
            }
            for &(from, joint) in predecessors.of_node(node) {
                // Attracted once, with the highest worth that can be forced, as worths come in descending order.
                if missing.note(graph, role, (from, joint as usize))
                    && worth[from.index()] == Worth::NONE
                {
                    worth[from.index()] = value;
                    queue.push_back(from);
                }
            }
        }
    }
    Ok(NodeValues { worth, order })
}
