//! Concept decomposition search as it was published.
//!
//! Depth by depth, local search collects the plans of each subgame that have a new signature, and
//! global search tries every set of plans with at most one of each subgame.
//!
//! ```text
//! depth 1, 2, ...                          CONCEPTDECOMPOSITIONSEARCH   [G07, Algorithm 5.1]
//!   each subgame: new local plans          LOCALSEARCH                  [G07, Algorithm 5.2]
//!     each set with a new plan: combine    GLOBALSEARCH, CHOOSEPLANS    [G07, Algorithm 5.3]
//!                                          COMBINEPLANS                 [G07, Algorithm B.1]
//! ```
//!
//! DIVERGENCE: the papers leave the local search open ("any standard tree search"); here it is
//! breadth-first, no local state is computed twice, and of plans that lead to the same state and have
//! passed the same terminal concepts one is extended. Signatures are those of \[GST09, Definition 8\],
//! which forget how long a plan is; where the number of moves matters to goal or end and the best
//! value was not found so, the search starts again with the signatures of \[G07, Definition 5.4\],
//! which do not. Moves that change nothing are a subgame of their own.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::gdl::{MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::interleave::combine;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::outcome::{Plan, Proof};
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::Problem;
use crate::search::plan::signature::{Length, Passed, Signature, terminal_concepts};

/// A local plan that is being extended.
#[derive(Clone)]
struct PartialPlan {
    /// The state that it leads to.
    node: usize,
    passed: Passed,
    plan: Plan,
}

/// What local plans are made in.
enum PlanSpace {
    Subgame(LocalGraph),
    /// Only this move, which changes nothing.
    Waiting(MoveId),
}

/// The local search of one subgame.
struct LocalSearch {
    graph: PlanSpace,
    /// The concepts of the subgame that the end depends on.
    terminal: Evaluation,
    /// Evaluations of terminal concepts, by number.
    evaluations: IndexSet<Evaluation, FxBuildHasher>,
    /// The plans of the present depth.
    open_list: Vec<PartialPlan>,
    /// What plans of any depth have led to and passed.
    met: FxHashSet<(usize, Passed)>,
    /// The first plan of each signature.
    plans: IndexMap<Signature, Plan, FxBuildHasher>,
}

/// Searches until the highest value is reached or all local plans were tried.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
) -> Result<Option<Proof>, Halt> {
    let mut clock = Clock::new(problem, parts)?;
    // First without lengths, which makes far fewer signatures; again with them if time matters and the best value
    // was not found.
    search_with(problem, parts, &clock, (Length::Omitted, usize::MAX))?;
    if problem.is_won() {
        return Ok(Some(Proof::Highest));
    }
    if clock.is_idle() {
        return Ok(Some(Proof::AllSubgames));
    }
    let deadline = clock.deadline(problem, parts)?;
    let deepest = deadline.unwrap_or(usize::MAX);
    search_with(problem, parts, &clock, (Length::Kept, deepest))?;
    Ok(Some(problem.proof_or(Proof::AllSubgames)))
}

/// Searches with signatures of one kind, with local plans up to a length.
fn search_with<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    clock: &Clock,
    (length, deepest): (Length, usize),
) -> Result<(), Halt> {
    let mut searches = (0..parts.count())
        .map(|part| LocalSearch::new(problem, parts, part))
        .collect::<Result<Vec<_>, Halt>>()?;
    // Where lengths count, waiting is a subgame of its own, whose plans are 1, 2, 3, … moves of nothing.
    if let (Length::Kept, Some(waiting)) = (length, clock.waiting()) {
        searches.push(LocalSearch::of_waiting(waiting));
    }
    let mut depth = 1;
    while depth <= deepest && searches.iter().any(|search| !search.open_list.is_empty()) {
        for place in 0..searches.len() {
            let known = searches[place].plans.len();
            searches[place].deepen(problem, parts, length)?;
            // Each new plan is combined with all plans of the others so far: every set is tried when its last
            // member comes.
            for new in known..searches[place].plans.len() {
                global_search(problem, parts, &searches, (place, new))?;
                if problem.is_won() {
                    return Ok(());
                }
            }
        }
        depth += 1;
    }
    Ok(())
}

