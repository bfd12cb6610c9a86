//! Whether an effect can be evaluated as it is written.
//!
//! An atom or a move must say what each of its variables stands for: `distinct(X, Y)`, or an atom
//! that does not hold, only tests terms that are known.

use crate::fluent::condition::Condition;
use crate::fluent::effect::Effect;
use crate::fluent::program::solve_local;
use crate::fluent::theory::Theory;
use crate::term::TermId;

/// Whether in every effect an atom, or the move, says what each variable is. Simplification may
/// take the last such atom away where a limit was reached.
pub(super) fn can_be_evaluated(theory: &mut Theory<'_>, effects: &[Effect]) -> bool {
    effects.iter().all(|effect| {
        let moves = effect.moves.iter();
        let mut bound: Vec<u32> = moves
            .flat_map(|&(_, mv)| theory.store.variables(mv))
            .collect();
        bind(theory, &effect.conditions, &mut bound);
        are_bound(theory, effect.fluent, &bound)
            && effect
                .conditions
                .iter()
                .all(|condition| is_bound(theory, condition, &bound))
    })
}

/// Adds the variables that the atoms and equations of a conjunction bind.
fn bind(theory: &Theory<'_>, conditions: &[Condition], bound: &mut Vec<u32>) {
    let mut before = usize::MAX;
    while before != bound.len() {
        before = bound.len();
        for condition in conditions {
            match *condition {
                Condition::Holds(atom) => add(theory, atom, bound),
                Condition::Equal(one, other) if are_bound(theory, one, bound) => {
                    add(theory, other, bound);
                }
                Condition::Equal(other, one) if are_bound(theory, one, bound) => {
                    add(theory, other, bound);
                }
                Condition::Equal(..)
                | Condition::Fails(_)
                | Condition::Differ(_)
                | Condition::None(..) => {}
            }
        }
    }
}

fn add(theory: &Theory<'_>, term: TermId, bound: &mut Vec<u32>) {
    for variable in theory.store.variables(term) {
        if !bound.contains(&variable) {
            bound.push(variable);
        }
    }
}

pub(super) fn are_bound(theory: &Theory<'_>, term: TermId, bound: &[u32]) -> bool {
    let variables = theory.store.variables(term);
    variables.iter().all(|variable| bound.contains(variable))
}

/// Whether a condition can be evaluated where these variables are bound.
fn is_bound(theory: &mut Theory<'_>, condition: &Condition, bound: &[u32]) -> bool {
    let variables = condition.variables(theory.store);
    if variables.iter().any(|variable| !bound.contains(variable)) {
        return false;
    }
    let Condition::None(local, inner) = condition else {
        return true;
    };
    let inner = solve_local(theory.store, local, inner);
    let mut inside = bound.to_vec();
    for condition in &inner {
        if let Condition::Holds(atom) = *condition {
            add(theory, atom, &mut inside);
        }
    }
    inner
        .iter()
        .all(|condition| is_bound(theory, condition, &inside))
}
