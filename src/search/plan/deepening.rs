//! Iterative deepening of the whole game, depth first, with a transposition table.
//!
//! For games whose states are too many to keep in breadth: the table may forget, the search still
//! ends, and plans are found that are as short as possible.

use crate::gdl::{MoveId, Reasoner, State, States};
use crate::search::halt::Halt;
use crate::search::plan::outcome::{Plan, Proof};
use crate::search::plan::problem::{Problem, Scope};

/// States that the table keeps; beyond, nothing new is kept.
const MAX_TABLE: usize = 4_000_000;

/// A state on the way, whose moves are being tried.
struct DepthNode {
    state: State,
    /// The moves that are still to be tried; the last one first.
    moves: Vec<MoveId>,
}

/// Searches until the highest value is reached or all states were seen.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<Proof, Halt> {
    let mut deepening = Deepening::default();
    for depth in 0.. {
        deepening.run(problem, depth)?;
        if problem.is_won() {
            return Ok(Proof::Highest);
        }
        // Nothing was cut off: the search has seen all states.
        if deepening.cut == 0 {
            break;
        }
    }
    Ok(Proof::AllStates)
}

/// A search to one depth after the other.
#[derive(Default)]
struct Deepening {
    depth: u32,
    /// States that were met, at lower depths too.
    states: States,
    /// By place of a state, how many levels were searched, from its own down; none at first at each depth.
    searched: Vec<u32>,
    /// The number of states below which there is more.
    cut: usize,
    way: Vec<DepthNode>,
    /// The moves between the states on the way.
    plan: Plan,
}

impl Deepening {
    /// Searches to one depth.
    fn run<R: Reasoner>(&mut self, problem: &mut Problem<'_, R>, depth: u32) -> Result<(), Halt> {
        self.depth = depth;
        self.cut = 0;
        self.searched.fill(0);
        self.enter(problem, problem.start().clone())?;
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
        // At the deepest level one level is left. A state that was searched with as many levels before has nothing
        // new below it.
        let levels = self.depth - self.plan.len() as u32 + 1;
        // A full table only looks up: states that it does not have are searched again, which is slower and not
        // wrong.
        let place = if self.states.len() < MAX_TABLE {
            Some(self.states.insert(&state).0)
        } else {
            self.states.find(&state)
        };
        self.searched.resize(self.states.len(), 0);
        let before = place.map_or(0, |place| self.searched[place]);
        if before >= levels {
            return Ok(false);
        }
        if let Some(place) = place {
            self.searched[place] = levels;
        }
        let mut moves = Vec::new();
        problem.visit(&state, &mut moves, || self.plan.clone())?;
        if moves.is_empty() {
            // An end, or a state without moves: it is no reason to search deeper.
            return Ok(false);
        }
        // What was met at the end of one way may be met again in the middle of another.
        self.cut -= usize::from(before == 1);
        if levels == 1 {
            self.cut += 1;
            return Ok(false);
        }
        // The last is tried first.
        moves.reverse();
        self.way.push(DepthNode { state, moves });
        Ok(true)
    }
}
