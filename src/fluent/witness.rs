//! Witnesses: terms that the variables of a body can only stand for, by what is known, by constraints, or by facts.
//!
//! ```text
//! known: does(robot, grab)               true(step(N)): exactly one step(_) holds in every state
//! does(robot, M)        M = grab: a role makes one move
//! true(step(X))         X = U for a new U with true(step(U))
//! succ(1, X)            X = 2: one fact fits
//! ```

use crate::fluent::condition::Condition;
use crate::fluent::constraint::Constraint;
use crate::fluent::dependency::is_fact;
use crate::fluent::equality::differ;
use crate::fluent::known::Known;
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Functor, Store, Term, TermId};

/// What is known of a condition.
pub(super) enum Decision {
    Holds,
    Fails,
    /// It holds if these terms are equal.
    If(Vec<(TermId, TermId)>),
    /// The same, by an atom that must hold in every state.
    Witness(TermId, Vec<(TermId, TermId)>),
    Open,
}

/// What is known of a condition. Without local variables it is true, false or open; with some, it asks for a witness.
pub(super) fn decide(
    theory: &mut Theory<'_>,
    seen: &Known,
    local: &[u32],
    condition: &Condition,
) -> Decision {
    if !is_open(theory, local, condition) {
        if seen.entails(theory, condition) {
            return Decision::Holds;
        }
        if seen.refutes(theory, std::slice::from_ref(condition)) {
            return Decision::Fails;
        }
        return match condition {
            Condition::Holds(atom) => witness(theory, seen, local, *atom),
            Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_)
            | Condition::None(..) => Decision::Open,
        };
    }
    match condition {
        Condition::Holds(atom) => witness(theory, seen, local, *atom),
        Condition::Equal(left, right) => {
            let bare = |term| matches!(theory.store.view(term), Term::Variable(number) if local.contains(&number));
            let outer = |term| theory.is_variable(term) && !bare(term);
            if (outer(*left) && !bare(*right)) || (outer(*right) && !bare(*left)) {
                // `X = s(Y)` with Y local: binding Y would lose that X has this form.
                // An outer variable and a term with local ones inside stay an equation.
                Decision::Open
            } else {
                Decision::If(vec![(*left, *right)])
            }
        }
        Condition::Differ(pairs) if pairs.iter().any(|&(l, r)| differ(theory.store, l, r)) => {
            Decision::Holds
        }
        Condition::Differ(pairs) if pairs.iter().all(|(l, r)| l == r) => Decision::Fails,
        Condition::Differ(_) | Condition::Fails(_) | Condition::None(..) => Decision::Open,
    }
}

/// The equations under which an atom is one that is known, if a constraint leaves no other.
fn witness(theory: &mut Theory<'_>, seen: &Known, local: &[u32], atom: TermId) -> Decision {
    if seen.holds(atom) {
        return Decision::Holds;
    }
    if let Some((role, mv)) = theory.move_of(atom) {
        // A role makes one move: the atom can only be the one that is known.
        let done = seen.atoms().find_map(|known| match theory.move_of(known) {
            Some((other, done)) if other == role => Some(done),
            _ => None,
        });
        return done.map_or(Decision::Open, |done| Decision::If(vec![(mv, done)]));
    }
    if let Some(fluent) = theory.fluent_of(atom) {
        return fluent_witness(theory, seen, fluent);
    }
    if theory.dependence_of(atom) == Dependence::Nothing {
        return fact_witness(theory, seen, local, atom);
    }
    Decision::Open
}

fn fluent_witness(theory: &mut Theory<'_>, seen: &Known, fluent: TermId) -> Decision {
    let Some(functor) = theory.store.functor(fluent) else {
        return Decision::Open;
    };
    // A known fluent of the same key is the only one with it.
    for other in seen.atoms() {
        let Some(other) = theory.fluent_of(other) else {
            continue;
        };
        for constraint in &theory.constraints {
            if let Some(equal) = constraint.between(theory.store, fluent, other) {
                return Decision::If(equal);
            }
        }
    }
    // None is known, and yet one must hold: the key's instance, with new variables in the other places.
    let Some(key) = always(theory, seen, functor, fluent) else {
        return Decision::Open;
    };
    theory.relied.insert(functor);
    let arguments = theory.store.arguments(fluent).to_vec();
    let fresh: Vec<TermId> = (0..arguments.len())
        .map(|at| {
            if key.contains(&at) {
                arguments[at]
            } else {
                theory.fresh_variable()
            }
        })
        .collect();
    let witness = theory.store.compound(functor.symbol, &fresh);
    let atom = theory.unary(theory.words.state, witness);
    Decision::Witness(atom, arguments.into_iter().zip(fresh).collect())
}

