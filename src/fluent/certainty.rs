//! Which conditions of effects always hold, and so which fluents are always there.
//!
//! "Some instance of `step` holds" is preserved if every negative effect on `step` comes with a
//! positive one: under the conditions of the first, those of the second hold. A condition on facts,
//! `succ(U,V)`, holds if there is a fact for every term that U can stand for in a state that is not
//! terminal.

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::equality::match_local;
use crate::fluent::known::{Known, known};
use crate::fluent::refine::refine;
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Functor, Substitution, Term, TermId};

/// Constants that are tried one by one.
const MAX_TRIED: usize = 64;

/// Drops the constraints "some instance holds" that the effects do not prove; the fluents of those
/// that were dropped.
pub(super) fn drop_unproved(
    theory: &mut Theory<'_>,
    effects: &[Effect],
    nonterminal: &Conjunction,
) -> Vec<Functor> {
    let failed: Vec<Constraint> = theory
        .constraints
        .clone()
        .into_iter()
        .filter(|constraint| match constraint {
            Constraint::Some { fluent, key } => {
                !is_renewed(theory, effects, (*fluent, key), nonterminal)
            }
            Constraint::Functional { .. } | Constraint::Exclusive { .. } => false,
        })
        .collect();
    theory
        .constraints
        .retain(|constraint| !failed.contains(constraint));
    let dropped = failed.iter().filter_map(|constraint| match constraint {
        Constraint::Some { fluent, .. } => Some(*fluent),
        Constraint::Functional { .. } | Constraint::Exclusive { .. } => None,
    });
    dropped.collect()
}

/// Where an effect comes about, and what is known there.
struct Situation<'s> {
    effect: &'s Effect,
    known: &'s Known,
}

/// Whether every loss of an instance of a fluent function comes with a gain of one that agrees with it in a key.
fn is_renewed(
    theory: &mut Theory<'_>,
    effects: &[Effect],
    (fluent, key): (Functor, &[usize]),
    nonterminal: &Conjunction,
) -> bool {
    let own: Vec<&Effect> = effects
        .iter()
        .filter(|effect| theory.store.functor(effect.fluent) == Some(fluent))
        .collect();
    own.iter()
        .filter(|effect| effect.sign == Sign::Negative)
        .all(|loss| {
            // A loss that never comes about needs no gain.
            let Some(known) = situation(theory, loss, nonterminal) else {
                return true;
            };
            let gains: Vec<&Effect> = own
                .iter()
                .copied()
                .filter(|effect| effect.sign == Sign::Positive)
                .collect();
            let known = &known;
            is_made_good(
                theory,
                &Situation {
                    effect: loss,
                    known,
                },
                &gains,
                key,
            )
        })
}

/// Whether one of the gains comes with a loss, if need be a different one for each constant that an
/// argument of the lost fluent can be.
///
/// ```text
/// - control(R)  always
/// + control(black)  if control(white)        no gain comes with every loss, but R is white or black:
/// + control(white)  if control(black)        the first comes with R = white, the second with R = black
/// ```
fn is_made_good(
    theory: &mut Theory<'_>,
    loss: &Situation<'_>,
    gains: &[&Effect],
    key: &[usize],
) -> bool {
    let has_gain = |theory: &mut Theory<'_>, known: &Known| {
        let loss = Situation {
            effect: loss.effect,
            known,
        };
        gains
            .iter()
            .any(|gain| comes_with(theory, &loss, gain, key))
    };
    if has_gain(theory, loss.known) {
        return true;
    }
    let variables = theory.store.variables(loss.effect.fluent);
    variables.into_iter().any(|variable| {
        let variable = theory.store.variable(variable);
        let term = loss.known.bindings().apply(theory.store, variable);
        let values = loss.known.values(theory, term);
        let Some(values) = values.filter(|values| values.len() <= MAX_TRIED) else {
            return false;
        };
        values.into_iter().all(|value| {
            let mut known = loss.known.clone();
            let is_possible = known.assume(theory, &Condition::Equal(term, value)).is_ok();
            !is_possible || has_gain(theory, &known)
        })
    })
}

