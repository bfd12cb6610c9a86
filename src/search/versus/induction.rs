//! Payoffs under backward induction: what roles get if each takes what is best for itself, and all know it of each other.
//!
//! With more than two roles, or without a constant sum, this may be more than what a role can force, and depends on
//! what a role does that is indifferent. Here it takes what is better for the first role, then for the second, and so
//! on: a rule that reads payoffs alone, so that it does not depend on the order of moves.

use std::cmp::Ordering;

use crate::search::versus::graph::{Shape, StateGraph};
use crate::search::versus::worth::Worth;

/// Compares what a role that chooses may get: first its own payoff, then all in the order of roles.
pub(super) fn compare(role: usize, one: &[Worth], other: &[Worth]) -> Ordering {
    one[role].cmp(&other[role]).then_with(|| one.cmp(other))
}

/// The payoffs at the start of a graph without cycles in which one role at a time chooses; none if a play has none.
pub(super) fn payoffs(graph: &StateGraph) -> Option<Vec<Worth>> {
    let mut vectors: indexmap::IndexSet<Vec<Worth>, rustc_hash::FxBuildHasher> =
        indexmap::IndexSet::default();
    let mut induced = vec![0u32; graph.len()];
    for node in graph.nodes().rev() {
        let vector = match graph.shape(node) {
            Shape::End(payoffs) => payoffs.clone(),
            Shape::Choices(choices) => {
                // Where nobody has a choice there is one successor, whoever is said to choose.
                let role = choices.iter().position(|&own| own > 1).unwrap_or(0);
                let after = graph.edges(node).iter();
                let after = after.map(|&next| &vectors[induced[next.index()] as usize]);
                after
                    .max_by(|one, other| compare(role, one, other))?
                    .clone()
            }
        };
        induced[node.index()] = vectors.insert_full(vector).0 as u32;
    }
    Some(vectors[induced[StateGraph::START.index()] as usize].clone())
}
