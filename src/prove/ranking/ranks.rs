//! Ranks of the values of a variable, given which follow which.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Values that follow each other, a pair of places among those of the variable; the last place is none of them.
pub(super) type ValueChanges = BTreeSet<(usize, usize)>;

/// By value, the number of circles, or of values that are in none, that may be gone through before it.
pub(super) fn ranks(values: usize, changes: &ValueChanges) -> Vec<u32> {
    let mut ranks = vec![0; values];
    // Tarjan's order has circles that lead to no other first: they are gone through from those that nothing leads to.
    for circle in circles(values, changes).into_iter().rev() {
        let rank = circle.iter().map(|&value| ranks[value]).max().unwrap_or(0);
        circle.iter().for_each(|&value| ranks[value] = rank);
        for &from in &circle {
            for &(_, to) in changes.range((from, 0)..(from + 1, 0)) {
                if !circle.contains(&to) {
                    ranks[to] = ranks[to].max(rank + 1);
                }
            }
        }
    }
    ranks
}

/// The number of values in the largest circle.
pub(super) fn circle(values: usize, changes: &ValueChanges) -> usize {
    let circles = circles(values, changes);
    circles.iter().map(Vec::len).max().unwrap_or(0)
}

/// Values that follow each other in circles, and single ones; what comes after others is before them.
fn circles(values: usize, changes: &ValueChanges) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = (0..values).map(|_| graph.add_node(())).collect();
    for &(from, to) in changes {
        graph.add_edge(nodes[from], nodes[to], ());
    }
    let circles = tarjan_scc(&graph).into_iter();
    let circles = circles.map(|circle| circle.into_iter().map(NodeIndex::index).collect());
    circles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_circle_have_the_same_rank() {
        // empty ⇄ queen → arrow; an edge that nothing leads to.
        let changes = ValueChanges::from([(0, 1), (1, 0), (1, 2)]);
        assert_eq!(ranks(4, &changes), [0, 0, 1, 0]);
        assert_eq!(circle(4, &changes), 2);
        let chain = ValueChanges::from([(0, 1), (1, 2), (0, 2), (2, 3)]);
        assert_eq!(ranks(4, &chain), [0, 1, 2, 3]);
        let around = ValueChanges::from([(0, 1), (1, 2), (2, 0)]);
        assert_eq!(ranks(3, &around), [0, 0, 0]);
        assert_eq!(circle(3, &around), 3);
    }
}
