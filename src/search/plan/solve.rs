//! From a game to its best plan.

use crate::analysis::{Analysis, Conditions, Formulas, Order};
use crate::fluent::GameAxioms;
use crate::gdl::{Game, GameError, GoalValue, Keyword, Keywords, Reasoner, Vocabulary};
use crate::limits::Limits;
use crate::search::halt::Halt;
use crate::search::plan::estimate::Estimator;
use crate::search::plan::highest::highest_value;
use crate::search::plan::outcome::{Plan, PlanAlgorithm, PlanOutcome, Proof, Remark};
use crate::search::plan::parts::Parts;
use crate::search::plan::planning::{self, Planner};
use crate::search::plan::problem::Problem;
use crate::search::plan::{breadth, concept, decomposed, deepening, greedy, shorten};
use crate::term::{Store, TermId};

/// What is known of a game beside its rules.
pub struct Decomposition<'a> {
    axioms: &'a GameAxioms,
    analysis: &'a Analysis,
    conditions: Conditions,
    /// Measures states by the leaves of the conditions.
    estimator: Estimator,
    /// Measures states by the highest value and the end.
    whole: Estimator,
}

impl<'a> Decomposition<'a> {
    /// Prepares what an analysis found for search; nothing if goal and end cannot be told apart.
    ///
    /// # Errors
    /// [`GameError`] if the atoms that goal and end speak of cannot be evaluated.
    pub fn of(
        game: &Game,
        axioms: &'a GameAxioms,
        analysis: &'a Analysis,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Result<Option<Self>, GameError> {
        let store = vocabulary.store_mut();
        let highest = highest_value(game, store);
        let aims = aims(store, highest, axioms);
        let mut formulas = Formulas::of(axioms, store, limits);
        let Ok(conditions) = formulas.conditions(analysis) else {
            return Ok(None);
        };
        let concepts: Vec<TermId> = conditions.leaves().collect();
        let (Ok(local), Ok(whole)) = (formulas.heuristic(&concepts), formulas.heuristic(&aims))
        else {
            return Ok(None);
        };
        let [estimator, whole] = Estimator::of(game, vocabulary, [local, whole], limits)?;
        Ok(Some(Self {
            axioms,
            analysis,
            conditions,
            estimator,
            whole,
        }))
    }
}

/// The highest value and the end, as atoms.
fn aims(store: &mut Store, highest: GoalValue, axioms: &GameAxioms) -> Vec<TermId> {
    let keywords = Keywords::of(store);
    let value = store.integer(i64::from(highest.0));
    let role = axioms.roles.first().copied().unwrap_or(value);
    let goal = store.compound(keywords.symbol(Keyword::Goal), &[role, value]);
    vec![goal, store.atom(keywords.symbol(Keyword::Terminal))]
}

/// Searches for the best plan of a single-player game. Without a decomposition the whole game is
/// searched.
pub fn solve<R: Reasoner>(
    problem: Problem<'_, R>,
    algorithm: PlanAlgorithm,
    decomposition: Option<Decomposition<'_>>,
) -> PlanOutcome {
    search(problem, algorithm, decomposition, Aim::Value)
}

/// The same, and then for a shortest plan among the best. Where no plan is proved to be the best, none is proved
/// to be a shortest one.
pub fn solve_shortest<R: Reasoner>(
    problem: Problem<'_, R>,
    algorithm: PlanAlgorithm,
    decomposition: Option<Decomposition<'_>>,
) -> PlanOutcome {
    search(problem, algorithm, decomposition, Aim::Length)
}

/// What a plan shall be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Worth as much as possible.
    Value,
    /// And as short as possible.
    Length,
}

