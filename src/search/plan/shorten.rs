//! Shorter plans of the same value.
//!
//! Search aims at values. Plans that are put together from those of subgames may wait where nothing has to be
//! waited for; such moves are tried one after the other, and left out if the rest leads to the same value:
//!
//! ```text
//! a wait b wait c      without the first wait: a b wait c, the same value; without the second: over too late
//! ```
//!
//! That makes a plan shorter, not a shortest one. A shortest one is found, and proved to be one, by breadth-first
//! search for the value that is known to be the best.

use crate::gdl::Reasoner;
use crate::search::halt::Halt;
use crate::search::plan::breadth;
use crate::search::plan::outcome::Plan;
use crate::search::plan::problem::Problem;

/// Moves made to find out which others are needless; plans of a hundred moves are tried as a whole.
const MOST_MOVES: usize = 5_000;

/// Leaves needless moves out of the best plan. The moves that are tried are none of the computed states that are
/// counted, as those are not that are made to verify a plan.
///
/// # Errors
/// [`Halt`] if the rules cannot be evaluated, or somebody stopped the search.
pub(super) fn drop_needless<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<(), Halt> {
    let Some((value, mut plan)) = problem.best().cloned() else {
        return Ok(());
    };
    let mut left = MOST_MOVES;
    let mut state = problem.start().clone();
    let mut at = 0;
    while at < plan.len() {
        problem.poll()?;
        // The plan without this move: it is needless if the others are still legal and end with the same value.
        let rest = &plan[at + 1..];
        let Some(fewer) = left.checked_sub(rest.len() + 1) else {
            break;
        };
        left = fewer;
        if problem.ends_with(&state, rest)? == Some(value) {
            plan.remove(at);
            continue;
        }
        state = problem.try_move(&state, plan[at])?;
        at += 1;
    }
    problem.put_best(value, plan);
    Ok(())
}

/// Replaces the best plan by a shortest one of its value, which must be the best; says whether that was done.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the plan that it had.
pub(super) fn shortest<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<bool, Halt> {
    let Some((value, plan)) = problem.best().cloned() else {
        return Ok(false);
    };
    problem.start_over(value);
    // With the known value as the highest, breadth-first search ends at its first plan, which is a shortest one.
    let result = breadth::search(problem);
    let is_found = problem.is_won();
    if !is_found {
        problem.put_best(value, Plan::clone(&plan));
    }
    result?;
    Ok(is_found)
}
