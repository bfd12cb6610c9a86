//! Greedy decomposition search: each subgame is searched for itself, as if nothing were done in the
//! others; the best of what is found is done, and the search begins again.
//!
//! Fast, and optimal only where goals are ordered and the end is nice to it; analysis says where,
//! see [`PayoffTable::order`](crate::analysis::PayoffTable::order).
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

/// A greedy search, and where the game stands in it.
struct GreedySearch<'s, 'a> {
    parts: &'s mut Parts<'a>,
    clock: Clock,
    graphs: Vec<LocalGraph>,
    /// By part, its state after the plan.
    nodes: Vec<usize>,
    plan: Plan,
}

/// One part in another state, after so many moves in it.
#[derive(Clone, Copy)]
struct Deviation {
    part: usize,
    node: usize,
    moves: usize,
}

/// The local search of one part from where it stands.
struct LocalFrontier {
    /// The states that were met last.
    open: Vec<usize>,
    /// How the states were reached; nothing for the first.
    arrivals: FxHashMap<usize, Option<Arrival>>,
}

impl LocalFrontier {
    fn new(node: usize) -> Self {
        Self {
            open: vec![node],
            arrivals: FxHashMap::from_iter([(node, None)]),
        }
    }

    /// The moves from the first state to one, and the states that they lead to.
    fn way(&self, node: usize) -> Vec<(MoveId, usize)> {
        let mut way = Vec::new();
        let mut at = node;
        while let Some(Some(arrival)) = self.arrivals.get(&at) {
            way.push((arrival.mv, at));
            at = arrival.from;
        }
        way.reverse();
        way
    }
}

/// Makes a plan greedily.
///
/// # Errors
/// [`Halt`] if a limit was reached before.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
) -> Result<(), Halt> {
    let clock = Clock::new(problem, parts)?;
    let graphs = (0..parts.count())
        .map(|part| LocalGraph::new(problem, parts, part))
        .collect::<Result<Vec<_>, Halt>>()?;
    let mut search = GreedySearch {
        parts,
        clock,
        nodes: vec![0; graphs.len()],
        graphs,
        plan: Plan::new(),
    };
    search.run(problem)
}

impl GreedySearch<'_, '_> {
    fn run<R: Reasoner>(&mut self, problem: &mut Problem<'_, R>) -> Result<(), Halt> {
        while self.plan.len() < MAX_LENGTH {
            // Judged as it stands: the greedy step must be better than doing nothing.
            let now = self.judge(problem, None)?;
            if now.is_over {
                problem.play(&self.plan)?;
                break;
            }
            let best = self.best(problem)?;
            if let Some(best) = best.filter(|best| best.judgement > now) {
                for (mv, node) in best.way {
                    self.plan.push(mv);
                    self.nodes[best.part] = node;
                }
            } else if !self.pass(problem)? {
                break;
            }
        }
        Ok(())
    }

    /// Lets time pass where no subgame can improve, as a deadline or a step counter may be what is missing: by a move
    /// that changes nothing or else by any; says whether there is one.
    fn pass<R: Reasoner>(&mut self, problem: &mut Problem<'_, R>) -> Result<bool, Halt> {
        if let Some(mv) = self.clock.waiting() {
            self.plan.push(mv);
            return Ok(true);
        }
        for (graph, node) in self.graphs.iter_mut().zip(&mut self.nodes) {
            let successors = graph.successors(problem, self.parts, *node)?;
            if let Some(&(mv, next)) = successors.first() {
                self.plan.push(mv);
                *node = next;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The best state that one subgame alone can reach: of all depths, the first of the best.
    fn best<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
    ) -> Result<Option<BestLocalPlan>, Halt> {
        let mut frontiers: Vec<LocalFrontier> =
            self.nodes.iter().copied().map(LocalFrontier::new).collect();
        let mut best: Option<(Judgement, usize, usize)> = None;
        let highest = problem.highest();
        let mut moves = 1;
        // Depth by depth in all subgames together, so that of equally good plans the shortest wins.
        while frontiers.iter().any(|frontier| !frontier.open.is_empty())
            && best.is_none_or(|(judgement, ..)| judgement.value < highest)
        {
            for (part, frontier) in frontiers.iter_mut().enumerate() {
                for from in std::mem::take(&mut frontier.open) {
                    let successors = self.graphs[part].successors(problem, self.parts, from)?;
                    for &(mv, node) in successors.iter() {
                        if frontier.arrivals.contains_key(&node) {
                            continue;
                        }
                        frontier.arrivals.insert(node, Some(Arrival { from, mv }));
                        let deviation = Deviation { part, node, moves };
                        let judgement = self.judge(problem, Some(deviation))?;
                        if best.is_none_or(|(known, ..)| judgement > known) {
                            best = Some((judgement, part, node));
                        }
                        // Nothing comes after the end.
                        if !judgement.is_over {
                            frontier.open.push(node);
                        }
                    }
                }
            }
            moves += 1;
        }
        Ok(best.map(|(judgement, part, node)| BestLocalPlan {
            judgement,
            part,
            way: frontiers[part].way(node),
        }))
    }

    /// What is thought of the position, or of one in which one part has moved on. Where the rules give no value it
    /// is 0.
    fn judge<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        deviation: Option<Deviation>,
    ) -> Result<Judgement, Halt> {
        let time = self.plan.len() + deviation.map_or(0, |deviation| deviation.moves);
        let mut held: Evaluation = self.clock.at(problem, self.parts, time)?.clone();
        for (part, graph) in self.graphs.iter().enumerate() {
            let moved = deviation.filter(|deviation| deviation.part == part);
            let node = moved.map_or(self.nodes[part], |deviation| deviation.node);
            held.union_with(graph.evaluation(node));
        }
        let truths = self.parts.truths(&held);
        let values = self.parts.conditions.values_under(&truths, 0);
        let value = values.filter_map(GoalValue::new).max();
        Ok(Judgement {
            value: value.unwrap_or(GoalValue(0)),
            is_over: truths.of(self.parts.conditions.end()) == Some(true),
        })
    }
}
