//! Best-first search of the whole game: straight down to where little is missing.
//!
//! For games that are one puzzle, or in which time must pass in the right way. Which state comes next is said by
//! the [`frontier`](crate::search::plan::frontier), in one of several orders. Every end that is met on the way counts.

use crate::gdl::{GoalValue, MoveId, Reasoner, State, Vocabulary};
use crate::search::plan::estimate::Estimator;
use crate::search::plan::frontier::{Frontier, Missing, Order};
use crate::search::plan::outcome::Proof;
use crate::search::plan::problem::{Halt, Problem, Scope};
use crate::search::plan::tree::{Arrival, Tree};

/// A best-first search that can be continued.
pub(super) struct Dive {
    tree: Tree,
    frontier: Frontier,
    /// The value that is enough.
    enough: GoalValue,
    compass: Compass,
    moves: Vec<MoveId>,
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
    fn missing(&mut self, vocabulary: &mut Vocabulary, state: &State) -> Result<Missing, Halt> {
        match self {
            Compass::Value(estimator) => {
                let distances = estimator.measure(vocabulary, state)?;
                let mut missing = distances.iter().map(|one| u32::from(one.to_true));
                let value = missing.next().unwrap_or(0);
                let end = missing.sum();
                Ok(Missing { value, end })
            }
            Compass::State(aim) => Ok(Missing {
                value: state.changes(aim).count() as u32,
                end: 0,
            }),
        }
    }
}

impl Dive {
    /// From this state on until this value is had.
    pub(super) fn new(initial: &State, enough: GoalValue, compass: Compass, order: Order) -> Self {
        Self {
            tree: Tree::new(initial),
            frontier: Frontier::new(order),
            enough,
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
            let Some(node) = self.frontier.take() else {
                return Ok(Some(Proof::AllStates));
            };
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
        if self.frontier.counts_moves() {
            problem.legal_moves(state, &mut self.moves)?;
        }
        self.frontier.put(place, missing, self.moves.len());
        Ok(())
    }
}
