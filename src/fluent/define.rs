//! Which variables of an effect are determined, and by which atoms.
//!
//! An effect speaks of terms that its action does not name: `- step(U)`. What is known to hold in
//! its context says what they are; the atoms that say so become conditions of the effect.

use rustc_hash::FxHashSet;

use crate::fluent::constraint::Constraint;
use crate::fluent::theory::Theory;
use crate::term::{Functor, TermId};

/// How one atom gives terms to variables.
struct TermDefinition {
    atom: TermId,
    variables: Vec<u32>,
    /// Variables that must be known for the atom to leave no choice; itself if it leaves one.
    needs: Vec<u32>,
}

/// The atoms of `known` that say which terms some variables are, for those that `known` speaks of
/// and that are not given.
pub(super) fn definers(
    theory: &Theory<'_>,
    known: &[TermId],
    given: &[u32],
    mut wanted: Vec<u32>,
) -> Vec<TermId> {
    let mut bound: Vec<u32> = given.to_vec();
    let spoken: FxHashSet<u32> = known
        .iter()
        .flat_map(|&atom| theory.store.variables(atom))
        .collect();
    wanted.retain(|variable| spoken.contains(variable) && !given.contains(variable));
    if wanted.is_empty() {
        return Vec::new();
    }
    let definitions = define(theory, known, &mut bound);
    let mut chosen: Vec<TermId> = Vec::new();
    let mut at = 0;
    // What a chosen atom needs is wanted in turn, so that the list grows while it is worked off.
    while at < wanted.len() {
        let variable = wanted[at];
        at += 1;
        let Some(definition) = definitions.iter().find(|d| d.variables.contains(&variable)) else {
            continue;
        };
        if !chosen.contains(&definition.atom) {
            chosen.push(definition.atom);
            wanted.extend(definition.needs.iter().filter(|need| !given.contains(need)));
        }
    }
    // In the order in which they define.
    let mut ordered: Vec<TermId> = definitions
        .iter()
        .map(|definition| definition.atom)
        .collect();
    ordered.retain(|atom| chosen.contains(atom));
    ordered
}

/// Finds an atom for each variable that is not bound, one that leaves no choice where there is
/// such an atom.
fn define(theory: &Theory<'_>, known: &[TermId], bound: &mut Vec<u32>) -> Vec<TermDefinition> {
    let mut definitions: Vec<TermDefinition> = Vec::new();
    loop {
        let exact = known
            .iter()
            .find_map(|&atom| determines(theory, atom, bound));
        // Where no atom is exact, one is taken that leaves a choice; the effect then is one for each of its instances.
        let definition = exact.or_else(|| {
            known.iter().find_map(|&atom| {
                let open = open_variables(theory, atom, bound)?;
                Some(TermDefinition {
                    atom,
                    variables: open,
                    needs: Vec::new(),
                })
            })
        });
        let Some(definition) = definition else {
            return definitions;
        };
        bound.extend(&definition.variables);
        definitions.push(definition);
    }
}

/// The variables of an atom of state or facts that are not bound; none if all are.
fn open_variables(theory: &Theory<'_>, atom: TermId, bound: &[u32]) -> Option<Vec<u32>> {
    let mut open = theory.store.variables(atom);
    open.retain(|variable| !bound.contains(variable));
    let usable = theory.move_of(atom).is_none();
    (usable && !open.is_empty()).then_some(open)
}

/// What an atom says of its variables that are not bound, if it leaves no choice for them.
fn determines(theory: &Theory<'_>, atom: TermId, bound: &[u32]) -> Option<TermDefinition> {
    let open = open_variables(theory, atom, bound)?;
    let is_bound = |term: TermId| {
        theory
            .store
            .variables(term)
            .iter()
            .all(|variable| bound.contains(variable))
    };
    let definition = |key: &[TermId], defined: Vec<u32>| TermDefinition {
        atom,
        variables: defined,
        needs: key
            .iter()
            .flat_map(|&term| theory.store.variables(term))
            .collect(),
    };
    if let Some(fluent) = theory.fluent_of(atom) {
        let functor = theory.store.functor(fluent)?;
        let arguments = theory.store.arguments(fluent);
        return keys(theory, functor, fluent).find_map(|key| {
            let key: Vec<TermId> = key.iter().map(|&at| arguments[at]).collect();
            key.iter()
                .all(|&term| is_bound(term))
                .then(|| definition(&key, open.clone()))
        });
    }
    let facts = theory.facts(theory.store.functor(atom)?)?;
    let arguments = theory.store.arguments(atom);
    // By a functional dependency of the facts: succ(U,V) with U bound says what V is.
    let defined: Vec<u32> = open
        .iter()
        .copied()
        .filter(|variable| {
            facts.dependencies().iter().any(|dependency| {
                theory
                    .store
                    .variables(arguments[dependency.column])
                    .contains(variable)
                    && dependency.key.iter().all(|&at| is_bound(arguments[at]))
            })
        })
        .collect();
    (defined.len() == open.len()).then(|| definition(arguments, defined))
}

/// The keys of an instance of a fluent function.
fn keys<'t>(
    theory: &'t Theory<'_>,
    functor: Functor,
    instance: TermId,
) -> impl Iterator<Item = &'t [usize]> {
    let arguments = theory.store.arguments(instance);
    theory
        .constraints
        .iter()
        .filter_map(move |constraint| match constraint {
            Constraint::Functional { fluent, key, only }
                if *fluent == functor && only.is_none_or(|(at, term)| arguments[at] == term) =>
            {
                Some(&key[..])
            }
            Constraint::Functional { .. }
            | Constraint::Exclusive { .. }
            | Constraint::Some { .. } => None,
        })
}

/// Whether the given variables and the atoms that hold leave no choice for the variables of a
/// term.
pub(super) fn is_determined(
    theory: &Theory<'_>,
    atoms: &[TermId],
    given: &[u32],
    term: TermId,
) -> bool {
    let mut bound = given.to_vec();
    while let Some(definition) = atoms
        .iter()
        .find_map(|&atom| determines(theory, atom, &bound))
    {
        bound.extend(definition.variables);
    }
    theory
        .store
        .variables(term)
        .iter()
        .all(|variable| bound.contains(variable))
}
