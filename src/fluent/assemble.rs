//! From effects to axioms: one state update axiom an action, in the form of [G07, Definition 2.7]
//! where there is one.
//!
//! Effects that always come about make up the first case. One that comes about under a condition
//! splits every case in two, unless the condition is known to hold or to fail there. What speaks of
//! all instances that the state happens to hold, or would split too often, is left over.
//!
//! ```text
//! effects of move(X,Y):   - at(X)     always
//!                         + at(Y)     always
//!                         + dirty     if wet(Y)
//! cases:                  ¬wet(Y):  - at(X)  + at(Y)
//!                          wet(Y):  - at(X)  + at(Y)  + dirty
//! ```

mod cases;
mod instances;

use crate::fluent::assemble::cases::Cases;
use crate::fluent::assemble::instances::instances;
use crate::fluent::axioms::StateUpdateAxiom;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::Effect;
use crate::fluent::known::{Known, known};
use crate::fluent::theory::Theory;
use crate::term::TermId;

/// Cases that one axiom may have.
const MAX_CASES: usize = 12;

/// Steps of inference spent on the cases of one axiom.
const MAX_WORK: u64 = 1_000_000;

/// The state update axioms: effects that one action brings about with those of the same action.
pub(super) fn updates(
    theory: &mut Theory<'_>,
    actions: &[Vec<TermId>],
    effects: &[Effect],
    nonterminal: &Conjunction,
) -> Vec<StateUpdateAxiom> {
    let independent: Vec<&Effect> = effects.iter().filter(|e| e.moves.is_empty()).collect();
    let mut all = Vec::new();
    for (role, own) in actions.iter().enumerate() {
        for &action in own {
            let mut list: Vec<&Effect> = effects
                .iter()
                .filter(|effect| match effect.moves[..] {
                    [(of, mv)] => of == role && is_same_function(theory, mv, action),
                    _ => false,
                })
                .collect();
            // With one role, what happens by itself happens with each of its moves.
            if actions.len() == 1 {
                list.extend(&independent);
            }
            all.push(update(theory, Some((role, action)), &list, nonterminal));
        }
    }
    if actions.len() != 1 && !independent.is_empty() {
        all.push(update(theory, None, &independent, nonterminal));
    }
    all
}

/// Whether two moves are instances of one action function.
fn is_same_function(theory: &Theory<'_>, one: TermId, other: TermId) -> bool {
    if theory.store.arguments(other).is_empty() {
        one == other
    } else {
        theory.store.functor(one) == theory.store.functor(other)
    }
}

/// The state update axiom of one cause: the effects in cases, and what is left over.
fn update(
    theory: &mut Theory<'_>,
    cause: Option<(usize, TermId)>,
    effects: &[&Effect],
    nonterminal: &Conjunction,
) -> StateUpdateAxiom {
    let (cases, rest) = (Vec::new(), Vec::new());
    let mut axiom = StateUpdateAxiom { cause, cases, rest };
    let Some(context) = context(theory, cause, nonterminal) else {
        return axiom;
    };
    let given = cause.map_or(Vec::new(), |(_, action)| theory.store.variables(action));
    // Past this amount of work effects are left over as they are, which is still exact.
    let end = theory.work + MAX_WORK;
    let mut own: Vec<Effect> = Vec::new();
    for effect in effects {
        let effect = apart(theory, cause, &given, effect);
        own.extend(if theory.is_past(end) {
            vec![effect]
        } else {
            instances(theory, &context, &given, effect)
        });
    }
    let cases = Cases {
        context: &context,
        given: &given,
        effects: &own,
    };
    let (first, groups) = cases.first(theory, end, &mut axiom.rest);
    let mut drafts = vec![first];
    // Each further group doubles the cases at most. It splits them if they stay few, and is left over otherwise.
    for group in groups {
        let finer = (!theory.is_past(end))
            .then(|| cases.split(theory, &drafts, &group))
            .filter(|finer| finer.len() <= MAX_CASES);
        match finer {
            Some(finer) => drafts = finer,
            None => axiom
                .rest
                .extend(group.members.iter().map(|&index| own[index].clone())),
        }
    }
    axiom.cases = drafts
        .into_iter()
        .map(|draft| cases.finish(theory, draft))
        .collect();
    axiom
}

/// What is known where the action is made; none if it never is.
fn context(
    theory: &mut Theory<'_>,
    cause: Option<(usize, TermId)>,
    nonterminal: &Conjunction,
) -> Option<Known> {
    let mut conditions = nonterminal.clone();
    if let Some((role, action)) = cause {
        let name = theory.roles[role];
        let does = theory.binary(theory.words.moves, name, action);
        conditions.push(Condition::Holds(does));
    }
    known(theory, &conditions)
}

/// The effect with variables of its own but for the arguments of the action; an argument that must
/// be some term becomes a condition.
fn apart(
    theory: &mut Theory<'_>,
    cause: Option<(usize, TermId)>,
    given: &[u32],
    effect: &Effect,
) -> Effect {
    let mut own = effect.variables(theory.store);
    // Variables of the effect that are no arguments of the action are its own, and must not meet those of other
    // effects.
    own.retain(|variable| !given.contains(variable));
    let fresh = theory.apart(own);
    let mut effect = effect.apply(theory.store, &fresh);
    if let (Some((_, action)), Some(&(_, mv))) = (cause, effect.moves.first()) {
        let arguments = theory.store.arguments(action).iter().copied();
        // An effect of `move(a,Y)` under the axiom for `move(X,Y)`: the condition X = a.
        let pairs = arguments.zip(theory.store.arguments(mv).iter().copied());
        let differing = pairs.filter(|(left, right)| left != right);
        let mut conditions: Conjunction = differing.map(|(l, r)| Condition::Equal(l, r)).collect();
        conditions.append(&mut effect.conditions);
        effect.conditions = conditions;
    }
    effect.moves = cause.into_iter().collect();
    effect
}
