//! Guided local search: one subgame is searched, best first, for a state with some concepts.
//!
//! What is looked for is known before: the concepts that a goal value asks of this subgame. States
//! are looked at in order of their estimated distance; the search can be continued any time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::analysis::Cube;
use crate::gdl::{MoveId, Reasoner};
use crate::search::estimate::Estimator;
use crate::search::local::LocalGraph;
use crate::search::parts::Parts;
use crate::search::problem::{Halt, Problem};
use crate::search::tree::Arrival;

/// How much more an estimated step counts than one that was made.
const WEIGHT: u32 = 5;

/// How far a guided search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// A state was found.
    Found,
    /// There is none.
    Exhausted,
    /// There may be one.
    Unfinished,
}

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

    /// Goes on for so many states.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &mut LocalGraph,
        estimator: &mut Estimator,
        states: usize,
    ) -> Result<Progress, Halt> {
        if self.met.len() == 1 && self.has_wanted(graph, 0) {
            self.found = Some(0);
        }
        for _ in 0..states {
            if self.found.is_some() {
                return Ok(Progress::Found);
            }
            let Some(Reverse((_, _, node))) = self.open.pop() else {
                return Ok(Progress::Exhausted);
            };
            self.expand(problem, parts, graph, estimator, node)?;
        }
        Ok(match self.found {
            Some(_) => Progress::Found,
            None => Progress::Unfinished,
        })
    }

    fn expand<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &mut LocalGraph,
        estimator: &mut Estimator,
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
            let distance = self.distance(problem, parts, graph, estimator, next)?;
            if distance < u32::MAX {
                let cost = distance.saturating_mul(WEIGHT).saturating_add(length);
                self.open.push(Reverse((cost, self.met.len(), next)));
            }
        }
        Ok(())
    }

    fn distance<R: Reasoner>(
        &self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &LocalGraph,
        estimator: &mut Estimator,
        node: usize,
    ) -> Result<u32, Halt> {
        let Some(local) = graph.state(node) else {
            return Ok(u32::MAX);
        };
        let whole = parts.whole(problem.vocabulary(), local, graph.part());
        let distances = estimator.distances(problem.vocabulary_mut(), &whole)?;
        let missing = self.wanted.iter();
        let missing = missing.map(|&(concept, value)| distances.of_other(concept, value));
        Ok(missing.fold(0, u32::saturating_add))
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
