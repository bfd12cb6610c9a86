//! A drawing as a graph whose edges are sorted by the nodes that they join.

use std::collections::BTreeMap;

use super::elements::Drawing;

/// The edges of a drawing, sorted by the nodes that they join.
pub(super) struct Graph<'a> {
    pub(super) drawing: &'a Drawing,
    pub(super) pairs: Vec<Pair>,
    loops: BTreeMap<usize, Vec<usize>>,
}

/// Two nodes and all the edges between them.
pub(super) struct Pair {
    /// The lesser index first.
    pub(super) ends: [usize; 2],
    pub(super) edges: Vec<usize>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(drawing: &'a Drawing) -> Graph<'a> {
        let mut pairs: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        let mut loops: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, edge) in drawing.edges.iter().enumerate() {
            let ends = [edge.from.min(edge.to), edge.from.max(edge.to)];
            if ends[1] >= drawing.nodes.len() {
                continue;
            }
            if ends[0] == ends[1] {
                loops.entry(ends[0]).or_default().push(index)
            } else {
                pairs.entry(ends).or_default().push(index)
            }
        }
        let pairs = pairs.into_iter();
        Graph {
            drawing,
            pairs: pairs.map(|(ends, edges)| Pair { ends, edges }).collect(),
            loops,
        }
    }

    /// The edges from a node to itself.
    pub(super) fn loops(&self, node: usize) -> &[usize] {
        self.loops.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The frame a node stands in: its group, or none.
    pub(super) fn group(&self, node: usize) -> Option<usize> {
        let group = self.drawing.nodes[node].group;
        group.filter(|&group| group < self.drawing.groups.len())
    }
}
