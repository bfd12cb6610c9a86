//! Proof by induction over moves that variables are what they seem in plays.
//!
//! All conjectures are assumed of a state and asked of the next one. What a move can break is weakened (one
//! of the group → at most one → single fluents), until the rest is preserved by all moves together. States
//! that break it are first made of those of plays, which is cheap; the solver finds the others. What it does not
//! decide within its limits is given up, too.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::account::Account;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::invariants::variables::Conjecture;
use crate::circuit::invariants::weakening::{
    Fate, Gained, Weakening, are_extended, gained_together, lost_groups,
};
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::limits::{StopFlag, StopReason};

/// Assignments that the solver may infer for a question.
const MAX_ASSIGNMENTS: u64 = 10_000_000;

/// What is proved of all states.
pub(crate) struct Invariants {
    pub(crate) variables: Vec<Variable>,
    /// All of it, as requirements on fluents by place.
    pub(crate) requirements: Vec<Requirement>,
    /// Fluents that hold in no play, but after moves from states that satisfy the requirements.
    pub(crate) gained: FxHashSet<usize>,
}

/// The strongest part of a conjecture that is an invariant.
///
/// # Errors
/// [`StopReason`] from outside.
pub(crate) fn prove(
    (circuit, sources): (&Circuit, &Sources),
    mut conjecture: Conjecture,
    stop: &StopFlag,
    account: &mut Account,
) -> Result<Invariants, StopReason> {
    // The other half is for the certificates.
    let kept = account.steps / 2;
    loop {
        let requirements = requirements(&conjecture);
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let transition = Transition::new(circuit, &requirements, &mut solver);
        let mut step = InductionStep {
            solver,
            transition,
            account,
            kept,
        };
        let gained = gained(sources, &conjecture, &mut step);
        let fates = fates(&conjecture.variables, &gained, &mut step);
        stop.poll()?;
        let weakening = Weakening { gained, fates };
        if !weakening.apply(&mut conjecture) {
            return Ok(Invariants {
                variables: conjecture.variables,
                requirements,
                gained: conjecture.gained,
            });
        }
    }
}

fn requirements(conjecture: &Conjecture) -> Vec<Requirement> {
    let never = conjecture.never.iter().copied().map(Requirement::Never);
    let mut all: Vec<Requirement> = never.collect();
    for Variable { fluents, is_exact } in &conjecture.variables {
        if fluents.len() > 1 {
            all.push(Requirement::AtMostOne(fluents.clone()));
        }
        if *is_exact {
            all.push(Requirement::Some(fluents.clone()));
        }
    }
    all
}

/// A move from a state as conjectured, about which questions are asked.
struct InductionStep<'q> {
    solver: Solver,
    transition: Transition,
    account: &'q mut Account,
    /// Assignments that are to be left in the account.
    kept: u64,
}

impl InductionStep<'_> {
    fn ask(&mut self, assumed: &[Literal]) -> Answer {
        let left = self.account.steps.saturating_sub(self.kept);
        let most = left.min(MAX_ASSIGNMENTS);
        self.account.ask(&mut self.solver, assumed, most)
    }

    /// Whether a fluent holds next in the states found last.
    fn holds_next(&self, place: usize) -> bool {
        self.solver.value(self.transition.next[place])
    }
}

/// Fluents that were thought never to hold and do.
fn gained(sources: &Sources, conjecture: &Conjecture, step: &mut InductionStep<'_>) -> Vec<Gained> {
    let mut gained = Vec::new();
    let mut open: VecDeque<usize> = conjecture.never.iter().copied().collect();
    while let Some(place) = open.pop_front() {
        let holds = step.transition.next[place];
        match step.ask(&[holds]) {
            Answer::Satisfiable => {}
            Answer::Unsatisfiable => continue,
            Answer::Stopped(_) => {
                let group = None;
                gained.push(Gained { place, group });
                continue;
            }
        }
        let held = |place: usize| step.solver.value(step.transition.now[place]);
        let lost = lost_groups(&conjecture.variables, held, |place| step.holds_next(place));
        // The same states may show others.
        let mut together = vec![place];
        open.retain(|&other| {
            let is_gained = step.holds_next(other);
            if is_gained {
                together.push(other);
            }
            !is_gained
        });
        let variables = &conjecture.variables;
        gained.extend(gained_together(sources, variables, &lost, &together));
    }
    gained
}

/// What becomes of variables, but for those that gain a value.
fn fates(variables: &[Variable], gained: &[Gained], step: &mut InductionStep<'_>) -> Vec<Fate> {
    let mut fates = vec![Fate::Kept; variables.len()];
    let is_kept = are_extended(variables.len(), gained);
    let is_asked = |fates: &[Fate], number: usize| fates[number] == Fate::Kept && !is_kept[number];
    for number in 0..variables.len() {
        if !is_asked(&fates, number) {
            continue;
        }
        let fluents = variables[number].fluents.iter();
        let literals: Vec<Literal> = fluents.map(|&place| step.transition.next[place]).collect();
        let two = two_hold(step, &literals);
        if matches!(two, Answer::Stopped(_)) {
            fates[number] = Fate::Broken;
            continue;
        }
        if two == Answer::Unsatisfiable {
            let all_fail: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
            let none = if variables[number].is_exact {
                step.ask(&all_fail)
            } else {
                Answer::Unsatisfiable
            };
            if matches!(none, Answer::Stopped(_)) {
                fates[number] = Fate::Inexact;
            }
            if none != Answer::Satisfiable {
                continue;
            }
        }
        // The same states may refute others; what is left of these is for the next round.
        for other in number..variables.len() {
            if is_asked(&fates, other) {
                fates[other] = fate(&variables[other], step);
            }
        }
    }
    fates
}

/// What the states found last say of a variable.
fn fate(variable: &Variable, step: &InductionStep<'_>) -> Fate {
    let fluents = variable.fluents.iter();
    let holding = fluents.filter(|&&place| step.holds_next(place)).count();
    match holding {
        0 if variable.is_exact => Fate::Inexact,
        0 | 1 => Fate::Kept,
        _ => Fate::Broken,
    }
}

/// Whether two of the literals can be true.
fn two_hold(step: &mut InductionStep<'_>, literals: &[Literal]) -> Answer {
    for (at, &one) in literals.iter().enumerate() {
        let others = &literals[at + 1..];
        if others.is_empty() {
            continue;
        }
        let some = step.solver.variable();
        step.solver.require(others.iter().copied().chain([!some]));
        let answer = step.ask(&[one, some]);
        if answer != Answer::Unsatisfiable {
            return answer;
        }
    }
    Answer::Unsatisfiable
}