/// Tries all sets of plans with one new plan and at most one of each other subgame.
fn global_search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    searches: &[LocalSearch],
    (place, new): (usize, usize),
) -> Result<(), Halt> {
    // For each subgame, the plan that is chosen; 0 is none.
    let mut chosen = vec![0; searches.len()];
    chosen[place] = new + 1;
    loop {
        let plans = searches
            .iter()
            .zip(&chosen)
            .filter_map(|(search, &chosen)| {
                let (_, plan) = search.plans.get_index(chosen.checked_sub(1)?)?;
                Some(&plan[..])
            });
        combine(problem, parts, &plans.collect::<Vec<_>>())?;
        if problem.is_won() {
            return Ok(());
        }
        // An odometer over the other subgames: the first that can advance does, those before it go back to none.
        let next = (0..searches.len())
            .filter(|&other| other != place)
            .find(|&other| chosen[other] < searches[other].plans.len());
        let Some(next) = next else {
            return Ok(());
        };
        (0..next)
            .filter(|&other| other != place)
            .for_each(|other| chosen[other] = 0);
        chosen[next] += 1;
    }
}

impl LocalSearch {
    fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        part: usize,
    ) -> Result<Self, Halt> {
        let graph = LocalGraph::new(problem, parts, part)?;
        let mut search = Self {
            terminal: terminal_concepts(parts, part),
            evaluations: IndexSet::default(),
            open_list: Vec::new(),
            met: FxHashSet::default(),
            plans: IndexMap::default(),
            graph: PlanSpace::Subgame(graph),
        };
        let passed = search.pass(&Passed::new(), 0);
        search.met.insert((0, passed.clone()));
        search.open_list.push(PartialPlan {
            node: 0,
            passed,
            plan: Plan::new(),
        });
        Ok(search)
    }

    /// The local search among moves that change nothing.
    fn of_waiting(waiting: MoveId) -> Self {
        Self {
            graph: PlanSpace::Waiting(waiting),
            terminal: Evaluation::new(),
            evaluations: IndexSet::default(),
            open_list: vec![PartialPlan {
                node: 0,
                passed: Passed::new(),
                plan: Plan::new(),
            }],
            met: FxHashSet::default(),
            plans: IndexMap::default(),
        }
    }

    /// Extends all plans by one move, and keeps those with a new signature.
    fn deepen<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        length: Length,
    ) -> Result<(), Halt> {
        // With lengths, a state that comes again at another depth is another plan.
        if length == Length::Kept {
            self.met.clear();
        }
        for growing in std::mem::take(&mut self.open_list) {
            problem.poll()?;
            for (mv, node) in self.successors(problem, parts, growing.node)? {
                let passed = self.pass(&growing.passed, node);
                if !self.met.insert((node, passed.clone())) {
                    continue;
                }
                let mut plan = growing.plan.clone();
                plan.push(mv);
                let signature = Signature {
                    last: self.evaluation(node),
                    passed: passed.clone(),
                    length: (length == Length::Kept).then_some(plan.len()),
                };
                // The first plan of a signature stands for all.
                self.plans.entry(signature).or_insert_with(|| plan.clone());
                self.open_list.push(PartialPlan { node, passed, plan });
            }
        }
        Ok(())
    }

    fn successors<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        node: usize,
    ) -> Result<Vec<(MoveId, usize)>, Halt> {
        match &mut self.graph {
            PlanSpace::Subgame(graph) => Ok(graph.successors(problem, parts, node)?.to_vec()),
            PlanSpace::Waiting(mv) => Ok(vec![(*mv, node)]),
        }
    }

    /// The concepts that hold in a state.
    fn evaluation(&self, node: usize) -> Evaluation {
        match &self.graph {
            PlanSpace::Subgame(graph) => graph.evaluation(node).clone(),
            PlanSpace::Waiting(_) => Evaluation::new(),
        }
    }

    /// The terminal concepts that are passed with one more state.
    fn pass(&mut self, passed: &Passed, node: usize) -> Passed {
        let mut held = self.evaluation(node);
        held.intersect_with(&self.terminal);
        let number = self.evaluations.insert_full(held).0;
        let mut passed = passed.clone();
        // A repetition of the last element is omitted [GST09, Definition 7].
        if passed.last() != Some(&number) {
            passed.push(number);
        }
        passed
    }
}
