//! Best-first search of the whole game: straight down to where little is missing.
//!
//! For games that are one puzzle, or in which time must pass in the right way. Of the states from
//! which the aim is estimated to be nearest, the next to be looked at is the one with the fewest moves,
//! so that what will soon be impossible is done first: a field of the board that can hardly be reached
//! any more is visited now (Warnsdorf, Des Rösselsprunges einfachste und allgemeinste Lösung, 1823).
//!
//! There are two kinds. One asks that *among all* states, and counts what is missing of the value and of
//! the end. The other goes *along plans*: states that follow on the last one come first, so that a plan is
//! gone on with as long as it does not get worse, and the end counts only where the value is had, since a
//! game that is over when nothing can be done any more would be ended in haste. Neither is better on all
//! games. Every end that is met on the way counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::gdl::{GoalValue, MoveId, Reasoner, State, Vocabulary};
use crate::search::estimate::Estimator;
use crate::search::outcome::Proof;
use crate::search::problem::{Halt, Problem, Scope};
use crate::search::tree::{Arrival, Tree};

/// A best-first search that can be continued.
pub(super) struct Dive {
    tree: Tree,
    queue: BinaryHeap<Rank>,
    order: Order,
    /// The value that is enough.
    enough: GoalValue,
    /// States that were looked at.
    turns: u64,
    compass: Compass,
    moves: Vec<MoveId>,
}

/// Which state is looked at next: what is missing, the turn in which it was found if that counts, the
/// number of legal moves, and the place.
type Rank = (Reverse<(u32, u32)>, u64, Reverse<usize>, usize);

/// In which order states are looked at that are equally near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    AlongPlans,
    AmongAll,
}

/// What a search aims at.
#[derive(Clone, Debug)]
pub(super) enum Compass {
    /// The highest value and the end, as an estimator knows them.
    Value(Box<Estimator>),
    /// A state.
    State(State),
}

impl Compass {
    /// How far a state is from the value and from the end.
    fn missing(&mut self, vocabulary: &mut Vocabulary, state: &State) -> Result<(u32, u32), Halt> {
        match self {
            Compass::Value(estimator) => {
                let distances = estimator.measure(vocabulary, state)?;
                let mut missing = distances.iter().map(|one| u32::from(one.to_true));
                let value = missing.next().unwrap_or(0);
                Ok((value, missing.sum()))
            }
            Compass::State(aim) => Ok((state.changes(aim).count() as u32, 0)),
        }
    }
}

impl Dive {
    /// From this state on until this value is had.
    pub(super) fn new(initial: &State, enough: GoalValue, compass: Compass, order: Order) -> Self {
        Self {
            tree: Tree::new(initial),
            queue: BinaryHeap::from([(Reverse((0, 0)), 0, Reverse(0), 0)]),
            order,
            enough,
            turns: 0,
            compass,
            moves: Vec::new(),
        }
    }

    /// Goes on until so many states were computed or the value is had; says why there is nothing better if
    /// that turns out.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        let before = problem.counts().total();
        while problem.counts().total() - before < states {
            let Some((.., node)) = self.queue.pop() else {
                return Ok(Some(Proof::AllStates));
            };
            self.turns += 1;
            self.expand(problem, node)?;
            if problem.best_value() >= Some(self.enough) {
                return Ok(problem.is_won().then_some(Proof::Highest));
            }
        }
        Ok(None)
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
        let missing = self.compass.missing(problem.vocabulary_mut(), state)?;
        let (missing, turn) = match (self.order, missing) {
            (Order::AlongPlans, (0, end)) => ((0, end), self.turns),
            (Order::AlongPlans, (value, _)) => ((value, 0), self.turns),
            (Order::AmongAll, (value, end)) => ((value + end, 0), 0),
        };
        problem.legal_moves(state, &mut self.moves)?;
        let options = Reverse(self.moves.len());
        self.queue.push((Reverse(missing), turn, options, place));
        Ok(())
    }
}
