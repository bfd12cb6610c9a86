//! Best-first search of the whole game: straight down to where little is missing.
//!
//! For games that are one puzzle, or in which time must pass in the right way. Of the states from
//! which the highest value and the end are estimated to be nearest, the newest is looked at first, so
//! that a plan is followed as long as it does not get worse. Every end that is met on the way counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::estimate::Estimator;
use crate::search::outcome::Proof;
use crate::search::problem::{Halt, Problem, Scope};
use crate::search::tree::{Arrival, Tree};

/// A best-first search that can be continued.
pub(super) struct Dive {
    tree: Tree<State>,
    /// Estimated distance, and the number in order of discovery, which is the place too.
    open: BinaryHeap<(Reverse<u32>, usize)>,
    /// Knows the highest value and the end.
    estimator: Estimator,
    moves: Vec<MoveId>,
}

impl Dive {
    pub(super) fn new(initial: State, estimator: Estimator) -> Self {
        Self {
            tree: Tree::new(initial),
            open: BinaryHeap::from([(Reverse(0), 0)]),
            estimator,
            moves: Vec::new(),
        }
    }

    /// Goes on until so many states were computed; says why there is nothing better if that turns
    /// out.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        let before = problem.counts().total();
        while problem.counts().total() - before < states {
            let Some((_, node)) = self.open.pop() else {
                return Ok(Some(Proof::AllStates));
            };
            self.expand(problem, node)?;
            if problem.is_won() {
                return Ok(Some(Proof::Highest));
            }
        }
        Ok(None)
    }

    fn expand<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        node: usize,
    ) -> Result<(), Halt> {
        let Some(state) = self.tree.state(node).cloned() else {
            return Ok(());
        };
        if problem.is_terminal(&state)? {
            if let Some(value) = problem.value(&state)? {
                problem.offer(value, || self.tree.plan(node));
            }
            return Ok(());
        }
        problem.legal_moves(&state, &mut self.moves)?;
        if self.moves.is_empty() {
            problem.blame_stuck(&state);
        }
        for &mv in &self.moves {
            let next = problem.successor(&state, mv, Scope::Global)?;
            let distances = self.estimator.measure(problem.vocabulary_mut(), &next)?;
            let (place, is_new) = self.tree.insert(next, Arrival { from: node, mv });
            if is_new {
                let missing = distances.iter().map(|distance| u32::from(distance.to_true));
                self.open.push((Reverse(missing.sum()), place));
            }
        }
        Ok(())
    }
}
