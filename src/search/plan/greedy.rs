//! Greedy decomposition search: each subgame is searched for itself, as if nothing were done in the
//! others; the best of what is found is done, and the search begins again.
//!
//! Fast, and optimal only where goals are ordered and the end is nice to it; analysis says where,
//! see [`Payoffs::order`](crate::analysis::Payoffs::order).
//!
//! Source: \[G07, Algorithm 4.1\]. DIVERGENCE: the whole local plan is made, not its first move only,
//! after which the original would find the rest of it again; the local search is breadth-first, and no
//! local state is computed twice.

use rustc_hash::FxHashMap;

use crate::gdl::{GoalValue, MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::outcome::Plan;
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::Problem;
use crate::search::plan::tree::Arrival;

/// Moves of a plan before it is given up.
const MAX_LENGTH: usize = 10_000;

/// Where the game stands.
struct Position {
    /// By part, its state.
    nodes: Vec<usize>,
    plan: Plan,
}

/// What is thought of a state in one subgame, the others standing still.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Judgement {
    value: GoalValue,
    is_over: bool,
}

/// The best that was found in one subgame.
struct BestLocalPlan {
    judgement: Judgement,
    part: usize,
    /// The moves, and the states that they lead to.
    way: Vec<(MoveId, usize)>,
}

/// Makes a plan greedily.
///
/// # Errors
/// [`Halt`] if a limit was reached before.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
) -> Result<(), Halt> {
    let mut clock = Clock::new(problem, parts)?;
    let mut graphs = (0..parts.count())
        .map(|part| LocalGraph::new(problem, parts, part))
        .collect::<Result<Vec<_>, Halt>>()?;
    let mut position = Position {
        nodes: vec![0; graphs.len()],
        plan: Plan::new(),
    };
    while position.plan.len() < MAX_LENGTH {
        // Judged as it stands: the greedy step must be better than doing nothing.
        let now = judge(problem, parts, &mut clock, &graphs, &position, None)?;
        if now.is_over {
            problem.play(&position.plan)?;
            break;
        }
        let choice = best(problem, parts, &mut clock, &mut graphs, &position)?;
        match choice.filter(|choice| choice.judgement > now) {
            Some(choice) => {
                for (mv, node) in choice.way {
                    position.plan.push(mv);
                    position.nodes[choice.part] = node;
                }
            }
            // No subgame can improve: time passes, as a deadline or a step counter may be what is missing.
            None => {
                if !pass(problem, parts, &mut graphs, &mut position, &clock)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Lets time pass, by a move that changes nothing or else by any; says whether there is one.
fn pass<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    graphs: &mut [LocalGraph],
    position: &mut Position,
    clock: &Clock,
) -> Result<bool, Halt> {
    if let Some(mv) = clock.waiting() {
        position.plan.push(mv);
        return Ok(true);
    }
    for (part, graph) in graphs.iter_mut().enumerate() {
        let successors = graph.successors(problem, parts, position.nodes[part])?;
        if let Some(&(mv, node)) = successors.first() {
            position.plan.push(mv);
            position.nodes[part] = node;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The best state that one subgame alone can reach: of all depths, the first of the best.
fn best<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    graphs: &mut [LocalGraph],
    position: &Position,
) -> Result<Option<BestLocalPlan>, Halt> {
    let starts = position.nodes.iter();
    let mut frontiers: Vec<Vec<usize>> = starts.map(|&node| vec![node]).collect();
    let mut met: Vec<FxHashMap<usize, Option<Arrival>>> = frontiers
        .iter()
        .map(|start| start.iter().map(|&node| (node, None)).collect())
        .collect();
    let mut best: Option<(Judgement, usize, usize)> = None;
    let highest = problem.highest();
    let mut depth = 1;
    // Depth by depth in all subgames together, so that of equally good choices the shortest wins.
    while frontiers.iter().any(|open_list| !open_list.is_empty())
        && best.is_none_or(|(judgement, ..)| judgement.value < highest)
    {
        for part in 0..graphs.len() {
            for node in std::mem::take(&mut frontiers[part]) {
                let successors = graphs[part].successors(problem, parts, node)?;
                for &(mv, next) in successors.iter() {
                    if met[part].contains_key(&next) {
                        continue;
                    }
                    met[part].insert(next, Some(Arrival { from: node, mv }));
                    let moved = Some((part, next, depth));
                    let judgement = judge(problem, parts, clock, graphs, position, moved)?;
                    if best.is_none_or(|(known, ..)| judgement > known) {
                        best = Some((judgement, part, next));
                    }
                    if !judgement.is_over {
                        frontiers[part].push(next);
                    }
                }
            }
        }
        depth += 1;
    }
    Ok(best.map(|(judgement, part, node)| BestLocalPlan {
        judgement,
        part,
        way: way(&met[part], node),
    }))
}

fn way(met: &FxHashMap<usize, Option<Arrival>>, node: usize) -> Vec<(MoveId, usize)> {
    let mut way = Vec::new();
    let mut at = node;
    while let Some(Some(arrival)) = met.get(&at) {
        way.push((arrival.mv, at));
        at = arrival.from;
    }
    way.reverse();
    way
}

/// What is thought of a position in which one part has moved on to a state, by so many moves. Where
/// the rules give no value it is 0.
fn judge<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &mut Clock,
    graphs: &[LocalGraph],
    position: &Position,
    moved: Option<(usize, usize, usize)>,
) -> Result<Judgement, Halt> {
    let time = position.plan.len() + moved.map_or(0, |(.., depth)| depth);
    let mut held: Evaluation = clock.at(problem, parts, time)?.clone();
    for (part, graph) in graphs.iter().enumerate() {
        let node = match moved {
            Some((mover, node, _)) if mover == part => node,
            _ => position.nodes[part],
        };
        // The concepts of all parts, with one of them moved on.
        held.union_with(graph.evaluation(node));
    }
    let truths = parts.truths(&held);
    let values = parts.conditions.values_under(&truths, 0);
    let value = values.filter_map(GoalValue::new).max();
    Ok(Judgement {
        value: value.unwrap_or(GoalValue(0)),
        is_over: truths.of(parts.conditions.end()) == Some(true),
    })
}
