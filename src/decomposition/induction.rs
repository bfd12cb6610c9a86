//! Proof by induction over moves that variables are what they seem in plays.
//!
//! All conjectures are assumed of a state and asked of the next one. What a move can break is weakened (one
//! of the group → at most one → single fluents), until the rest is preserved by all moves together.

use crate::circuit::Circuit;
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::decomposition::variables::{Conjecture, Variable};
use crate::limits::{StopFlag, StopReason};

/// What is proved of all states.
pub(super) struct Invariants {
    pub(super) variables: Vec<Variable>,
    /// All of it, as requirements on fluents by place.
    pub(super) requirements: Vec<Requirement>,
    /// Questions to the solver.
    pub(super) questions: usize,
}

/// The strongest part of a conjecture that is an invariant.
///
/// # Errors
/// [`StopReason`] if the solver may infer no more than `steps` assignments before it is known.
pub(super) fn prove(
    circuit: &Circuit,
    mut conjecture: Conjecture,
    stop: &StopFlag,
    steps: u64,
) -> Result<Invariants, StopReason> {
    let mut questions = 0;
    let mut left = steps;
    loop {
        let requirements = requirements(&conjecture);
        let mut solver = Solver::new(stop.clone(), left);
        let next = Transition::new(circuit, &requirements, &mut solver).next;
        let is_proved = weaken(&mut conjecture, &mut solver, &next, &mut questions)?;
        if is_proved {
            return Ok(Invariants {
                variables: conjecture.variables,
                requirements,
                questions,
            });
        }
        left = left.saturating_sub(solver.spent());
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

/// Gives up what a move can break; says whether that is nothing.
fn weaken(
    conjecture: &mut Conjecture,
    solver: &mut Solver,
    next: &[Literal],
    questions: &mut usize,
) -> Result<bool, StopReason> {
    let mut ask = |solver: &mut Solver, assumed: &[Literal]| {
        *questions += 1;
        match solver.ask(assumed) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped(reason) => Err(reason),
        }
    };
    let mut gained = Vec::new();
    for &place in &conjecture.never {
        if ask(solver, &[next[place]])? {
            gained.push(place);
        }
    }
    conjecture.never.retain(|place| !gained.contains(place));
    let mut is_proved = gained.is_empty();
    let mut variables: Vec<Variable> = gained.into_iter().map(Variable::boolean).collect();
    for variable in std::mem::take(&mut conjecture.variables) {
        let literals: Vec<Literal> = variable.fluents.iter().map(|&place| next[place]).collect();
        let none: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
        if two_hold(solver, &literals, &mut ask)? {
            is_proved = false;
            variables.extend(variable.fluents.iter().copied().map(Variable::boolean));
        } else if variable.is_exact && ask(solver, &none)? {
            is_proved = false;
            variables.push(Variable {
                is_exact: false,
                ..variable
            });
        } else {
            variables.push(variable);
        }
    }
    variables.sort_by(|one, other| one.fluents.cmp(&other.fluents));
    conjecture.variables = variables;
    Ok(is_proved)
}

/// Whether two of the literals can be true.
fn two_hold(
    solver: &mut Solver,
    literals: &[Literal],
    ask: &mut impl FnMut(&mut Solver, &[Literal]) -> Result<bool, StopReason>,
) -> Result<bool, StopReason> {
    for (at, &one) in literals.iter().enumerate() {
        let others = &literals[at + 1..];
        if others.is_empty() {
            continue;
        }
        let some = solver.variable();
        solver.require(others.iter().copied().chain([!some]));
        if ask(solver, &[one, some])? {
            return Ok(true);
        }
    }
    Ok(false)
}
