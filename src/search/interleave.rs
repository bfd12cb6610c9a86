//! One plan of many: an order of the moves of local plans in which the end comes last.
//!
//! Local plans keep their order; between them every order leads to the same state, so that only
//! positions in all plans matter, \[G07, Section 5.1.4 and Algorithm B.1\]. Whether the game is over at
//! a position follows from the concepts on the ways; no state is computed.

use rustc_hash::FxHashSet;

use crate::gdl::{MoveId, Reasoner};
use crate::search::clock::Clock;
use crate::search::outcome::Plan;
use crate::search::parts::{Evaluation, Parts};
use crate::search::problem::{Halt, Problem};

/// Positions that are looked at.
const MAX_POSITIONS: usize = 200_000;

/// A local plan with what it passes.
pub(super) struct LocalPlan {
    pub(super) moves: Vec<MoveId>,
    /// The concepts of its part that hold, before the first move and after each.
    pub(super) evaluations: Vec<Evaluation>,
}

/// The concepts that hold where so many moves of each plan were made.
fn evaluation<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    plans: &[LocalPlan],
    position: &[usize],
) -> Result<Evaluation, Halt> {
    let time = position.iter().sum();
    let mut held = clock.at(problem, parts, time)?.clone();
    held.intersect_with(parts.concepts_of_nobody());
    for (plan, &at) in plans.iter().zip(position) {
        held.union_with(&plan.evaluations[at]);
    }
    Ok(held)
}

/// Whether the game is over where so many moves of each plan were made.
fn is_over<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    plans: &[LocalPlan],
    position: &[usize],
) -> Result<bool, Halt> {
    let held = evaluation(problem, parts, clock, plans, position)?;
    let conditions = parts.conditions;
    let truths = conditions.truths(&|leaf| Some(held.contains(leaf)));
    Ok(truths.of(conditions.end()) == Some(true))
}

/// An order of the moves of all plans in which the game is over after the last one and not before;
/// nothing if there is none, or none was found.
pub(super) fn interleave<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    plans: &[LocalPlan],
) -> Result<Option<Plan>, Halt> {
    let last: Vec<usize> = plans.iter().map(|plan| plan.moves.len()).collect();
    if !is_over(problem, parts, clock, plans, &last)? {
        return Ok(None);
    }
    let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
    // Each position with the plan to be tried next.
    let mut way = vec![(vec![0; plans.len()], 0)];
    let mut order: Vec<usize> = Vec::new();
    while let Some((position, tried)) = way.last_mut() {
        if *position == last {
            return Ok(Some(merged(plans, &order)));
        }
        let Some(plan) = (*tried..plans.len()).find(|&plan| position[plan] < last[plan]) else {
            way.pop();
            order.pop();
            continue;
        };
        *tried = plan + 1;
        let mut next = position.clone();
        next[plan] += 1;
        if seen.len() > MAX_POSITIONS {
            return Ok(None);
        }
        let is_new = seen.insert(next.clone());
        if is_new && (next == last || !is_over(problem, parts, clock, plans, &next)?) {
            way.push((next, 0));
            order.push(plan);
        }
    }
    Ok(None)
}

/// The moves of the plans in the order in which the plans take their turns.
fn merged(plans: &[LocalPlan], order: &[usize]) -> Plan {
    let mut position = vec![0; plans.len()];
    let moves = order.iter().map(|&plan| {
        position[plan] += 1;
        plans[plan].moves[position[plan] - 1]
    });
    moves.collect()
}
