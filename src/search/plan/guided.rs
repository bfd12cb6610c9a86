//! Guided local search: one subgame is searched, best first, for a state with some concepts.
//!
//! What is looked for is known before: the concepts that a goal value asks of this subgame. States
//! are looked at in order of their estimated distance; the search can be continued any time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::analysis::Cube;
use crate::gdl::{MoveId, Reasoner};
use crate::search::plan::local::LocalGraph;
use crate::search::plan::parts::Parts;
use crate::search::plan::problem::{Halt, Problem};
use crate::search::plan::tree::Arrival;

/// How much more an estimated step counts than one that was made.
const WEIGHT: u32 = 5;

/// A search for one thing in one subgame.
pub(super) struct Guided {
    /// The concepts, by place, with the values they shall have.
    wanted: Cube,
    /// Cost, number in order of discovery, state.
    open: BinaryHeap<Reverse<(u32, usize, usize)>>,
    /// For each state that was met, its way and length.
    met: FxHashMap<usize, (Option<Arrival>, u32)>,
    found: Option<usize>,
    /// No way may be longer.
    longest: u32,
}

impl Guided {
    /// Starts at the initial state.
    pub(super) fn new(wanted: Cube, longest: u32) -> Self {
        let mut guided = Self {
            wanted,
            open: BinaryHeap::new(),
            met: FxHashMap::default(),
            found: None,
            longest,
        };
        guided.met.insert(0, (None, 0));
        guided.open.push(Reverse((0, 0, 0)));
        guided
    }

    /// Goes on as long as there are states left to look at; says whether what is looked for was
    /// found.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &mut LocalGraph,
        left: &mut usize,
    ) -> Result<bool, Halt> {
        if self.met.len() == 1 && self.has_wanted(graph, 0) {
            self.found = Some(0);
        }
        while self.found.is_none() && *left > 0 {
            *left -= 1;
            let Some(Reverse((_, _, node))) = self.open.pop() else {
                break;
            };
            self.expand(problem, parts, graph, node)?;
        }
        Ok(self.found.is_some())
    }

    fn expand<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &mut LocalGraph,
        node: usize,
    ) -> Result<(), Halt> {
        let length = self.met[&node].1 + 1;
        if length > self.longest {
            return Ok(());
        }
        let successors = graph.successors(problem, parts, node)?;
        for &(mv, next) in successors.iter() {
            let known = self.met.get(&next).map(|&(_, length)| length);
            if known.is_some_and(|known| known <= length) {
                continue;
            }
            let arrival = Arrival { from: node, mv };
            self.met.insert(next, (Some(arrival), length));
            if self.has_wanted(graph, next) {
                self.found = Some(next);
                return Ok(());
            }
            // Nothing comes after the end.
            if graph.is_over(next) {
                continue;
            }
            let distance = graph.distance(next, &self.wanted);
            if distance < u32::MAX {
                let cost = distance.saturating_mul(WEIGHT).saturating_add(length);
                self.open.push(Reverse((cost, self.met.len(), next)));
            }
        }
        Ok(())
    }

    fn has_wanted(&self, graph: &LocalGraph, node: usize) -> bool {
        let evaluation = graph.evaluation(node);
        let mut wanted = self.wanted.iter();
        wanted.all(|&(concept, value)| evaluation.contains(concept) == value)
    }

    /// The states and moves on the way to what was found: a move and where it leads.
    pub(super) fn way(&self) -> Vec<(MoveId, usize)> {
        let mut way = Vec::new();
        let mut at = self.found;
        while let Some(node) = at {
            let arrival = self.met[&node].0;
            way.extend(arrival.map(|arrival| (arrival.mv, node)));
            at = arrival.map(|arrival| arrival.from);
        }
        way.reverse();
        way
    }
}
