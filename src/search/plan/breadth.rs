//! Breadth-first search of the whole game: the baseline, and the proof by exhaustion.
//!
//! Every state is computed once for each move that leads to it, and visited once. The states that are next in the
//! queue are expanded together, as many as the reasoner expands best at once; they are visited in the order in
//! which they would be one by one, so that neither plans nor counts depend on the size of batches.

use crate::gdl::{Expansions, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::outcome::Proof;
use crate::search::plan::problem::{Problem, Scope};
use crate::search::plan::tree::{Arrival, Tree};

/// Searches until the highest value is reached or all states were seen.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(problem: &mut Problem<'_, R>) -> Result<Proof, Halt> {
    let mut tree = Tree::new(problem.start());
    let mut expansions = Expansions::new(1);
    let mut known = Vec::new();
    let mut batch = Vec::new();
    let mut at = 0;
    // The tree is its own queue: states in order of discovery, those from `at` on still to be expanded.
    while at < tree.len() {
        tree.get_many(at, problem.batch(), &mut batch);
        let expanded = problem.expand(&batch, &mut expansions);
        // What was known before the batch. Duplicates within it are found by `insert`, in the same order as one by
        // one.
        tree.look_up(expansions.successors(), &mut known);
        let mut known = known.iter();
        for (state, expansion) in batch.iter().zip(expansions.iter()) {
            let successors = problem.visit_expanded(state, expansion, || tree.plan(at));
            if problem.is_won() {
                return Ok(Proof::Highest);
            }
            let steps = successors.iter().flat_map(|successors| successors.iter());
            for ((mv, next), known) in steps.zip(&mut known) {
                problem.count(Scope::Global)?;
                if !known {
                    tree.insert(
                        next,
                        Arrival {
                            from: at,
                            mv: mv[0],
                        },
                    );
                }
            }
            at += 1;
        }
        // An error in the middle of a batch is passed on after what was found before it.
        expanded?;
    }
    Ok(Proof::AllStates)
}
