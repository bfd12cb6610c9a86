//! Concept decomposition search, goal-directed: a portfolio of four methods.
//!
//! 1. *Goal-directed local search.* From the highest goal value downward, the formulas of goal and end say which
//!    concepts each subgame must bring about; each subgame is searched for just these by weighted A*, and the
//!    local plans are interleaved. The highest value needs no other proof than that it is highest.
//! 2. *Exhaustion.* All states of all subgames are generated and all their combinations evaluated: by numbers of
//!    moves where every subgame ends the game by itself, see [`lengths`], else one by one, see
//!    [`product`](crate::search::plan::product).
//! 3. *Greedy best-first search* of the whole game in three orders, see
//!    [`best_first`](crate::search::plan::best_first): where time must pass in the right way, or subgames are too large.
//! 4. *Planning as satisfiability*, see [`planning`](crate::search::plan::planning): where wrong moves show only
//!    at the end.
//!
//! They run in turns with growing budgets, so that small games are decided at once and large ones are not
//! exhausted in vain.
//!
//! DIVERGENCE from \[G07, Algorithm 5.1\]: local search is over states, not over plans, and only for
//! concepts that can raise the value; the end is tested on concepts, so that global search computes
//! no states but those of the plan that it found.

use std::cell::OnceCell;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::analysis::Cube;
use crate::fluent::GameAxioms;
use crate::gdl::Reasoner;
use crate::search::halt::Halt;
use crate::search::plan::best_first::{BestFirstSearch, HeuristicTarget};
use crate::search::plan::clock::Clock;
use crate::search::plan::division::{Divisibility, Division, Play, UNDIVIDED};
use crate::search::plan::estimate::Estimator;
use crate::search::plan::interleave::{LocalPlan, interleave};
use crate::search::plan::lengths;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::lockstep::Lockstep;
use crate::search::plan::open_list::Order;
use crate::search::plan::outcome::{Proof, Remark};
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::planning::Planner;
use crate::search::plan::problem::Problem;
use crate::search::plan::product::{self, Product};
use crate::search::plan::series::Series;
use crate::search::plan::weighted_a_star::WeightedAStar;

/// Cubes (combinations of concepts) of a goal value that are tried.
const MAX_WAYS: usize = 64;

/// Expansions of weighted A* in each subgame in the first round; four times as many in each next.
const FIRST_ROUND: usize = 200;

/// Expansions of weighted A* for each known state once all are known.
const EXPANSIONS_PER_STATE: usize = 4;

/// States of a subgame that are exhausted in the first round; four times as many in each next.
const FIRST_EXHAUSTED: usize = 2_000;

/// States of a subgame that are ever exhausted.
const MAX_EXHAUSTED: usize = 4_000_000;

/// Assignments that planning may infer for every state that was computed in the same round.
const STEPS: u64 = 100;

/// States of a round from which on plays are planned.
const UNPLANNED: u64 = 5_000;

/// States of the parts that `decompose` finds that are computed in a round, for each state that was computed before.
const DIVIDED: u64 = 4;

/// The search of what `decompose` finds.
enum Divided<'d> {
    /// Not found out yet.
    Later,
    /// There are no more parts than the analysis finds.
    Never,
    Together(Box<Lockstep<'d>>),
    InTurn(Series<'d>),
}

impl<'d> Divided<'d> {
    fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        division: &'d Division,
    ) -> Result<Self, Halt> {
        Ok(match division.play {
            Play::Together => Divided::Together(Box::new(Lockstep::new(problem, division)?)),
            Play::InTurn => Divided::InTurn(Series::new(division)),
        })
    }

    /// Looks for better plans for about so many states.
    fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        match self {
            Divided::Later | Divided::Never => Ok(None),
            Divided::Together(lockstep) => lockstep.run(problem, states),
            Divided::InTurn(series) => series.run(problem, states as usize),
        }
    }
}

/// What became of planning as satisfiability.
enum Planning {
    /// The game may be solved without.
    Later,
    /// The game cannot be planned.
    Never,
    Begun(Box<Planner>),
}

/// A search in all subgames.
pub(super) struct Decomposed<'s, 'a> {
    parts: &'s mut Parts<'a>,
    clock: Clock,
    graphs: Vec<LocalGraph>,
    best_first: [BestFirstSearch; 3],
    /// How far the highest value is from where plans begin.
    distance: u32,
    planning: Planning,
    axioms: &'s GameAxioms,
    /// No plan can be longer.
    longest: u32,
    /// By part and what is looked for there.
    searches: IndexMap<(usize, Cube), WeightedAStar, FxBuildHasher>,
}

