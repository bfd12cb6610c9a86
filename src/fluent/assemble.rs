//! From effects to axioms: one state update axiom an action, in the form of [G07, Definition 2.7]
//! where there is one.
//!
//! Effects that always come about make up the first case. One that comes about under a condition
//! splits every case in two, unless the condition is known to hold or to fail there. What speaks of
//! all instances that the state happens to hold, or would split too often, is left over.

use crate::fluent::axioms::{Case, StateUpdateAxiom};
use crate::fluent::certainty::are_certain;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::define::{definers, is_determined};
use crate::fluent::dependency::is_fact;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::equality::differ;
use crate::fluent::failure::{Failure, failure};
use crate::fluent::known::Known;
use crate::fluent::refine::refine;
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Substitution, TermId};

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

/// A case in the making.
#[derive(Clone)]
struct Draft {
    known: Known,
    conditions: Conjunction,
    /// Effects by index.
    effects: Vec<usize>,
}

fn update(
    theory: &mut Theory<'_>,
    cause: Option<(usize, TermId)>,
    effects: &[&Effect],
    nonterminal: &Conjunction,
) -> StateUpdateAxiom {
    let mut axiom = StateUpdateAxiom {
        cause,
        cases: Vec::new(),
        rest: Vec::new(),
    };
    let Some(context) = context(theory, cause, nonterminal) else {
        return axiom;
    };
    let given = cause.map_or(Vec::new(), |(_, action)| theory.store.variables(action));
    // Past this amount of work effects are left over as they are, which is still exact.
    let end = theory.work + MAX_WORK;
    let mut own: Vec<Effect> = Vec::new();
    for effect in effects {
        let effect = apart(theory, cause, &given, effect);
        if theory.is_past(end) {
            own.push(effect)
        } else {
            own.extend(instances(theory, &context, &given, effect))
        }
    }
    let effects = own;
    // The first case takes all effects whose conditions are certain once the action is legal.
    let mut first = Draft {
        known: context.clone(),
        conditions: Vec::new(),
        effects: Vec::new(),
    };
    let mut groups: Vec<(Conjunction, Vec<usize>)> = Vec::new();
    for (index, effect) in effects.iter().enumerate() {
        if theory.is_past(end) || !is_plain(theory, effect, &given) {
            axiom.rest.push(effect.clone());
        // Certain in the context, and possible together with the others.
        } else if are_certain(theory, &context, effect)
            && first.known.assume_all(theory, &effect.conditions).is_ok()
        {
            first.conditions.extend(effect.conditions.iter().cloned());
            first.effects.push(index);
        } else {
            group(theory, &mut groups, &given, &effects, index);
        }
    }
    let mut drafts = vec![first];
    // Each further group doubles the cases at most. It splits them if they stay few, and is left over otherwise.
    for (conditions, members) in groups {
        let finer = (!theory.is_past(end))
            .then(|| split(theory, &drafts, &given, &conditions, &members, &effects))
            .filter(|finer| finer.len() <= MAX_CASES);
        match finer {
            Some(finer) => drafts = finer,
            None => axiom
                .rest
                .extend(members.iter().map(|&index| effects[index].clone())),
        }
    }
    axiom.cases = drafts
        .into_iter()
        .map(|draft| finish(theory, &context, &given, &effects, draft))
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
    crate::fluent::known::known(theory, &conditions)
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

/// Instances by facts that one effect is replaced by, at most.
const MAX_INSTANCES: usize = 24;

/// What is left of an effect where the action is made: none if it cannot come about, and one effect
/// for each fact where a relation of facts lists what changes.
fn instances(
    theory: &mut Theory<'_>,
    context: &Known,
    given: &[u32],
    effect: Effect,
) -> Vec<Effect> {
    let speaks_of_moves = |theory: &Theory<'_>, effect: &Effect| {
        effect
            .conditions
            .iter()
            .any(|condition| theory.is_of_moves(condition))
    };
    // Only conditions on moves are evaluated away here; those on the state are the axiom's business.
    if !speaks_of_moves(theory, &effect) {
        return vec![effect];
    }
    let mut local = effect.variables(theory.store);
    local.retain(|variable| !given.contains(variable));
    let mut known = context.clone();
    let Some(rest) = refine(theory, &mut known, &local, &effect.conditions) else {
        return Vec::new();
    };
    let mut conditions = Vec::new();
    for condition in rest.conditions {
        match &condition {
            // "None of these" may have become one condition, or impossible, where the action is known.
            Condition::None(inner_local, inner) => {
                let mut known = known.clone();
                match failure(theory, &mut known, inner_local, inner) {
                    Failure::Always => {}
                    Failure::Where(ways) => match &ways[..] {
                        // It never fails to hold together: the negation is false, and with it the effect.
                        [] => return Vec::new(),
                        [way] => conditions.extend(way.iter().cloned()),
                        _ => conditions.push(condition),
                    },
                }
            }
            Condition::Holds(_)
            | Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_) => conditions.push(condition),
        }
    }
    let fluent = rest.witnesses.apply(theory.store, effect.fluent);
    let mut own: Conjunction = Vec::new();
    let mut spoken = theory.store.variables(fluent);
    for condition in &conditions {
        let condition = condition.apply(theory.store, &rest.witnesses);
        spoken.extend(condition.variables(theory.store));
        own.push(condition);
    }
    // `definers` finds atoms that say what such a term is.
    // A witness is a term of which the context speaks; the effect has to say which.
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
fn is_plain(theory: &Theory<'_>, effect: &Effect, given: &[u32]) -> bool {
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
pub(super) fn is_plain_condition(theory: &Theory<'_>, condition: &Condition) -> bool {
    match condition {
        Condition::Holds(atom) | Condition::Fails(atom) => {
            theory.dependence_of(*atom) != Dependence::Moves
        }
        Condition::Equal(..) | Condition::Differ(_) => true,
        Condition::None(_, inner) => inner.iter().all(|inner| is_plain_condition(theory, inner)),
    }
}

/// Adds an effect to the group of those with the same conditions.
fn group(
    theory: &mut Theory<'_>,
    groups: &mut Vec<(Conjunction, Vec<usize>)>,
    given: &[u32],
    effects: &[Effect],
    index: usize,
) {
    let conditions = effects[index].conditions.clone();
    let same = groups
        .iter_mut()
        .find(|(known, _)| is_variant(theory, given, known, &conditions));
    match same {
        Some((_, members)) => members.push(index),
        None => groups.push((conditions, vec![index])),
    }
}

/// Whether conjunctions without variables of their own are equal.
fn is_variant(theory: &Theory<'_>, given: &[u32], one: &Conjunction, other: &Conjunction) -> bool {
    // Conditions with variables of their own are not shared: equal words might mean different things.
    let closed = one.iter().all(|condition| {
        let variables = condition.variables(theory.store);
        variables.iter().all(|variable| given.contains(variable))
    });
    closed && one == other
}

/// Splits every case by whether the conditions hold.
fn split(
    theory: &mut Theory<'_>,
    drafts: &[Draft],
    given: &[u32],
    conditions: &Conjunction,
    members: &[usize],
    effects: &[Effect],
) -> Vec<Draft> {
    // Variables of the conditions alone are quantified in their negation; those of the effects are needed to tell
    // which are local.
    let mut local: Vec<u32> = Vec::new();
    for condition in conditions
        .iter()
        .chain(members.iter().flat_map(|&m| &effects[m].conditions))
    {
        local.extend(condition.variables(theory.store));
    }
    local.retain(|variable| !given.contains(variable));
    let mut quantified: Vec<u32> = Vec::new();
    for condition in conditions {
        let variables = condition.variables(theory.store).into_iter();
        quantified.extend(variables.filter(|variable| !given.contains(variable)));
    }
    quantified.sort_unstable();
    quantified.dedup();
    let mut finer = Vec::new();
    // Cases in which the conditions are contradictory stay whole, and so do those in which their negation is.
    for draft in drafts {
        let mut with = draft.clone();
        if with.known.assume_all(theory, conditions).is_err() {
            finer.push(draft.clone());
            continue;
        }
        with.conditions.extend(conditions.iter().cloned());
        with.effects.extend(members);
        let mut without = draft.clone();
        // Ways to fail: always (this case has none of the effects), never (no case without), or where one of the
        // ways holds.
        match failure(theory, &mut without.known, &local, conditions) {
            Failure::Always => {
                finer.push(draft.clone());
                continue;
            }
            Failure::Where(ways) if ways.is_empty() => {}
            Failure::Where(ways) => {
                // The negation of a conjunction of one condition is one, too, and says more.
                let negation = match &ways[..] {
                    [way] => way.clone(),
                    _ => vec![Condition::None(
                        quantified.clone().into(),
                        conditions.clone().into(),
                    )],
                };
                if without.known.assume_all(theory, &negation).is_ok() {
                    without.conditions.extend(negation);
                    finer.push(without);
                }
            }
        }
        finer.push(with);
    }
    finer
}

/// Writes a case with what is known of its variables in their place.
fn finish(
    theory: &mut Theory<'_>,
    context: &Known,
    given: &[u32],
    effects: &[Effect],
    draft: Draft,
) -> Case {
    let bindings = draft.known.bindings().clone();
    let mut case = Case {
        conditions: Vec::new(),
        negative: Vec::new(),
        positive: Vec::new(),
        rules: Vec::new(),
    };
    // Three steps: arguments that the case determines, conditions that are not trivial under its bindings, and
    // effects.
    // An argument that must be some term in this case only; elsewhere it is written as that term.
    for &argument in given {
        let argument = theory.store.variable(argument);
        let value = bindings.apply(theory.store, argument);
        if value != context.bindings().apply(theory.store, argument) {
            case.conditions.push(Condition::Equal(argument, value));
        }
    }
    for condition in &draft.conditions {
        let written = condition.apply(theory.store, &bindings);
        let closed = written
            .variables(theory.store)
            .iter()
            .all(|v| given.contains(v));
        let trivial = match &written {
            // Trivial is what holds by itself, is a fact, or follows from the action's being legal.
            Condition::Equal(left, right) => left == right,
            Condition::Differ(pairs) if pairs.iter().any(|&(l, r)| differ(theory.store, l, r)) => {
                true
            }
            Condition::Holds(atom) => {
                is_fact(theory, *atom) || closed && context.entails(theory, condition)
            }
            Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
                closed && context.entails(theory, condition)
            }
        };
        if !trivial && !case.conditions.contains(&written) {
            case.conditions.push(written);
        }
    }
    for &index in &draft.effects {
        let fluent = bindings.apply(theory.store, effects[index].fluent);
        let side = match effects[index].sign {
            Sign::Negative => &mut case.negative,
            Sign::Positive => &mut case.positive,
        };
        if !side.contains(&fluent) {
            side.push(fluent);
        }
        case.rules.extend(&effects[index].clauses);
    }
    case.rules.sort_unstable();
    case.rules.dedup();
    // Added and removed at once: it holds afterwards. If it is known to hold before, nothing changes at all.
    for fluent in case.positive.clone() {
        if case.negative.contains(&fluent) {
            case.negative.retain(|&gone| gone != fluent);
            let now = theory.unary(theory.words.state, fluent);
            if draft.known.holds(now) {
                case.positive.retain(|&come| come != fluent);
            }
        }
    }
    case
}
