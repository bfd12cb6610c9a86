//! Breadth-first search of the whole game: the baseline, and the proof by exhaustion.
//!
//! Every state is computed once for each move that leads to it, and looked at once.

use crate::gdl::Reasoner;
use crate::search::outcome::Proof;
use crate::search::problem::{Halt, Problem, Scope};
use crate::search::tree::{Arrival, Tree};

/// Searches until the highest value is reached or all states were seen.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<Proof, Halt> {
    let mut tree = Tree::new(problem.start());
    let mut moves = Vec::new();
    let mut next = Vec::new();
    let mut at = 0;
    while let Some(state) = tree.state(at) {
        problem.visit(&state, &mut moves, || tree.plan(at))?;
        if problem.is_won() {
            return Ok(Proof::Highest);
        }
        // Looking all of them up at once, the processor waits for memory once.
        next.clear();
        for &mv in &moves {
            next.push((mv, problem.successor(&state, mv, Scope::Global)?));
        }
        for (mv, next) in &next {
            tree.insert(next, Arrival { from: at, mv: *mv });
        }
        at += 1;
    }
    Ok(Proof::AllStates)
}
