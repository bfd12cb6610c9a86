//! Parts that are played one after the other: each is searched for what the goal value asks of it, from where the
//! ones before have led.
//!
//! A series of games has as many states as there are pairs of an end of one and a state of the next; what is searched
//! is their sum. Local search is that of subgames, [`weighted_a_star`](crate::search::plan::weighted_a_star). What runs by itself
//! stands still in it, so that a plan is played before it counts.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::analysis::Cube;
use crate::gdl::{MoveId, Reasoner, State};
use crate::search::halt::Halt;
use crate::search::plan::division::Division;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::outcome::{Plan, Proof};
use crate::search::plan::parts::Parts;
use crate::search::plan::problem::{Problem, Scope};
use crate::search::plan::weighted_a_star::WeightedAStar;

/// Ways to a goal value that are tried.
const MAX_WAYS: usize = 64;

/// The local searches of a series.
pub(super) struct Series<'d> {
    division: &'d Division,
    /// By part, and the state in which it begins.
    stages: IndexMap<(usize, State), PartSearch<'d>, FxBuildHasher>,
}

/// The search of one part from one state on.
struct PartSearch<'d> {
    parts: Parts<'d>,
    graph: LocalGraph,
    /// By what is looked for.
    searches: IndexMap<Cube, WeightedAStar, FxBuildHasher>,
}

impl<'d> Series<'d> {
    /// Nothing is known yet.
    pub(super) fn new(division: &'d Division) -> Self {
        Self {
            division,
            stages: IndexMap::default(),
        }
    }

    /// Looks for better plans, in so many states of the parts at most.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached before; the problem keeps the best plan.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        mut states: usize,
    ) -> Result<Option<Proof>, Halt> {
        let division = self.division;
        for &(value, question) in &division.wins {
            if problem.best_value().is_some_and(|best| value <= best) {
                break;
            }
            for way in division.conditions.ways(&[question], MAX_WAYS) {
                if self.follow(problem, &way, &mut states)? {
                    break;
                }
            }
        }
        Ok(problem.is_won().then_some(Proof::Highest))
    }

    /// Looks for a plan that makes concepts so, part by part; says whether there is one.
    fn follow<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        way: &Cube,
        states: &mut usize,
    ) -> Result<bool, Halt> {
        let mut state = problem.start().clone();
        let mut plan = Plan::new();
        for &part in &self.division.parts {
            let stage = match self.stages.entry((part, state.clone())) {
                indexmap::map::Entry::Occupied(known) => known.into_mut(),
                indexmap::map::Entry::Vacant(vacant) => {
                    let mut parts = Parts::of_division(self.division, state.clone());
                    let graph = LocalGraph::new(problem, &mut parts, part)?;
                    vacant.insert(PartSearch {
                        parts,
                        graph,
                        searches: IndexMap::default(),
                    })
                }
            };
            let Some(moves) = stage.search(problem, part, way, states)? else {
                return Ok(false);
            };
            // The local plan was made with everything else as it was at the start of the part; what runs by itself has
            // gone on since, so that each move is looked for anew.
            for mv in moves {
                let Some(mv) = self.alike(problem, &state, part, mv)? else {
                    return Ok(false);
                };
                state = problem.successor(&state, mv, Scope::Global)?;
                plan.push(mv);
            }
        }
        problem.offer_end(&state, || plan)
    }

    /// A legal move that is alike for a part; nothing if there is none, or the game is over.
    fn alike<R: Reasoner>(
        &self,
        problem: &mut Problem<'_, R>,
        state: &State,
        part: usize,
        mv: MoveId,
    ) -> Result<Option<MoveId>, Halt> {
        if problem.is_terminal(state)? {
            return Ok(None);
        }
        let mut moves = Vec::new();
        problem.legal_moves(state, &mut moves)?;
        let vocabulary = problem.vocabulary();
        let class = |mv| self.division.class(vocabulary.move_term(mv), part);
        let mut moves = moves.into_iter();
        Ok(moves.find(|&legal| class(legal) == class(mv)))
    }
}

impl PartSearch<'_> {
    /// The moves after which the concepts of a part are as a way asks, if some are found in so many states.
    fn search<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        part: usize,
        way: &Cube,
        states: &mut usize,
    ) -> Result<Option<Vec<MoveId>>, Halt> {
        let own = self.parts.concepts(part);
        let wanted = way.iter().copied().filter(|&(leaf, _)| own.contains(leaf));
        let search = self
            .searches
            .entry(wanted.collect())
            .or_insert_with_key(|wanted| WeightedAStar::new(wanted.clone(), u32::MAX));
        let is_found = search.run(problem, &mut self.parts, &mut self.graph, states)?;
        Ok(is_found.then(|| search.way().into_iter().map(|(mv, _)| mv).collect()))
    }
}
