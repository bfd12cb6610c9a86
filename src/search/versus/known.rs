//! What is known of states from all algorithms in the end: what strategies and lines are taken from.

use crate::gdl::State;
use crate::search::versus::graph::StateGraph;
use crate::search::versus::lane_game::PackedSearch;
use crate::search::versus::layers::Layered;
use crate::search::versus::proof::Proofs;
use crate::search::versus::question::First;
use crate::search::versus::retrograde::NodeValues;
use crate::search::versus::strategy::{Knowledge, Oracle};
use crate::search::versus::sum::Sum;
use crate::search::versus::worth::{Bounds, Worth, mirrored, snapped};

/// What was found out about the states of a game.
pub(super) enum Source<'s> {
    /// What all states of a graph are worth, by role; and the same where others choose first, if it is not.
    Graph(&'s StateGraph, &'s [NodeValues], &'s [NodeValues]),
    Layers(&'s mut dyn Layered),
    Sum(&'s mut Sum),
    Proofs(&'s Proofs),
    Packed(&'s mut dyn PackedSearch),
}

/// What was found out, and the payoffs that are possible, ascending.
pub(super) struct Known<'s> {
    pub(super) source: Source<'s>,
    pub(super) values: &'s [Worth],
    /// What every play gives to every role.
    pub(super) assured: Worth,
    /// The sum of all payoffs, if what is known of one of two roles shall tell of the other as well.
    pub(super) sum: Option<u32>,
}

impl Known<'_> {
    /// What is known of states about a role by itself.
    fn own(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        match &mut self.source {
            Source::Graph(graph, at_least, at_most) => {
                let values = (&at_least[role], at_most.get(role));
                let states = states.iter();
                states.map(|state| in_graph(graph, values, state)).collect()
            }
            Source::Layers(layers) => layers.know(role, states),
            Source::Sum(sum) => {
                let bounds = states.iter().map(|state| Some(sum.bounds(state)?[role]));
                let known = bounds.map(|bounds| Knowledge {
                    bounds: bounds.unwrap_or(Bounds::OPEN),
                    rank: 0,
                });
                known.collect()
            }
            Source::Proofs(proofs) => {
                let states = states.iter();
                states.map(|state| of_proofs(proofs, role, state)).collect()
            }
            Source::Packed(search) => search.know(role, states),
        }
    }
}

impl Oracle for Known<'_> {
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let mut known = self.own(role, states);
        for own in &mut known {
            own.bounds.at_least = own.bounds.at_least.max(self.assured);
            own.bounds.at_most = snapped(self.values, own.bounds.at_most);
        }
        if let Some(sum) = self.sum {
            // What the other role can force, this one cannot have.
            let other = self.own(1 - role, states);
            for (own, other) in known.iter_mut().zip(other) {
                let mirrored = mirrored((other.bounds, sum), self.values);
                own.bounds = own.bounds.and(mirrored);
            }
        }
        known
    }
}

/// What proof-number search says of a state: what a role can force, and what the others can keep it from exceeding.
fn of_proofs(proofs: &Proofs, role: usize, state: &State) -> Knowledge {
    let forced = proofs.of_state(role, First::Role, state);
    let answering = proofs.of_state(role, First::Others, state);
    Knowledge {
        bounds: Bounds {
            at_least: forced.bounds.at_least,
            at_most: answering.bounds.at_most,
        },
        rank: forced.rank,
    }
}

/// What a graph of which all nodes are evaluated says of a state.
fn in_graph(
    graph: &StateGraph,
    (values, others): (&NodeValues, Option<&NodeValues>),
    state: &State,
) -> Knowledge {
    let Some(node) = graph.find(state) else {
        return Knowledge::NONE;
    };
    let at_least = values.worth[node.index()];
    let at_most = others.map_or(at_least, |values| values.worth[node.index()]);
    // Without cycles, edges lead to later nodes; with them, moves lead to what was attracted before.
    let rank = match values.order.get(node.index()) {
        Some(&order) => order.saturating_add(1),
        None => u32::MAX - node.index() as u32,
    };
    Knowledge {
        bounds: Bounds { at_least, at_most },
        rank,
    }
}
