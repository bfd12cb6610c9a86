//! From a game to its best plan.

use crate::analysis::{Analysis, Order};
use crate::gdl::{Reasoner, Watcher};
use crate::search::estimate::Estimator;
use crate::search::outcome::{Algorithm, Outcome, Proof, Remark};
use crate::search::parts::Parts;
use crate::search::problem::{Halt, Problem};
use crate::search::{breadth, concept, decomposed, deepening, greedy};

/// What is known of a game beside its rules.
pub struct Decomposition<'a> {
    /// What it is made of.
    pub analysis: &'a Analysis,
    /// Watches the leaves of the analysis' conditions.
    pub watcher: Watcher,
    /// Knows the same leaves, in the same order, as its other atoms.
    pub estimator: Estimator,
}

/// Searches for the best plan of a single-player game. Without a decomposition the whole game is
/// searched.
pub fn solve<R: Reasoner>(
    mut problem: Problem<'_, R>,
    algorithm: Algorithm,
    decomposition: Option<Decomposition<'_>>,
) -> Outcome {
    let mut remarks = Vec::new();
    let result = run(&mut problem, algorithm, decomposition, &mut remarks);
    let (best, counts, faults) = problem.take();
    let (value, plan) = best.unzip();
    let (proof, halt) = match result {
        Ok(proof) => (proof, None),
        Err(halt) => (None, Some(halt)),
    };
    Outcome {
        algorithm,
        value,
        plan,
        proof,
        counts,
        halt,
        faults,
        remarks,
    }
}

fn run<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    algorithm: Algorithm,
    decomposition: Option<Decomposition<'_>>,
    remarks: &mut Vec<Remark>,
) -> Result<Option<Proof>, Halt> {
    let initial = problem.initial_state()?;
    if problem.is_terminal(&initial)? {
        if let Some(value) = problem.value(&initial)? {
            problem.offer(value, Vec::new);
        }
        return Ok(Some(Proof::AllStates));
    }
    match (algorithm, decomposition) {
        (Algorithm::Deepening, _) => deepening::search(problem).map(Some),
        (Algorithm::Direct, _) | (_, None) => breadth::search(problem).map(Some),
        (Algorithm::Auto | Algorithm::Concept | Algorithm::Greedy, Some(mut known)) => {
            let Ok(conditions) = &known.analysis.conditions else {
                remarks.push(Remark::NoConcepts);
                return breadth::search(problem).map(Some);
            };
            let mut parts = Parts::new(problem, known.analysis, conditions, known.watcher)?;
            match algorithm {
                Algorithm::Concept => concept::search(problem, &mut parts),
                Algorithm::Greedy => {
                    if !is_ordered(known.analysis) {
                        remarks.push(Remark::NotOrdered);
                    }
                    greedy::search(problem, &mut parts)?;
                    Ok(problem.is_won().then_some(Proof::Highest))
                }
                Algorithm::Auto | Algorithm::Direct | Algorithm::Deepening => {
                    let found = decomposed::search(problem, &mut parts, &mut known.estimator)?;
                    match found {
                        Ok(proof) => Ok(Some(proof)),
                        Err(remark) => {
                            remarks.push(remark);
                            breadth::search(problem).map(Some)
                        }
                    }
                }
            }
        }
    }
}

/// Whether the goals are strictly ordered and the end is a disjunction of local concepts, so that
/// greedy search finds the best plan if no end comes between, \[G07, Section 4.1.2\].
fn is_ordered(analysis: &Analysis) -> bool {
    let mut payoffs = analysis.payoffs.iter();
    let is_strict = payoffs.all(|payoffs| payoffs.order == Order::Strict);
    is_strict && !analysis.payoffs.is_empty() && analysis.is_end_local == Some(true)
}
