//! Weighted A* (Pohl 1970) in one subgame, for a local state with given values of its concepts.
//!
//! The concepts that a goal value asks of this subgame are known before. States are expanded in the order of
//! f = g + w·h, where g counts moves and h fluents that still have to change; the search can be continued any time.
//! The heuristic is not admissible, so plans may be longer than the shortest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::analysis::Cube;
use crate::gdl::{MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::parts::Parts;
use crate::search::plan::problem::Problem;
use crate::search::plan::tree::Arrival;

/// The weight w of the heuristic against the moves made.
const WEIGHT: u32 = 5;

/// A search for a local state with some values of the concepts.
pub(super) struct WeightedAStar {
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

impl WeightedAStar {
    /// Starts at the initial state.
    pub(super) fn new(wanted: Cube, longest: u32) -> Self {
        let mut search = Self {
            wanted,
            open: BinaryHeap::new(),
            met: FxHashMap::default(),
            found: None,
            longest,
        };
        search.met.insert(0, (None, 0));
        search.open.push(Reverse((0, 0, 0)));
        search
    }

    /// Expands states while `left` lasts; says whether the wanted state was found.
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
        // A node that was reopened may be in the queue with its old cost as well; expanding it again changes nothing.
        let length = self.met[&node].1 + 1;
        if length > self.longest {
            return Ok(());
        }
        let successors = graph.successors(problem, parts, node)?;
        for &(mv, next) in successors.iter() {
            let known = self.met.get(&next).map(|&(_, length)| length);
            // A state is reopened when a shorter way is found, since the heuristic is not consistent.
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
                // Ties in order of discovery.
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
