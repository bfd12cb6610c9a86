//! What all algorithms together know of states in the end: what strategies and lines are taken from.

use crate::gdl::State;
use crate::search::versus::graph::Graph;
use crate::search::versus::layers::Layered;
use crate::search::versus::proof::Proofs;
use crate::search::versus::retrograde::Values;
use crate::search::versus::strategy::{Knowledge, Oracle};
use crate::search::versus::sum::Sum;
use crate::search::versus::worth::{Bounds, Worth, snapped};

/// What was found out about the states of a game.
pub(super) enum Source<'s> {
    /// What all states of a graph are worth, by role; and the same where others choose first, if it is not.
    Graph(&'s Graph, &'s [Values], &'s [Values]),
    Layers(&'s mut dyn Layered),
    Sum(&'s mut Sum),
    Proofs(&'s Proofs),
}

/// What was found out, and the payoffs that are possible, ascending.
pub(super) struct Known<'s> {
    pub(super) source: Source<'s>,
    pub(super) values: &'s [Worth],
}

impl Oracle for Known<'_> {
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let exactly = |bounds: Option<Bounds>| match bounds {
            Some(bounds) => Knowledge { bounds, rank: 0 },
            None => Knowledge::NONE,
        };
        match &mut self.source {
            Source::Graph(graph, at_least, at_most) => {
                let values = (&at_least[role], at_most.get(role));
                let states = states.iter();
                states.map(|state| in_graph(graph, values, state)).collect()
            }
            Source::Layers(layers) => layers.know(role, states),
            Source::Sum(sum) => {
                let states = states.iter();
                let bounds = states.map(|state| Some(sum.bounds(state)?[role]));
                bounds.map(exactly).collect()
            }
            Source::Proofs(proofs) => {
                let bounds = states.iter().map(|state| proofs.of_state(role, state));
                let bounds = bounds.map(|bounds| Bounds {
                    at_least: bounds.at_least,
                    at_most: snapped(self.values, bounds.at_most),
                });
                bounds.map(|bounds| exactly(Some(bounds))).collect()
            }
        }
    }
}

/// What a graph of which all nodes are evaluated says of a state.
fn in_graph(
    graph: &Graph,
    (values, others): (&Values, Option<&Values>),
    state: &State,
) -> Knowledge {
    let Some(node) = graph.find(state) else {
        return Knowledge::NONE;
    };
    let at_least = values.worth[node];
    let at_most = others.map_or(at_least, |values| values.worth[node]);
    // Without cycles, edges lead to later nodes; with them, moves lead to what was attracted before.
    let rank = match values.order.get(node) {
        Some(&order) => order.saturating_add(1),
        None => u32::MAX - node as u32,
    };
    Knowledge {
        bounds: Bounds { at_least, at_most },
        rank,
    }
}
