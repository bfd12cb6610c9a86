//! Iterative deepening of the whole game, depth first, with a transposition table.
//!
//! For games whose states are too many to keep in breadth: the table may forget, the search still
//! ends, and plans are found that are as short as possible.

use rustc_hash::FxHashMap;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::outcome::{Plan, Proof};
use crate::search::problem::{Halt, Problem, Scope};

/// States that the table keeps; beyond, nothing new is kept.
const MAX_TABLE: usize = 4_000_000;

/// A state on the way that is being looked at.
struct Level {
    state: State,
    /// The moves that are still to be tried; the last one first.
    moves: Vec<MoveId>,
}

/// Searches until the highest value is reached or all states were seen.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<Proof, Halt> {
    let initial = problem.start().clone();
    for depth in 0.. {
        let mut deepening = Deepening {
            depth,
            searched: FxHashMap::default(),
            cut: 0,
            way: Vec::new(),
            plan: Plan::new(),
        };
        deepening.run(problem, initial.clone())?;
        if problem.is_won() {
            return Ok(Proof::Highest);
        }
        if deepening.cut == 0 {
            break;
        }
    }
    Ok(Proof::AllStates)
}

/// A search to one depth.
struct Deepening {
    depth: usize,
    /// How deep below a state everything was looked at.
    searched: FxHashMap<State, usize>,
    /// The number of states below which there is more.
    cut: usize,
    way: Vec<Level>,
    /// The moves between the states on the way.
    plan: Plan,
}

impl Deepening {
    fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        initial: State,
    ) -> Result<(), Halt> {
        self.enter(problem, initial)?;
        while let Some(level) = self.way.last_mut() {
            let Some(mv) = level.moves.pop() else {
                self.way.pop();
                self.plan.pop();
                continue;
            };
            let next = problem.successor(&level.state, mv, Scope::Global)?;
            self.plan.push(mv);
            if !self.enter(problem, next)? {
                self.plan.pop();
            }
            if problem.is_won() {
                break;
            }
        }
        Ok(())
    }

    /// Goes into a state if there is something to be found below it.
    fn enter<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        state: State,
    ) -> Result<bool, Halt> {
        let left = self.depth - self.plan.len();
        let before = self.searched.get(&state).copied();
        if before.is_some_and(|searched| searched >= left) {
            return Ok(false);
        }
        if self.searched.len() < MAX_TABLE || before.is_some() {
            self.searched.insert(state.clone(), left);
        }
        let mut moves = Vec::new();
        problem.visit(&state, &mut moves, || self.plan.clone())?;
        if moves.is_empty() {
            return Ok(false);
        }
        // What was met at the end of one way may be met again in the middle of another.
        self.cut -= usize::from(before == Some(0));
        if left == 0 {
            self.cut += 1;
            return Ok(false);
        }
        moves.reverse();
        self.way.push(Level { state, moves });
        Ok(true)
    }
}
