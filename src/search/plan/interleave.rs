//! One plan of many: an order of the moves of local plans in which the end comes last.
//!
//! Local plans keep their order; between them every order leads to the same state, so that only
//! positions in all plans matter, and none is visited twice: the cost is the product of the lengths,
//! not the number of orders. What is at a position can be a state that is computed, as the original
//! has it, see [`combine`]; or it follows from the concepts on the ways, see [`interleave`].
//!
//! Source: \[G07, Section 5.1.4 and Algorithm B.1\], with a stack instead of recursion.

use rustc_hash::FxHashSet;

use crate::gdl::{MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::outcome::Plan;
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::{Problem, Scope};

/// Positions that are visited where no state is computed for them.
const MAX_POSITIONS: usize = 200_000;

/// A local plan with what it passes.
pub(super) struct LocalPlan {
    pub(super) moves: Plan,
    /// The concepts of its part that hold, before the first move and after each.
    pub(super) evaluations: Vec<Evaluation>,
}

/// A number of moves made of each plan.
type MovesMade = Vec<usize>;

/// A position on the way.
struct PathNode<S> {
    position: MovesMade,
    /// What is there.
    at: S,
    /// The plan of which a move is tried next.
    tried: usize,
}

/// What is at a position after one move of a plan, made from what is there before it; nothing if the
/// position cannot be passed.
type Advance<'g, S> = dyn FnMut(&S, usize, &MovesMade) -> Result<Option<S>, Halt> + 'g;

/// The first order of the moves of all plans in which all positions can be passed, with what is at the
/// last one: `go` says what is at a position, one move of a plan after another one, or that it cannot be
/// passed. Nothing if there is no such order, or none among the first so many positions.
fn first_order<S>(
    last: &[usize],
    start: S,
    most: usize,
    go: &mut Advance<'_, S>,
) -> Result<Option<(Vec<usize>, S)>, Halt> {
    let mut visited: FxHashSet<MovesMade> = FxHashSet::default();
    let mut way = vec![PathNode {
        position: vec![0; last.len()],
        at: start,
        tried: 0,
    }];
    let mut order: Vec<usize> = Vec::new();
    while let Some(node) = way.last_mut() {
        let position = &node.position;
        let Some(plan) = (node.tried..last.len()).find(|&plan| position[plan] < last[plan]) else {
            way.pop();
            order.pop();
            continue;
        };
        node.tried = plan + 1;
        let mut position = position.clone();
        position[plan] += 1;
        if visited.len() == most {
            break;
        }
        // Positions, not orders: two plans of 10 moves have 121 positions and 184,756 orders.
        if !visited.insert(position.clone()) {
            continue;
        }
        if let Some(at) = go(&node.at, plan, &position)? {
            order.push(plan);
            if position == last {
                return Ok(Some((order, at)));
            }
            way.push(PathNode {
                position,
                at,
                tried: 0,
            });
        }
    }
    Ok(None)
}

/// Combines plans as the original does, computing states, and keeps what comes of it, if the game is
/// over then.
pub(super) fn combine<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &Parts<'_>,
    plans: &[&[MoveId]],
) -> Result<(), Halt> {
    let last: MovesMade = plans.iter().map(|plan| plan.len()).collect();
    // What is at a position is its state and whether the game is over there.
    let start = (parts.initial().clone(), false);
    let found = first_order(
        &last,
        start,
        usize::MAX,
        // As in the original, a state is computed for each position.
        &mut |(state, _), plan, position| {
            let mv = plans[plan][position[plan] - 1];
            let next = problem.successor(state, mv, Scope::Global)?;
            let is_over = problem.is_terminal(&next)?;
            Ok((*position == last || !is_over).then_some((next, is_over)))
        },
    )?;
    if let Some((order, (state, true))) = found
        && let Some(value) = problem.value(&state)?
    {
        problem.offer(value, || merged(plans, &order));
    }
    Ok(())
}

/// An order of the moves of all plans in which the game is over after the last one and not before;
/// nothing if there is none, or none was found.
pub(super) fn interleave<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    plans: &[LocalPlan],
) -> Result<Option<Plan>, Halt> {
    let moves: Vec<&[MoveId]> = plans.iter().map(|plan| &plan.moves[..]).collect();
    let last: MovesMade = moves.iter().map(|moves| moves.len()).collect();
    let mut is_over = |position: &MovesMade| {
        let time = position.iter().sum();
        let mut held = clock.at(problem, parts, time)?.clone();
        for (plan, &at) in plans.iter().zip(position) {
            held.union_with(&plan.evaluations[at]);
        }
        Ok::<bool, Halt>(parts.truths(&held).of(parts.conditions.end()) == Some(true))
    };
    // The end must hold after the last moves, or no order helps.
    if !is_over(&last)? {
        return Ok(None);
    }
    if last.iter().all(|&moves| moves == 0) {
        return Ok(Some(Plan::new()));
    }
    let found = first_order(&last, (), MAX_POSITIONS, &mut |(), _, position| {
        Ok((*position == last || !is_over(position)?).then_some(()))
    })?;
    Ok(found.map(|(order, ())| merged(&moves, &order)))
}

/// The moves of the plans in the order in which the plans take their turns.
fn merged(plans: &[&[MoveId]], order: &[usize]) -> Plan {
    let mut position = vec![0; plans.len()];
    let moves = order.iter().map(|&plan| {
        position[plan] += 1;
        plans[plan][position[plan] - 1]
    });
    moves.collect()
}