/// What is known where an effect comes about; none if it never does.
pub(super) fn situation(
    theory: &mut Theory<'_>,
    effect: &Effect,
    nonterminal: &Conjunction,
) -> Option<Known> {
    let mut conditions = nonterminal.clone();
    for &(role, mv) in &effect.moves {
        let role = theory.roles[role];
        conditions.push(Condition::Holds(theory.binary(
            theory.words.moves,
            role,
            mv,
        )));
    }
    conditions.extend(effect.conditions.iter().cloned());
    known(theory, &conditions)
}

/// Whether a gain comes about with a loss, for an instance that agrees with the lost one in a key.
fn comes_with(theory: &mut Theory<'_>, loss: &Situation<'_>, gain: &Effect, key: &[usize]) -> bool {
    let bindings = loss.known.bindings();
    let lost = bindings.apply(theory.store, loss.effect.fluent);
    let arguments = theory.store.arguments(lost);
    let agreements: Vec<(usize, TermId)> = key.iter().map(|&at| (at, arguments[at])).collect();
    comes(theory, loss, gain, &agreements)
}

/// Whether an effect comes about in the situation of another one, for an instance
/// that has the given terms at some positions.
fn comes(
    theory: &mut Theory<'_>,
    situation: &Situation<'_>,
    effect: &Effect,
    agreements: &[(usize, TermId)],
) -> bool {
    let bindings = situation.known.bindings();
    let made = situation.effect.moves.iter();
    let moves: Vec<(usize, TermId)> = made
        .map(|&(role, mv)| (role, bindings.apply(theory.store, mv)))
        .collect();
    // The moves of the effect are those of the situation, perhaps with some arguments bound. Its
    // variables may be those of the situation, so they are renamed first.
    let own = effect.moves.iter();
    let own: Vec<u32> = own
        .flat_map(|&(_, mv)| theory.store.variables(mv))
        .collect();
    let apart = theory.apart(own);
    let effect = effect.apply(theory.store, &apart);
    let mut bound = Substitution::default();
    for &(role, mv) in &effect.moves {
        // The situation leaves open what this role does, so that the effect need not come about.
        let Some(&(_, made)) = moves.iter().find(|(of, _)| *of == role) else {
            return false;
        };
        let open = theory.store.variables(mv);
        if !match_local(theory.store, &mut bound, &open, (mv, made)) {
            return false;
        }
    }
    let mut effect = effect.apply(theory.store, &bound);
    effect.moves = moves;
    come(theory, situation.known, &effect, agreements)
}

/// Whether the conditions of an effect hold in a situation in which its moves are made.
pub(super) fn are_certain(theory: &mut Theory<'_>, known: &Known, effect: &Effect) -> bool {
    come(theory, known, effect, &[])
}

/// Whether the conditions of an effect hold in a situation in which its moves are made, for an
/// instance of its fluent that has the given terms at some positions.
fn come(
    theory: &mut Theory<'_>,
    known: &Known,
    effect: &Effect,
    agreements: &[(usize, TermId)],
) -> bool {
    let given: Vec<u32> = effect
        .moves
        .iter()
        .flat_map(|&(_, mv)| theory.store.variables(mv))
        .collect();
    let mut own = effect.variables(theory.store);
    own.retain(|variable| !given.contains(variable));
    let mut known = known.clone();
    // The effect's own variables may be those of the situation; they are looked for anew.
    let apart = theory.apart(own.iter().copied());
    let effect = effect.apply(theory.store, &apart);
    let mut conditions: Conjunction = Vec::new();
    for &(at, term) in agreements {
        let own = theory.store.arguments(effect.fluent)[at];
        conditions.push(Condition::Equal(own, term));
    }
    conditions.extend(effect.conditions);
    let fresh = own.into_iter().filter_map(|variable| apart.of(variable));
    let local: Vec<u32> = fresh
        .flat_map(|term| theory.store.variables(term))
        .collect();
    let Some(rest) = refine(theory, &mut known, &local, &conditions) else {
        return false;
    };
    // What is left may only be conditions on facts, each of which some fact satisfies: `succ(U,V)` with V local, where
    // every U that is possible has a successor. A variable in two conditions would have to satisfy both.
    let mut seen: Vec<u32> = Vec::new();
    for condition in &rest.conditions {
        for variable in occurrences(theory, condition) {
            if local.contains(&variable) && seen.contains(&variable) {
                return false;
            }
            seen.push(variable);
        }
    }
    rest.conditions
        .iter()
        .all(|condition| matches!(condition, Condition::Holds(atom) if is_total(theory, &known, &local, *atom)))
}

