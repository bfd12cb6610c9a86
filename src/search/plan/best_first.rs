//! Greedy best-first search of the whole game (Doran and Michie 1966): states with the lowest heuristic value first.
//!
//! For games that are one puzzle, or in which time must pass in the right way. The
//! [`open_list`](crate::search::plan::open_list) breaks ties in one of several orders. Every terminal state on the
//! way is a candidate plan, so the search is anytime.

use crate::gdl::{GoalValue, MoveId, Reasoner, State, Vocabulary};
use crate::search::halt::Halt;
use crate::search::plan::estimate::Estimator;
use crate::search::plan::open_list::{HeuristicValue, OpenList, Order};
use crate::search::plan::outcome::Proof;
use crate::search::plan::problem::{Problem, Scope};
use crate::search::plan::tree::{Arrival, Tree};

/// A greedy best-first search that can be continued.
pub(super) struct BestFirstSearch {
    tree: Tree,
    open_list: OpenList,
    /// The search ends with a plan of this value.
    enough: GoalValue,
    aim: HeuristicTarget,
    moves: Vec<MoveId>,
}

/// What the heuristic estimates the distance to.
#[derive(Clone, Debug)]
pub(super) enum HeuristicTarget {
    /// A state with the highest goal value, and the end of the game.
    Value(Box<Estimator>),
    /// A state.
    State(State),
}

impl HeuristicTarget {
    /// The heuristic value of a state.
    fn estimate(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<HeuristicValue, Halt> {
        match self {
            HeuristicTarget::Value(estimator) => {
                // The first formula is that the value is had, the others that the game is over: a state can be
                // right and not the end yet.
                let distances = estimator.measure(vocabulary, state)?;
                let mut missing = distances.iter().map(|one| u32::from(one.to_true));
                let value = missing.next().unwrap_or(0);
                let end = missing.sum();
                Ok(HeuristicValue { value, end })
            }
            HeuristicTarget::State(aim) => Ok(HeuristicValue {
                value: state.changes(aim).count() as u32,
                end: 0,
            }),
        }
    }
}

impl BestFirstSearch {
    /// From this state on until this value is had.
    pub(super) fn new(
        initial: &State,
        enough: GoalValue,
        aim: HeuristicTarget,
        order: Order,
    ) -> Self {
        Self {
            tree: Tree::new(initial),
            open_list: OpenList::new(order),
            enough,
            aim,
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
            // An empty open list is a proof: every reachable state was expanded.
            let Some(node) = self.open_list.pop() else {
                return Ok(Some(Proof::AllStates));
            };
            self.expand(problem, node)?;
            // Enough may be less than the highest value, and then nothing is proved.
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
        // Room is taken and not given back: `add` needs the buffer for the successors' moves.
        for mv in std::mem::take(&mut self.moves) {
            let next = problem.successor(&state, mv, Scope::Global)?;
            let (place, is_new) = self.tree.insert(&next, Arrival { from: node, mv });
            if is_new {
                self.add(problem, &next, place)?;
            }
        }
        Ok(())
    }

    /// Evaluates a new state and adds it to the open list.
    fn add<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        state: &State,
        place: usize,
    ) -> Result<(), Halt> {
        let estimate = self.aim.estimate(problem.vocabulary_mut(), state)?;
        if self.open_list.counts_moves() {
            problem.legal_moves(state, &mut self.moves)?;
        }
        self.open_list.push(place, estimate, self.moves.len());
        Ok(())
    }
}