fn search<R: Reasoner>(
    mut problem: Problem<'_, R>,
    algorithm: PlanAlgorithm,
    decomposition: Option<Decomposition<'_>>,
    aim: Aim,
) -> PlanOutcome {
    let mut remarks = Vec::new();
    // Searches that go on by the number of moves find a shortest plan first.
    let is_by_length = match algorithm {
        PlanAlgorithm::Direct | PlanAlgorithm::Deepening => true,
        PlanAlgorithm::Auto => decomposition.is_none(),
        PlanAlgorithm::Concept | PlanAlgorithm::Greedy | PlanAlgorithm::Plan => false,
    };
    let result = run(&mut problem, algorithm, decomposition, &mut remarks);
    let (proof, mut halt) = match result {
        Ok(proof) => (proof, None),
        Err(halt) => (None, Some(halt)),
    };
    let mut is_shortest = is_by_length && proof.is_some() && problem.best().is_some();
    if !is_shortest && halt.is_none() {
        let shortened = match aim {
            Aim::Length if proof.is_some() => shorten::shortest(&mut problem),
            Aim::Value | Aim::Length => shorten::drop_needless(&mut problem).map(|()| false),
        };
        // What stops this leaves the value, and why it is the best, as they are.
        match shortened {
            Ok(found) => is_shortest = found,
            Err(reason) => halt = Some(reason),
        }
    }
    let (best, counts, faults) = problem.take();
    let (value, plan) = best.unzip();
    PlanOutcome {
        algorithm,
        value,
        plan,
        proof,
        is_shortest,
        counts,
        halt,
        faults,
        remarks,
    }
}

fn run<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    algorithm: PlanAlgorithm,
    decomposition: Option<Decomposition<'_>>,
    remarks: &mut Vec<Remark>,
) -> Result<Option<Proof>, Halt> {
    let start = problem.start().clone();
    let mut moves = Vec::new();
    problem.visit(&start, &mut moves, Plan::new)?;
    if moves.is_empty() {
        return Ok(Some(Proof::AllStates));
    }
    match (algorithm, decomposition) {
        (PlanAlgorithm::Deepening, _) => deepening::search(problem).map(Some),
        (PlanAlgorithm::Direct, _) => breadth::search(problem).map(Some),
        (PlanAlgorithm::Plan, known) => plan(problem, known, remarks),
        (PlanAlgorithm::Auto | PlanAlgorithm::Concept | PlanAlgorithm::Greedy, None) => {
            remarks.push(Remark::NoConcepts);
            breadth::search(problem).map(Some)
        }
        (PlanAlgorithm::Auto | PlanAlgorithm::Concept | PlanAlgorithm::Greedy, Some(known)) => {
            let structure = &known.analysis.structure;
            let mut parts = Parts::new(problem, structure, &known.conditions, known.estimator);
            match algorithm {
                PlanAlgorithm::Concept => concept::search(problem, &mut parts),
                PlanAlgorithm::Greedy => {
                    if !is_ordered(known.analysis) {
                        remarks.push(Remark::NotOrdered);
                    }
                    greedy::search(problem, &mut parts)?;
                    Ok(problem.is_won().then_some(Proof::Highest))
                }
                PlanAlgorithm::Auto
                | PlanAlgorithm::Direct
                | PlanAlgorithm::Deepening
                | PlanAlgorithm::Plan => {
                    let whole_game = (known.axioms, known.whole);
                    decomposed::search(problem, &mut parts, whole_game, remarks).map(Some)
                }
            }
        }
    }
}

fn plan<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    known: Option<Decomposition<'_>>,
    remarks: &mut Vec<Remark>,
) -> Result<Option<Proof>, Halt> {
    let planner = match known {
        Some(mut known) => {
            let distance = known.whole.distance(problem)?;
            Planner::new(problem, Some(known.axioms), distance)?
        }
        None => Planner::new(problem, None, 0)?,
    };
    let Some(mut planner) = planner else {
        remarks.push(Remark::NoPlays);
        return Ok(None);
    };
    let proof = planning::search(problem, &mut planner)?;
    if proof.is_none() {
        remarks.push(Remark::TooLong);
    }
    Ok(proof)
}

/// Whether the goals are strictly ordered and the end is a disjunction of local concepts, so that
/// greedy search finds the best plan if no end comes between, \[G07, Section 4.1.2\].
fn is_ordered(analysis: &Analysis) -> bool {
    let mut payoffs = analysis.payoffs.iter();
    let is_strict = payoffs.all(|payoffs| payoffs.order == Order::Strict);
    is_strict && !analysis.payoffs.is_empty() && analysis.is_end_local == Some(true)
}