/// Whether there is a fact for every term that the one known variable of an atom can stand for.
fn is_total(theory: &mut Theory<'_>, known: &Known, local: &[u32], atom: TermId) -> bool {
    let Some(functor) = theory.store.functor(atom) else {
        return false;
    };
    if theory.dependence(functor) != Dependence::Nothing {
        return false;
    }
    let arguments = theory.store.arguments(atom).to_vec();
    let mut variables: Vec<u32> = Vec::new();
    for &argument in &arguments {
        match theory.store.view(argument) {
            Term::Variable(number) if local.contains(&number) => {}
            Term::Variable(number) => variables.push(number),
            _ if theory.store.is_ground(argument) => {}
            Term::Atom(_)
            | Term::Integer(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => return false,
        }
    }
    // One known variable, perhaps at several positions: of two, all pairs of their values would have to be tried.
    variables.dedup();
    let &[variable] = &variables[..] else {
        return false;
    };
    let term = theory.store.variable(variable);
    let Some(values) = known.values(theory, term) else {
        return false;
    };
    values.into_iter().all(|value| {
        let mut pattern = arguments.clone();
        for argument in &mut pattern {
            if *argument == term {
                *argument = value;
            }
        }
        let has_fact = theory
            .facts(functor)
            .and_then(|facts| facts.matching(theory.store, &pattern))
            .is_some_and(|rows| !rows.is_empty());
        // The last step of a counter has no successor, and no state that goes on has it.
        has_fact || known.refutes(theory, &[Condition::Equal(term, value)])
    })
}

/// The variables of a condition, as often as they occur as arguments of an atom.
fn occurrences(theory: &Theory<'_>, condition: &Condition) -> Vec<u32> {
    let mut found = Vec::new();
    condition.each_term(&mut |atom| {
        for &argument in theory.store.arguments(atom) {
            found.extend(theory.store.variables(argument));
        }
    });
    found
}

/// Whether one effect may come about wherever the other does, for the same fluent and sign, as far
/// as one look tells.
pub(super) fn may_subsume(theory: &Theory<'_>, general: &Effect, special: &Effect) -> bool {
    general.sign == special.sign
        && general.moves.len() <= special.moves.len()
        && theory.store.functor(general.fluent) == theory.store.functor(special.fluent)
}

/// Whether one effect comes about in the situation of the other, which is known, for the same fluent.
pub(super) fn subsumes(
    theory: &mut Theory<'_>,
    general: &Effect,
    special: &Effect,
    known: &Known,
) -> bool {
    let fluent = known.bindings().apply(theory.store, special.fluent);
    let arguments = theory.store.arguments(fluent);
    let is_ground = |term| theory.store.is_ground(term);
    let mut pairs = arguments.iter().zip(theory.store.arguments(general.fluent));
    if pairs.any(|(&one, &other)| one != other && is_ground(one) && is_ground(other)) {
        return false;
    }
    let agreements: Vec<(usize, TermId)> = arguments.iter().copied().enumerate().collect();
    let situation = Situation {
        effect: special,
        known,
    };
    comes(theory, &situation, general, &agreements)
}
