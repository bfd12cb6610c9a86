//! Which terms are equal because atoms hold: by the dependencies of facts, by what was proved of all
//! states, and because facts and domains leave no choice.

use crate::fluent::equality::Contradiction;
use crate::fluent::theory::{Dependence, Theory};
use crate::gdl::Domains;
use crate::term::{Store, TermId};

/// Whether an atom is a fact of the game.
pub(super) fn is_fact(theory: &Theory<'_>, atom: TermId) -> bool {
    theory.store.is_ground(atom)
        && theory.store.functor(atom).is_some_and(|functor| {
            theory
                .facts(functor)
                .is_some_and(|facts| facts.contains(theory.store.arguments(atom)))
        })
}

/// Terms that are equal because two atoms hold.
pub(super) fn determined(
    theory: &mut Theory<'_>,
    left: TermId,
    right: TermId,
) -> Result<Vec<(TermId, TermId)>, Contradiction> {
    let functor = theory.store.functor(left);
    if functor != theory.store.functor(right) {
        return Ok(Vec::new());
    }
    if let (Some((role, mv)), Some((other, move_of_other))) =
        (theory.move_of(left), theory.move_of(right))
    {
        // One move for each role, in every joint move.
        return Ok(if role == other {
            vec![(mv, move_of_other)]
        } else {
            Vec::new()
        });
    }
    if let (Some(one), Some(other)) = (theory.fluent_of(left), theory.fluent_of(right)) {
        return fluents_determined(theory, one, other);
    }
    let store = &*theory.store;
    let mut equal = Vec::new();
    if let Some(facts) = functor.and_then(|functor| theory.facts(functor)) {
        let (some, others) = (store.arguments(left), store.arguments(right));
        for dependency in facts.dependencies() {
            // Equal in the key, equal in the column.
            if dependency.key.iter().all(|&at| some[at] == others[at]) {
                equal.push((some[dependency.column], others[dependency.column]));
            }
        }
    }
    Ok(equal)
}

fn fluents_determined(
    theory: &mut Theory<'_>,
    one: TermId,
    other: TermId,
) -> Result<Vec<(TermId, TermId)>, Contradiction> {
    let Theory {
        store,
        constraints,
        used,
        ..
    } = theory;
    let mut equal = Vec::new();
    for (place, constraint) in constraints.iter().enumerate() {
        if constraint.excludes(store, one, other) || constraint.excludes(store, other, one) {
            used.grow_and_insert(place);
            return Err(Contradiction);
        }
        // Only what adds an equation is noted as used: a proof must not hang on more than it needs.
        if let Some(pairs) = constraint.between(store, one, other)
            && pairs.iter().any(|(one, other)| one != other)
        {
            used.grow_and_insert(place);
            equal.extend(pairs);
        }
    }
    Ok(equal)
}

/// What an atom's variables must be because the facts or the domains leave no choice.
pub(super) fn choices(
    theory: &Theory<'_>,
    atom: TermId,
) -> Result<Vec<(TermId, TermId)>, Contradiction> {
    let store = &*theory.store;
    let Some(functor) = store.functor(atom) else {
        return Ok(Vec::new());
    };
    if let Some(fluent) = theory.fluent_of(atom) {
        return if may_be_fluent(store, &theory.domains, fluent) {
            Ok(Vec::new())
        } else {
            Err(Contradiction)
        };
    }
    if theory.dependence(functor) != Dependence::Nothing {
        return Ok(Vec::new());
    }
    let arguments = store.arguments(atom);
    let Some(rows) = theory
        .facts(functor)
        .and_then(|facts| facts.matching(store, arguments))
    else {
        return Ok(Vec::new());
    };
    if rows.is_empty() || (arguments.is_empty() && !is_fact(theory, atom)) {
        return Err(Contradiction);
    }
    // A column in which all fitting rows agree.
    let mut equal = Vec::new();
    for (column, &argument) in arguments.iter().enumerate() {
        let first = rows[0][column];
        if !store.is_ground(argument) && rows.iter().all(|row| row[column] == first) {
            equal.push((argument, first));
        }
    }
    Ok(equal)
}

/// Whether the domains have room for an instance of a fluent.
fn may_be_fluent(store: &Store, domains: &Domains, fluent: TermId) -> bool {
    let Some(functor) = store.functor(fluent) else {
        return true;
    };
    if functor.arity == 0 {
        return domains.fluents().contains(store, fluent);
    }
    let arguments = store.arguments(fluent);
    domains
        .fluents()
        .forms()
        .filter(|form| form.functor() == functor)
        .any(|form| {
            let mut pairs = arguments.iter().zip(form.arguments());
            pairs.all(|(&term, domain)| !store.is_ground(term) || domain.contains(store, term))
        })
}
