//! Iterative deepening of the whole game, depth first, with a transposition table.
//!
//! For games whose states are too many to keep in breadth: the table may forget, the search still
//! ends, and plans are found that are as short as possible.

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::outcome::{Plan, Proof};
use crate::search::problem::{Halt, Problem, Scope};
use crate::search::states::States;

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
            states: States::default(),
            searched: Vec::new(),
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
    /// States that were met.
    states: States,
    /// By place of a state, how deep below it everything was looked at.
    searched: Vec<usize>,
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
        let place = match self.states.len() < MAX_TABLE {
            true => Some(self.states.insert(&state).0),
            false => self.states.find(&state),
        };
        let before = place.and_then(|place| self.searched.get(place).copied());
        match (place, before) {
            (_, Some(searched)) if searched >= left => return Ok(false),
            (Some(place), Some(_)) => self.searched[place] = left,
            (Some(_), None) => self.searched.push(left),
            (None, _) => {}
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
