//! Best-first search of the whole game: straight down to where little is missing.
//!
//! For games that are one puzzle, or in which time must pass in the right way. Of the states from
//! which the highest value and the end are estimated to be nearest, two are looked at in turns: the
//! newest, so that a plan is followed as long as it does not get worse; and the one with the fewest
//! moves, so that what will soon be impossible is done first. Every end that is met on the way counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::estimate::Estimator;
use crate::search::outcome::Proof;
use crate::search::problem::{Halt, Problem, Scope};
use crate::search::tree::{Arrival, Tree};

/// A best-first search that can be continued.
pub(super) struct Dive {
    tree: Tree,
    /// Estimated distance, and the number in order of discovery, which is the place too.
    newest: BinaryHeap<(Reverse<u32>, usize)>,
    /// Estimated distance, number of legal moves, place.
    narrowest: BinaryHeap<(Reverse<u32>, Reverse<usize>, usize)>,
    /// The states that were looked at, by place.
    is_done: FixedBitSet,
    /// Whose turn it is.
    is_turn_of_narrowest: bool,
    /// Knows the highest value and the end.
    estimator: Estimator,
    moves: Vec<MoveId>,
}

impl Dive {
    pub(super) fn new(initial: &State, estimator: Estimator) -> Self {
        Self {
            tree: Tree::new(initial),
            newest: BinaryHeap::from([(Reverse(0), 0)]),
            narrowest: BinaryHeap::new(),
            is_done: FixedBitSet::new(),
            is_turn_of_narrowest: false,
            estimator,
            moves: Vec::new(),
        }
    }

    /// How far the highest value is from where plans begin.
    pub(super) fn distance<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
    ) -> Result<u32, Halt> {
        self.estimator.distance(problem)
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
            let Some(node) = self.next() else {
                return Ok(Some(Proof::AllStates));
            };
            self.expand(problem, node)?;
            if problem.is_won() {
                return Ok(Some(Proof::Highest));
            }
        }
        Ok(None)
    }

    /// The state to be looked at next.
    fn next(&mut self) -> Option<usize> {
        loop {
            self.is_turn_of_narrowest = !self.is_turn_of_narrowest;
            let narrowest = match self.is_turn_of_narrowest {
                true => self.narrowest.pop().map(|(.., node)| node),
                false => None,
            };
            let node = narrowest.or_else(|| self.newest.pop().map(|(_, node)| node))?;
            self.is_done.grow(node + 1);
            if !self.is_done.put(node) {
                return Some(node);
            }
        }
    }

    fn expand<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        node: usize,
    ) -> Result<(), Halt> {
        let Some(state) = self.tree.state(node) else {
            return Ok(());
        };
        problem.visit(&state, &mut self.moves, || self.tree.plan(node))?;
        for mv in std::mem::take(&mut self.moves) {
            let next = problem.successor(&state, mv, Scope::Global)?;
            let (place, is_new) = self.tree.insert(&next, Arrival { from: node, mv });
            if is_new {
                self.judge(problem, &next, place)?;
            }
        }
        Ok(())
    }

    /// Puts a new state where it belongs.
    fn judge<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        state: &State,
        place: usize,
    ) -> Result<(), Halt> {
        let distances = self.estimator.measure(problem.vocabulary_mut(), state)?;
        problem.legal_moves(state, &mut self.moves)?;
        let missing = distances.iter().map(|distance| u32::from(distance.to_true));
        let missing = Reverse(missing.sum());
        let options = Reverse(self.moves.len());
        self.newest.push((missing, place));
        self.narrowest.push((missing, options, place));
        Ok(())
    }
}
