//! Proof by induction over moves that variables are what they seem in plays.
//!
//! All conjectures are assumed of a state and asked of the next one. What a move can break is weakened (one
//! of the group → at most one → single fluents), until the rest is preserved by all moves together.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::circuit::Circuit;
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::decomposition::certificate::Account;
use crate::decomposition::sources::Sources;
use crate::decomposition::variables::{Conjecture, Variable};
use crate::limits::{StopFlag, StopReason};

/// What is proved of all states.
pub(super) struct Invariants {
    pub(super) variables: Vec<Variable>,
    /// All of it, as requirements on fluents by place.
    pub(super) requirements: Vec<Requirement>,
}

/// The strongest part of a conjecture that is an invariant.
///
/// # Errors
/// [`StopReason`] if the solver may infer no more before it is known.
pub(super) fn prove(
    circuit: &Circuit,
    sources: &Sources,
    mut conjecture: Conjecture,
    stop: &StopFlag,
    account: &mut Account,
) -> Result<Invariants, StopReason> {
    loop {
        let requirements = requirements(&conjecture);
        let mut solver = Solver::new(stop.clone(), account.steps);
        let transition = Transition::new(circuit, &requirements, &mut solver);
        let is_proved = weaken(
            sources,
            &mut conjecture,
            &mut solver,
            &transition,
            &mut account.questions,
        )?;
        account.steps = account.steps.saturating_sub(solver.spent());
        if is_proved {
            return Ok(Invariants {
                variables: conjecture.variables,
                requirements,
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

/// Gives up what a move can break; says whether that is nothing.
fn weaken(
    sources: &Sources,
    conjecture: &mut Conjecture,
    solver: &mut Solver,
    transition: &Transition,
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
    let next = &transition.next;
    // Values that no play had, as the last steps of a counter: each takes the place of a value that is lost.
    let mut gained = Vec::new();
    for &place in &conjecture.never {
        if ask(solver, &[next[place]])? {
            let lost = lost_groups(&conjecture.variables, solver, transition);
            gained.push((
                place,
                nearest(sources.of(place), &conjecture.variables, &lost),
            ));
        }
    }
    let mut is_proved = gained.is_empty();
    let mut is_extended = vec![false; conjecture.variables.len()];
    for &(place, group) in &gained {
        conjecture.never.retain(|&never| never != place);
        match group {
            Some(group) => {
                conjecture.variables[group].fluents.push(place);
                conjecture.extensions.insert(place);
                is_extended[group] = true;
            }
            None => conjecture.variables.push(Variable::boolean(place)),
        }
    }
    let mut variables: Vec<Variable> = Vec::new();
    for (number, variable) in std::mem::take(&mut conjecture.variables)
        .into_iter()
        .enumerate()
    {
        // What was extended just now is for the next round: its new values were excluded in this one.
        if is_extended.get(number) == Some(&true) {
            variables.push(variable);
            continue;
        }
        let literals: Vec<Literal> = variable.fluents.iter().map(|&place| next[place]).collect();
        let none: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
        if two_hold(solver, &literals, &mut ask)? {
            is_proved = false;
            variables.extend(broken(variable, &conjecture.extensions));
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
    for variable in &mut variables {
        variable.fluents.sort_unstable();
    }
    variables.sort_by(|one, other| one.fluents.cmp(&other.fluents));
    conjecture.variables = variables;
    Ok(is_proved)
}

/// The groups, by number, that the states found last lose a member of and gain none of.
fn lost_groups(variables: &[Variable], solver: &Solver, transition: &Transition) -> Vec<usize> {
    let holds = |literals: &[Literal], variable: &Variable| {
        let mut fluents = variable.fluents.iter();
        fluents.any(|&place| solver.value(literals[place]))
    };
    let is_lost = |&number: &usize| {
        let variable = &variables[number];
        holds(&transition.now, variable) && !holds(&transition.next, variable)
    };
    (0..variables.len()).filter(is_lost).collect()
}

/// Of some groups, by number, the one with most members among the sources of a fluent.
fn nearest(sources: &FixedBitSet, variables: &[Variable], groups: &[usize]) -> Option<usize> {
    let shared = |&group: &usize| {
        let members = variables[group].fluents.iter();
        members.filter(|&&member| sources.contains(member)).count()
    };
    let related = groups.iter().filter(|group| shared(group) > 0);
    related
        .max_by_key(|group| (shared(group), Reverse(**group)))
        .copied()
}

/// What is left of a group of which two hold: the values that plays had, then single fluents.
fn broken(variable: Variable, extensions: &FxHashSet<usize>) -> Vec<Variable> {
    let (unseen, seen): (Vec<usize>, Vec<usize>) = variable
        .fluents
        .into_iter()
        .partition(|place| extensions.contains(place));
    let single = |fluents: Vec<usize>| fluents.into_iter().map(Variable::boolean);
    match unseen.is_empty() || seen.is_empty() {
        true => single(unseen).chain(single(seen)).collect(),
        false => {
            let rest = Variable {
                fluents: seen,
                is_exact: false,
            };
            single(unseen).chain([rest]).collect()
        }
    }
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