/// Keys that are tried one by one.
const MAX_KEYS: usize = 4096;

/// The key for which exactly one instance of a fluent holds in every state, with the arguments that
/// a fluent has there.
fn always(
    theory: &Theory<'_>,
    seen: &Known,
    functor: Functor,
    fluent: TermId,
) -> Option<Vec<usize>> {
    theory
        .constraints
        .iter()
        .find_map(|constraint| match constraint {
            Constraint::Some { fluent: of, key } if *of == functor => {
                // "Some" alone is not enough: two instances with the key would leave the choice open.
                let only = Constraint::Functional {
                    fluent: functor,
                    key: key.clone(),
                    only: None,
                };
                let exactly = theory.constraints.contains(&only)
                    && (key.is_empty() || are_there(theory, seen, key, fluent));
                exactly.then(|| key.clone())
            }
            Constraint::Some { .. }
            | Constraint::Functional { .. }
            | Constraint::Exclusive { .. } => None,
        })
}

/// Whether all that the arguments of a fluent at the positions of a key can be stands there at the
/// start.
fn are_there(theory: &Theory<'_>, seen: &Known, key: &[usize], fluent: TermId) -> bool {
    let Some(functor) = theory.store.functor(fluent) else {
        return false;
    };
    // A guaranteed key is one that the initial state has; each value that the argument can have must be among them.
    let mut keys: Vec<Vec<TermId>> = vec![Vec::new()];
    for &at in key {
        let term = theory.store.arguments(fluent)[at];
        let values = if theory.store.is_ground(term) {
            Some(vec![term])
        } else {
            seen.values(theory, term)
        };
        let Some(values) = values.filter(|values| keys.len() * values.len() <= MAX_KEYS) else {
            return false;
        };
        // The product of what the key's arguments can be.
        keys = keys
            .iter()
            .flat_map(|start| {
                values
                    .iter()
                    .map(move |&value| [&start[..], &[value]].concat())
            })
            .collect();
    }
    keys.iter()
        .all(|terms| theory.starts_with(functor, key, terms))
}

/// The equations under which a fact is one that is known, or the only one there is.
fn fact_witness(theory: &Theory<'_>, known: &Known, local: &[u32], atom: TermId) -> Decision {
    if is_fact(theory, atom) {
        return Decision::Holds;
    }
    let store = &*theory.store;
    let functor = store.functor(atom);
    let Some(facts) = functor.and_then(|functor| theory.facts(functor)) else {
        return Decision::Open;
    };
    let arguments = store.arguments(atom);
    if let Some(rows) = facts.matching(store, arguments) {
        match &rows[..] {
            // No fact fits: the atom is false. One fits: it is that one.
            [] => return Decision::Fails,
            [row] if arguments.iter().all(|&term| is_simple(store, local, term)) => {
                return Decision::If(arguments.iter().copied().zip(row.iter().copied()).collect());
            }
            _ => {}
        }
    }
    for other in known
        .atoms()
        .filter(|&other| store.functor(other) == functor)
    {
        let others = store.arguments(other);
        let pairs: Vec<(TermId, TermId)> = arguments
            .iter()
            .copied()
            .zip(others.iter().copied())
            .collect();
        // Equal in the key of a functional dependency, thus equal in what it determines.
        let agrees = |at: usize| pairs[at].0 == pairs[at].1;
        let is_determined = |at: usize| {
            agrees(at)
                || facts.dependencies().iter().any(|dependency| {
                    dependency.column == at && dependency.key.iter().all(|&key| agrees(key))
                })
        };
        if (0..pairs.len()).all(is_determined) {
            return Decision::If(pairs);
        }
    }
    Decision::Open
}

/// Whether a term is ground or a variable of the body alone.
fn is_simple(store: &Store, local: &[u32], term: TermId) -> bool {
    match store.view(term) {
        Term::Variable(number) => local.contains(&number),
        Term::Atom(_)
        | Term::Integer(_)
        | Term::Float(_)
        | Term::Big(_)
        | Term::Text(_)
        | Term::Compound(..) => store.is_ground(term),
    }
}

/// Whether a condition speaks of local variables.
pub(super) fn is_open(theory: &Theory<'_>, local: &[u32], condition: &Condition) -> bool {
    condition.any_variable(theory.store, |variable| local.contains(&variable))
}
