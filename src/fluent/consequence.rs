//! What an atom implies: the conditions that all rules for it have in common.
//!
//! A move that is made is legal, so `does(r,m)` implies what the rules of `legal(r,m)` share; an
//! auxiliary atom implies what its own rules share. With one rule that is its whole body, with
//! several those atoms that occur in every body.

use std::rc::Rc;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::stated::Stated;
use crate::fluent::theory::{Dependence, Theory};
use crate::fluent::unfold::{self, Alternative};
use crate::term::{Substitution, TermId};

/// Rules of one atom that are compared.
const MAX_RULES: usize = 48;

/// The conditions that follow from an atom.
pub(super) fn consequences(theory: &mut Theory<'_>, atom: TermId) -> Rc<[Stated]> {
    if let Some(known) = theory.consequences.get(&atom) {
        return Rc::clone(known);
    }
    let found = compute(theory, atom);
    let found = Stated::all(theory.store, &found);
    theory.consequences.insert(atom, Rc::clone(&found));
    found
}

fn compute(theory: &mut Theory<'_>, atom: TermId) -> Conjunction {
    let goal = match theory.move_of(atom) {
        // A move that is made is legal.
        Some((role, mv)) if !theory.is_variable(mv) => theory.binary(theory.words.legal, role, mv),
        Some(_) => return Vec::new(),
        None => atom,
    };
    let Some(predicate) = theory.store.functor(goal) else {
        return Vec::new();
    };
    if theory.dependence(predicate) != Dependence::State
        || predicate == theory.words.state
        || theory.is_recursive(predicate)
    {
        return Vec::new();
    }
    match alternatives(theory, goal) {
        // One rule: its whole body follows. Several: what they share.
        Some(mut found) => match found.len() {
            0 => Vec::new(),
            1 => found.swap_remove(0),
            _ => common(theory, found),
        },
        None => Vec::new(),
    }
}

/// The bodies of all rules whose head may be the atom, with the equations that make it so; none
/// if they are too many.
fn alternatives(theory: &mut Theory<'_>, atom: TermId) -> Option<Vec<Conjunction>> {
    let predicate = theory.store.functor(atom)?;
    let mut all = Vec::new();
    for clause in theory.definition(predicate).to_vec() {
        if !crate::term::may_match(theory.store, theory.clauses[clause].head, atom) {
            continue;
        }
        for Alternative { head, conditions } in unfold::alternatives(theory, clause).ok()? {
            let mut unifier = Substitution::default();
            // Only alternatives that can derive this instance count.
            if !unifier.unify(theory.store, atom, head) {
                continue;
            }
            let mut body: Conjunction = Vec::new();
            for variable in theory.store.variables(atom) {
                let variable = theory.store.variable(variable);
                let value = unifier.apply(theory.store, variable);
                if value != variable {
                    body.push(Condition::Equal(variable, value));
                }
            }
            body.extend(conditions.iter().map(|c| c.apply(theory.store, &unifier)));
            all.push(body);
            if all.len() > MAX_RULES {
                return None;
            }
        }
    }
    Some(all)
}

/// The atoms that hold in every alternative, and the least general atoms that cover one atom of
/// each: `true(cell(U,y,b))` here and `true(cell(x,V,b))` there make `true(cell(_,_,b))`.
fn common(theory: &mut Theory<'_>, alternatives: Vec<Conjunction>) -> Conjunction {
    let mut bodies = alternatives.into_iter();
    let first = bodies.next().unwrap_or_default();
    let others: Vec<Conjunction> = bodies.collect();
    let mut found = Vec::new();
    for condition in first {
        // The same condition in all bodies, or an atom in each from which a common pattern can be taken.
        let everywhere = others.iter().all(|body| body.contains(&condition));
        match condition {
            Condition::Holds(_) | Condition::Fails(_) if everywhere => found.push(condition),
            Condition::Holds(atom) => found.extend(cover(theory, atom, &others)),
            Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_)
            | Condition::None(..) => {}
        }
    }
    found
}

/// The least general atom that covers an atom and one of each body, if there is one.
fn cover(theory: &mut Theory<'_>, atom: TermId, bodies: &[Conjunction]) -> Option<Condition> {
    theory.fluent_of(atom)?;
    let mut general = atom;
    for body in bodies {
        let atoms = body.iter().filter_map(|condition| match condition {
            Condition::Holds(other) => Some(*other),
            Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_)
            | Condition::None(..) => None,
        });
        let candidates: Vec<TermId> = atoms
            .filter(|&other| theory.fluent_of(other).is_some())
            .collect();
        // Of several atoms of a body that could be meant, the one with the most equal arguments.
        let mut best: Option<(usize, TermId)> = None;
        for other in candidates {
            if let Some((agreements, covering)) = generalize(theory, general, other)
                && best.is_none_or(|(most, _)| agreements > most)
            {
                best = Some((agreements, covering));
            }
        }
        general = best?.1;
    }
    Some(Condition::Holds(general))
}

/// The least general atom of two on the same fluent function, by arguments, and how many of these
/// agree.
fn generalize(theory: &mut Theory<'_>, one: TermId, other: TermId) -> Option<(usize, TermId)> {
    let (left, right) = (theory.fluent_of(one)?, theory.fluent_of(other)?);
    let functor = theory.store.functor(left)?;
    if theory.store.functor(right) != Some(functor) {
        return None;
    }
    let pairs: Vec<(TermId, TermId)> = theory
        .store
        .arguments(left)
        .iter()
        .copied()
        .zip(theory.store.arguments(right).iter().copied())
        .collect();
    let mut agreements = 0;
    let mut arguments = Vec::new();
    for (one, other) in pairs {
        if one == other {
            agreements += 1;
            arguments.push(one);
        } else {
            arguments.push(theory.fresh_variable());
        }
    }
    let fluent = theory.store.compound(functor.symbol, &arguments);
    Some((agreements, theory.unary(theory.words.state, fluent)))
}
