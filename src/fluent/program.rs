//! Effects as rules that can be evaluated: for each role and action function, for each function of
//! fluents that change by themselves, and for all joint moves together, a predicate of what comes
//! and one of what goes.
//!
//! ```text
//! + mark(x,y) of white:   (<= (|+ 0 mark| ?x ?y (cell ?x ?y x)) ...)
//! ```
//!
//! The names cannot be those of a game: no symbol of the language contains a blank.

use crate::fluent::axioms::GameAxioms;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::{Effect, Sign};
use crate::gdl::{Cause, Change, Changes, Vocabulary};
use crate::term::{Clause, Functor, Store, Substitution, TermId};

/// Writes effects as rules of change.
pub(super) fn rules_of_change(vocabulary: &mut Vocabulary, axioms: &GameAxioms) -> Changes {
    let mut changes = Changes::default();
    for effect in &axioms.effects {
        let (cause, term) = cause(vocabulary, axioms, effect);
        let store = vocabulary.store_mut();
        let arguments = term.map_or(Vec::new(), |term| store.arguments(term).to_vec());
        let change = Change {
            cause,
            begins: effect.sign == Sign::Positive,
            is_fixed: match cause {
                Cause::Always => false,
                Cause::Move(..) => is_fixed(store, axioms, effect),
                Cause::Fluent(_) => true,
            },
            predicate: Functor {
                symbol: store.symbol(""),
                arity: arguments.len() as u32 + 1,
            },
        };
        let change = named(store, change);
        if !changes.predicates.contains(&change) {
            changes.predicates.push(change);
        }
        let rule = rule(store, axioms, effect, change.predicate, arguments);
        changes.rules.push(rule);
    }
    changes
}

/// What brings an effect about, with the move or fluent: the first move that it names, or the one
/// fluent on which it depends.
fn cause(
    vocabulary: &mut Vocabulary,
    axioms: &GameAxioms,
    effect: &Effect,
) -> (Cause, Option<TermId>) {
    if let Some(&(role, mv)) = effect.moves.first() {
        return (Cause::Move(role, vocabulary.move_function(mv)), Some(mv));
    }
    let store = vocabulary.store();
    let fluent = only_fluent(store, axioms, effect);
    let functor = fluent.and_then(|fluent| store.functor(fluent));
    match functor {
        Some(functor) => (Cause::Fluent(functor), fluent),
        None => (Cause::Always, None),
    }
}

/// The fluent that must hold for an effect, if nothing else of state and moves matters.
fn only_fluent(store: &Store, axioms: &GameAxioms, effect: &Effect) -> Option<TermId> {
    let is_of_state = |atom| depends(store, axioms, atom);
    let conditions = effect.conditions.iter();
    let mut dynamic = conditions.filter(|condition| condition.mentions(&is_of_state));
    match (dynamic.next(), dynamic.next()) {
        (Some(Condition::Holds(atom)), None)
            if store.name(store.functor(*atom)?.symbol) == "true" =>
        {
            store.arguments(*atom).first().copied()
        }
        _ => None,
    }
}

/// Whether the truth of an atom depends on state or moves.
pub(super) fn depends(store: &Store, axioms: &GameAxioms, atom: TermId) -> bool {
    store.functor(atom).is_none_or(|functor| {
        axioms.of_state.contains(&functor) || axioms.of_moves.contains(&functor)
    })
}

/// Whether an effect depends on one role's move alone.
fn is_fixed(store: &Store, axioms: &GameAxioms, effect: &Effect) -> bool {
    effect.moves.len() == 1
        && !effect
            .conditions
            .iter()
            .any(|condition| condition.mentions(&|atom| depends(store, axioms, atom)))
}

/// The change with the name of its predicate, which no relation of a game can have.
fn named(store: &mut Store, mut change: Change) -> Change {
    let sign = if change.begins { "+" } else { "-" };
    let fixed = if change.is_fixed { "fixed" } else { "" };
    let name = match change.cause {
        Cause::Move(role, functor) => {
            format!("{sign} {fixed} {role} {}", store.name(functor.symbol))
        }
        Cause::Fluent(functor) => format!("{sign} of {}", store.name(functor.symbol)),
        Cause::Always => format!("{sign} always"),
    };
    change.predicate.symbol = store.symbol(&name);
    change
}