/// Searches until the best plan is known.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    (axioms, mut whole): (&GameAxioms, Estimator),
    remarks: &mut Vec<Remark>,
) -> Result<Proof, Halt> {
    let distance = whole.distance(problem)?;
    let aim = HeuristicTarget::Value(Box::new(whole));
    let best_first = Order::ALL.map(|order| {
        let (initial, highest) = (parts.initial(), problem.highest());
        BestFirstSearch::new(initial, highest, aim.clone(), order)
    });
    let mut clock = Clock::new(problem, parts)?;
    let deadline = clock.deadline(problem, parts)?;
    let graphs = (0..parts.count()).map(|part| LocalGraph::new(problem, parts, part));
    let graphs = graphs.collect::<Result<_, _>>()?;
    let mut search = Decomposed {
        parts,
        longest: deadline.map_or(u32::MAX, |deadline| deadline as u32),
        clock,
        graphs,
        best_first,
        distance,
        planning: Planning::Later,
        axioms,
        searches: IndexMap::default(),
    };
    search.run(problem, remarks)
}

impl Decomposed<'_, '_> {
    fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        remarks: &mut Vec<Remark>,
    ) -> Result<Proof, Halt> {
        let (mut aimed, mut exhausted) = (FIRST_ROUND, FIRST_EXHAUSTED);
        let division = OnceCell::new();
        let mut divided = Divided::Later;
        loop {
            if let Some(proof) = self.divide(problem, &division, &mut divided, remarks)? {
                return Ok(proof);
            }
            let before = problem.counts();
            self.aim(problem, aimed.saturating_mul(self.parts.count()))?;
            if problem.is_won() {
                return Ok(Proof::Highest);
            }
            if self.exhaust(problem, exhausted)? {
                break;
            }
            let spent = problem.counts().total() - before.total();
            if let Some(proof) = self.divide(problem, &division, &mut divided, remarks)? {
                return Ok(proof);
            }
            if let Some(proof) = self.best_first_and_plan(problem, spent)? {
                return Ok(proof);
            }
            (aimed, exhausted) = (aimed * 4, exhausted * 4);
        }
        self.after_exhaustion(problem, remarks)
    }

    /// Combines the states of all subgames, which are all known, so that looking at them costs little; combinations
    /// may cost a lot. Where they are too many, the whole game is searched and nothing else.
    fn after_exhaustion<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        remarks: &mut Vec<Remark>,
    ) -> Result<Proof, Halt> {
        if self.parts.count() > 1 {
            let known: usize = self.graphs.iter().map(LocalGraph::len).sum();
            self.aim(problem, known.saturating_mul(EXPANSIONS_PER_STATE))?;
            if problem.is_won() {
                return Ok(Proof::Highest);
            }
        }
        let product = Product::new(problem, self.parts, &mut self.clock, &mut self.graphs)?;
        let found = match product {
            None => Err(Remark::Clock),
            Some(product) => self.combine(problem, &product)?,
        };
        let remark = match found {
            Ok(proof) => return Ok(proof),
            Err(remark) => remark,
        };
        remarks.push(remark);
        let mut states = UNPLANNED;
        loop {
            if let Some(proof) = self.best_first_and_plan(problem, states)? {
                return Ok(proof);
            }
            states *= 2;
        }
    }

    /// Searches the parts that `decompose` finds, once enough has been computed for it to pay to ask.
    fn divide<'d, R: Reasoner>(
        &self,
        problem: &mut Problem<'_, R>,
        division: &'d OnceCell<Division>,
        divided: &mut Divided<'d>,
        remarks: &mut Vec<Remark>,
    ) -> Result<Option<Proof>, Halt> {
        let computed = problem.counts().total();
        if computed < problem.undivided() {
            return Ok(None);
        }
        if matches!(divided, Divided::Later) {
            *divided = match Division::of(problem, self.parts.count())? {
                Divisibility::Open => Divided::Later,
                Divisibility::Not => Divided::Never,
                Divisibility::Divided(found) => {
                    remarks.push(found.play.remark());
                    Divided::new(problem, division.get_or_init(|| *found))?
                }
            };
        }
        divided.run(problem, computed.max(UNDIVIDED).saturating_mul(DIVIDED))
    }

    /// Searches the whole game for so many states in each order, and plans for about as long.
    fn best_first_and_plan<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        for search in &mut self.best_first {
            if let Some(proof) = search.run(problem, states)? {
                return Ok(Some(proof));
            }
        }
        if states >= UNPLANNED && matches!(self.planning, Planning::Later) {
            self.planning = match Planner::new(problem, Some(self.axioms), self.distance)? {
                Some(planner) => Planning::Begun(Box::new(planner)),
                None => Planning::Never,
            };
        }
        match &mut self.planning {
            Planning::Begun(planner) => planner.run(problem, states.saturating_mul(STEPS)),
            Planning::Later | Planning::Never => Ok(None),
        }
    }

    /// Looks at all combinations, by numbers of moves if subgames have nothing else in common.
    fn combine<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        product: &Product,
    ) -> Result<Result<Proof, Remark>, Halt> {
        let (clock, graphs) = (&mut self.clock, &mut self.graphs);
        match lengths::search(problem, self.parts, (clock, graphs), product)? {
            Some(proof) => Ok(Ok(proof)),
            None => product::search(problem, self.parts, graphs, product),
        }
    }

    /// Finds all states of all subgames, unless one has more than so many.
    fn exhaust<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        most: usize,
    ) -> Result<bool, Halt> {
        let mut is_done = true;
        for graph in &mut self.graphs {
            is_done &= graph.finish(problem, self.parts, most.min(MAX_EXHAUSTED))?;
        }
        Ok(is_done)
    }

    /// Looks for plans that are worth more than the best one, for so many states in all.
    fn aim<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: usize,
    ) -> Result<(), Halt> {
        let conditions = self.parts.conditions;
        let mut left = states;
        for (value, question) in self.parts.payoffs() {
            if problem.best_value().is_some_and(|best| value <= best) {
                break;
            }
            // A plan is worth what holds at its end, so that both are asked of one state.
            for way in conditions.ways(&[question, conditions.end()], MAX_WAYS) {
                if self.follow(problem, &way, &mut left)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Looks for a plan that makes concepts so; says whether there is one.
    fn follow<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        way: &Cube,
        left: &mut usize,
    ) -> Result<bool, Halt> {
        let mut plans = Vec::new();
        for part in 0..self.parts.count() {
            let own = self.parts.concepts(part);
            let wanted: Cube = way
                .iter()
                .copied()
                .filter(|&(leaf, _)| own.contains(leaf))
                .collect();
            match self.local_plan(problem, part, wanted, left)? {
                Some(plan) => plans.push(plan),
                None => return Ok(false),
            }
        }
        self.wait(problem, way, &mut plans)?;
        let plan = interleave(problem, self.parts, &mut self.clock, &plans)?;
        match plan {
            Some(plan) => problem.play(&plan),
            None => Ok(false),
        }
    }

    /// A plan of one subgame that makes its concepts so.
    fn local_plan<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        part: usize,
        wanted: Cube,
        left: &mut usize,
    ) -> Result<Option<LocalPlan>, Halt> {
        let graph = &mut self.graphs[part];
        let search = self
            .searches
            .entry((part, wanted))
            .or_insert_with_key(|(_, wanted)| WeightedAStar::new(wanted.clone(), self.longest));
        if !search.run(problem, self.parts, graph, left)? {
            return Ok(None);
        }
        let way = search.way();
        let passed = std::iter::once(0).chain(way.iter().map(|&(_, node)| node));
        let evaluations = passed.map(|node| graph.evaluation(node).clone());
        Ok(Some(LocalPlan {
            evaluations: evaluations.collect(),
            moves: way.into_iter().map(|(mv, _)| mv).collect(),
        }))
    }

    /// Adds moves that only let time pass, if the way asks for a later time and there are such.
    fn wait<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        way: &Cube,
        plans: &mut Vec<LocalPlan>,
    ) -> Result<(), Halt> {
        let own = self.parts.concepts(self.parts.nobody());
        let wanted: Cube = way
            .iter()
            .copied()
            .filter(|&(leaf, _)| own.contains(leaf))
            .collect();
        let Some(waiting) = self.clock.waiting().filter(|_| !wanted.is_empty()) else {
            return Ok(());
        };
        let Some((times, _)) = self.clock.period(problem, self.parts)? else {
            return Ok(());
        };
        // The first time, not before the moves of all plans are made, at which the clock is as the way asks: with 7
        // moves and an end at time 10, 3 moves of waiting. Beyond one period nothing new comes.
        let made: usize = plans.iter().map(|plan| plan.moves.len()).sum();
        for time in made..made + times {
            let held = self.clock.at(problem, self.parts, time)?;
            if wanted
                .iter()
                .all(|&(leaf, value)| held.contains(leaf) == value)
            {
                let count = time - made;
                plans.push(LocalPlan {
                    moves: vec![waiting; count],
                    evaluations: vec![Evaluation::new(); count + 1],
                });
                break;
            }
        }
        Ok(())
    }
}
