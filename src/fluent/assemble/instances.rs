//! Effects where the action is made: without what its legality decides, and as instances where facts list what changes.
//!
//! ```text
//! effect of turn(X):   - on(L)  if  wired(X,L), true(on(L))        facts: wired(s1,a), wired(s1,b)
//! under turn(s1):      - on(a)  if  true(on(a))
//!                      - on(b)  if  true(on(b))
//! ```

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::define::{definers, is_determined};
use crate::fluent::effect::Effect;
use crate::fluent::failure::{BodyFailure, failure};
use crate::fluent::known::Known;
use crate::fluent::refine::refine;
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Substitution, TermId};

/// Instances by facts that one effect is replaced by, at most.
const MAX_INSTANCES: usize = 24;

/// What is left of an effect where the action is made: none if it cannot come about, and one effect
/// for each fact where a relation of facts lists what changes.
pub(super) fn instances(
    theory: &mut Theory<'_>,
    context: &Known,
    given: &[u32],
    effect: Effect,
) -> Vec<Effect> {
    // Only conditions on moves are evaluated away here; those on the state make the cases of the axiom.
    let mut written = effect.conditions.iter();
    if !written.any(|condition| theory.is_of_moves(condition)) {
        return vec![effect];
    }
    let mut local = effect.variables(theory.store);
    local.retain(|variable| !given.contains(variable));
    let mut known = context.clone();
    let Some(mut rest) = refine(theory, &mut known, &local, &effect.conditions) else {
        return Vec::new();
    };
    let left = std::mem::take(&mut rest.conditions);
    let Some(left) = evaluated(theory, &known, left) else {
        return Vec::new();
    };
    let fluent = rest.witnesses.apply(theory.store, effect.fluent);
    let mut own: Conjunction = Vec::new();
    let mut spoken = theory.store.variables(fluent);
    for condition in &left {
        let condition = condition.apply(theory.store, &rest.witnesses);
        spoken.extend(condition.variables(theory.store));
        own.push(condition);
    }
    // A witness is a term of which the context speaks; the effect has to say which.
    // `definers` finds atoms that say what such a term is.
    spoken.retain(|variable| !local.contains(variable));
    let atoms: Vec<TermId> = known.atoms().collect();
    let definers = definers(theory, &atoms, given, spoken).into_iter();
    let mut conditions: Conjunction = definers.map(Condition::Holds).collect();
    own.retain(|condition| !conditions.contains(condition));
    conditions.extend(own);
    let effect = Effect {
        fluent,
        conditions,
        ..effect
    };
    by_facts(theory, given, effect)
}

/// Conditions in which "none of these" is replaced by what is left of it where the action is known; nothing if one of
/// them cannot hold.
fn evaluated(
    theory: &mut Theory<'_>,
    known: &Known,
    conditions: Conjunction,
) -> Option<Conjunction> {
    let mut evaluated = Vec::new();
    for condition in conditions {
        match &condition {
            Condition::None(local, inner) => {
                let mut known = known.clone();
                match failure(theory, &mut known, local, inner) {
                    BodyFailure::Always => {}
                    BodyFailure::Where(ways) => match &ways[..] {
                        // It never fails to hold together: the negation is false, and with it the effect.
                        [] => return None,
                        [way] => evaluated.extend(way.iter().cloned()),
                        _ => evaluated.push(condition),
                    },
                }
            }
            Condition::Holds(_)
            | Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_) => evaluated.push(condition),
        }
    }
    Some(evaluated)
}

/// One effect for each fact that a condition of an effect leaves a choice of, where the effect does
/// not name one fluent without.
fn by_facts(theory: &mut Theory<'_>, given: &[u32], effect: Effect) -> Vec<Effect> {
    // What names its fluent already needs no instances.
    if is_plain(theory, &effect, given) {
        return vec![effect];
    }
    let mut rows: Vec<Vec<TermId>> = Vec::new();
    // The first condition on facts with few rows that fit.
    let listed = effect
        .conditions
        .iter()
        .find_map(|condition| match condition {
            Condition::Holds(atom) => {
                let facts = theory.facts(theory.store.functor(*atom)?)?;
                let found = facts.matching(theory.store, theory.store.arguments(*atom))?;
                let few = !theory.store.is_ground(*atom) && found.len() <= MAX_INSTANCES;
                few.then(|| {
                    rows = found.into_iter().map(<[TermId]>::to_vec).collect();
                    *atom
                })
            }
            Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_)
            | Condition::None(..) => None,
        });
    let Some(atom) = listed else {
        return vec![effect];
    };
    let mut instances = Vec::new();
    for row in rows {
        let mut unifier = Substitution::default();
        let arguments = theory.store.arguments(atom).to_vec();
        let fits = arguments
            .iter()
            .zip(&row)
            .all(|(&argument, &term)| unifier.unify(theory.store, argument, term));
        if fits {
            let others = effect.conditions.iter();
            let others = others.filter(|condition| **condition != Condition::Holds(atom));
            instances.push(Effect {
                fluent: unifier.apply(theory.store, effect.fluent),
                conditions: others.map(|c| c.apply(theory.store, &unifier)).collect(),
                ..effect.clone()
            });
        }
    }
    instances
}

/// Whether an effect names one fluent at most, under conditions on the state alone.
pub(super) fn is_plain(theory: &Theory<'_>, effect: &Effect, given: &[u32]) -> bool {
    let atoms: Vec<TermId> = effect
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::Holds(atom) => Some(*atom),
            Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_)
            | Condition::None(..) => None,
        })
        .collect();
    effect
        .conditions
        .iter()
        .all(|condition| is_plain_condition(theory, condition))
        && is_determined(theory, &atoms, given, effect.fluent)
}

/// Whether a condition speaks of the state alone.
fn is_plain_condition(theory: &Theory<'_>, condition: &Condition) -> bool {
    match condition {
        Condition::Holds(atom) | Condition::Fails(atom) => {
            theory.dependence_of(*atom) != Dependence::Moves
        }
        Condition::Equal(..) | Condition::Differ(_) => true,
        Condition::None(_, inner) => inner.iter().all(|inner| is_plain_condition(theory, inner)),
    }
}
