//! From a game to its best plan.

use crate::analysis::Analysis;
use crate::gdl::{Reasoner, Watcher};
use crate::search::estimate::Estimator;
use crate::search::outcome::{Algorithm, Outcome, Proof, Remark};
use crate::search::parts::Parts;
use crate::search::problem::{Halt, Problem};
use crate::search::{breadth, decomposed, deepening};

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
            match decomposed::search(problem, &mut parts, &mut known.estimator)? {
                Ok(proof) => Ok(Some(proof)),
                Err(remark) => {
                    remarks.push(remark);
                    breadth::search(problem).map(Some)
                }
            }
        }
    }
}
