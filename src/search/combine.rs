//! An order of the moves of some local plans in which the game goes on until the last of them.
//!
//! Every node of the search is a number of moves made of each plan; none is visited twice, so that
//! the cost is the product of the lengths, not the number of orders.
//!
//! Source: \[G07, Algorithm B.1\], with a stack instead of recursion.

use rustc_hash::FxHashSet;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::outcome::Plan;
use crate::search::parts::Parts;
use crate::search::problem::{Halt, Problem, Scope};

/// A node on the way.
struct Node {
    /// The moves made of each plan.
    position: Vec<usize>,
    state: State,
    /// The plan of which a move is tried next.
    tried: usize,
}

/// Combines plans and keeps what comes of it, if the game is over then.
pub(super) fn combine<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &Parts<'_>,
    plans: &[&[MoveId]],
) -> Result<(), Halt> {
    let last: Vec<usize> = plans.iter().map(|plan| plan.len()).collect();
    let mut visited: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut way = vec![Node {
        position: vec![0; plans.len()],
        state: parts.initial().clone(),
        tried: 0,
    }];
    let mut made = Plan::new();
    while let Some(node) = way.last_mut() {
        let position = &node.position;
        let Some(plan) = (node.tried..plans.len()).find(|&plan| position[plan] < last[plan]) else {
            way.pop();
            made.pop();
            continue;
        };
        node.tried = plan + 1;
        let mut position = position.clone();
        let mv = plans[plan][position[plan]];
        position[plan] += 1;
        if !visited.insert(position.clone()) {
            continue;
        }
        let state = problem.successor(&node.state, mv, Scope::Global)?;
        let is_over = problem.is_terminal(&state)?;
        if position == last {
            if is_over && let Some(value) = problem.value(&state)? {
                made.push(mv);
                problem.offer(value, || made.clone());
            }
            return Ok(());
        }
        if !is_over {
            made.push(mv);
            way.push(Node {
                position,
                state,
                tried: 0,
            });
        }
    }
    Ok(())
}