/// The rule of an effect; `arguments` are those of its cause.
fn rule(
    store: &mut Store,
    axioms: &GameAxioms,
    effect: &Effect,
    predicate: Functor,
    mut arguments: Vec<TermId>,
) -> Clause {
    arguments.push(effect.fluent);
    let head = store.compound(predicate.symbol, &arguments);
    let (unifier, _, body) = conditions_of_rule(store, axioms, effect);
    let head = unifier.apply(store, head);
    Clause::of(store, head, body)
}

/// What a rule of an effect asks for: the solution of its equations, its other conditions, and the
/// body, in which the moves come first and then these conditions.
pub(super) fn conditions_of_rule(
    store: &mut Store,
    axioms: &GameAxioms,
    effect: &Effect,
) -> (Substitution, Conjunction, Vec<TermId>) {
    let does = store.symbol("does");
    let mut body = Vec::new();
    for &(role, mv) in &effect.moves {
        body.push(store.compound(does, &[axioms.roles[role], mv]));
    }
    let (unifier, conditions) = solve(store, &effect.conditions);
    body.extend(conditions.iter().map(|condition| term(store, condition)));
    let body = body.into_iter().map(|term| unifier.apply(store, term));
    let body = body.collect();
    (unifier, conditions, body)
}

/// Solves the equations among the conditions.
pub(super) fn solve(store: &mut Store, conditions: &Conjunction) -> (Substitution, Conjunction) {
    let mut unifier = Substitution::default();
    let mut rest = Vec::new();
    for condition in conditions {
        match condition {
            // An equation without a solution stays, and makes the rule apply nowhere.
            Condition::Equal(left, right) if unifier.unify(store, *left, *right) => {}
            other @ Condition::Holds(_)
            | other @ Condition::Fails(_)
            | other @ Condition::Equal(..)
            | other @ Condition::Differ(_)
            | other @ Condition::None(..) => rest.push(other.clone()),
        }
    }
    let rest = rest.iter().map(|c| c.apply(store, &unifier)).collect();
    (unifier, rest)
}

/// A condition as a condition of a rule.
pub(super) fn term(store: &mut Store, condition: &Condition) -> TermId {
    match condition {
        Condition::Holds(atom) => *atom,
        Condition::Fails(atom) => connective(store, "not", &[*atom]),
        Condition::Equal(left, right) => {
            // The language has no equation: X = Y is not distinct(X,Y).
            let differ = connective(store, "distinct", &[*left, *right]);
            connective(store, "not", &[differ])
        }
        Condition::Differ(pairs) => {
            let parts: Vec<TermId> = pairs
                .iter()
                .map(|&(left, right)| connective(store, "distinct", &[left, right]))
                .collect();
            if let [one] = parts[..] {
                return one;
            }
            // A test, not a choice: the branches of several `or` would be tried in all combinations.
            let equal: Vec<TermId> = parts
                .iter()
                .map(|&part| connective(store, "not", &[part]))
                .collect();
            let equal = connective(store, "and", &equal);
            connective(store, "not", &[equal])
        }
        Condition::None(local, inner) => {
            let inner = solve_local(store, local, inner);
            let parts: Vec<TermId> = inner.iter().map(|inner| term(store, inner)).collect();
            let all = match parts[..] {
                [one] => one,
                _ => connective(store, "and", &parts),
            };
            connective(store, "not", &[all])
        }
    }
}

fn connective(store: &mut Store, name: &str, parts: &[TermId]) -> TermId {
    let symbol = store.symbol(name);
    store.compound(symbol, parts)
}

/// Solves equations by binding local variables only.
pub(super) fn solve_local(store: &mut Store, local: &[u32], inner: &[Condition]) -> Conjunction {
    let mut unifier = Substitution::default();
    let mut rest = Vec::new();
    for condition in inner {
        let Condition::Equal(left, right) = condition else {
            rest.push(condition.clone());
            continue;
        };
        let mut open = Vec::new();
        // What would bind a variable from outside is a test inside of the negation, and no binding.
        if unifier.solve(store, (*left, *right), local, &mut open) {
            rest.extend(open.into_iter().map(|(l, r)| Condition::Equal(l, r)))
        } else {
            rest.push(condition.clone())
        }
    }
    rest.iter().map(|c| c.apply(store, &unifier)).collect()
}
