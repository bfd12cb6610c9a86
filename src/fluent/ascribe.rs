//! To which roles a change is ascribed, and in which words.
//!
//! A change is found in contexts: joint choices of actions of the roles that may matter. What is
//! found in one becomes an effect of the roles without which it would not be found; a change that
//! comes whatever a role does is not ascribed to that role.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::fluent::action::Context;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::define::definers;
use crate::fluent::dependency::is_fact;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::evaluable::are_bound;
use crate::fluent::known::Known;
use crate::fluent::theory::Theory;
use crate::term::{TermId, map_variables};

/// What one context tells.
pub(super) struct Finding {
    /// Index of the context.
    context: usize,
    fluent: TermId,
    conditions: Conjunction,
    /// The actions with what the conditions say of their arguments.
    moves: Vec<(usize, Option<TermId>)>,
}

/// Writes a finding with what is known of its variables in their place, and with the atoms that
/// say what they are.
pub(super) fn finding(
    theory: &mut Theory<'_>,
    context: &Context,
    number: usize,
    fluent: TermId,
    conditions: Conjunction,
    known: &Known,
) -> Finding {
    let given: Vec<u32> = context
        .moves
        .iter()
        .filter_map(|&(_, mv)| mv)
        .flat_map(|mv| theory.store.variables(mv))
        .collect();
    // A condition may bind a variable that the context speaks of, and vanish in doing so; the atoms
    // of that variable then say what the condition did. So they are chosen before it is bound.
    let early = known.general_bindings();
    let mut spoken: Vec<u32> = Vec::new();
    let early_fluent = early.apply(theory.store, fluent);
    let late_fluent = known.bindings().apply(theory.store, fluent);
    // Four steps: the terms that must be explained, atoms that explain them, what is left of the conditions, and
    // atoms for what only the case derives.
    for term in [early_fluent, late_fluent] {
        spoken.extend(theory.store.variables(term));
    }
    for condition in &conditions {
        theory.work += 4 * condition.size();
        let own = condition.variables(theory.store);
        for bindings in [early, known.bindings()] {
            // Both before and after the case's bindings, for either may survive in the text.
            for &variable in &own {
                let variable = theory.store.variable(variable);
                let term = bindings.apply(theory.store, variable);
                spoken.extend(theory.store.variables(term));
            }
        }
    }
    let general: Vec<TermId> = known.general_atoms().collect();
    let defining = definers(theory, &general, &given, spoken);
    let mut written: Conjunction = Vec::new();
    for atom in defining {
        let atom = known.bindings().apply(theory.store, atom);
        // What the legality of the moves implies of their own arguments goes without saying.
        if !(context.known.holds(atom) && are_bound(theory, atom, &given)) {
            push(&mut written, Condition::Holds(atom));
        }
    }
    let moves = context.moves.iter();
    let moves =
        moves.map(|&(role, mv)| (role, mv.map(|mv| known.bindings().apply(theory.store, mv))));
    let moves: Vec<(usize, Option<TermId>)> = moves.collect();
    for condition in conditions {
        let condition = condition.apply(theory.store, known.bindings());
        if !is_trivial(theory, context, &condition) && !is_done(theory, &moves, &condition) {
            push(&mut written, condition);
        }
    }
    // What follows from the conditions of the case may be all that speaks of a variable.
    // `derived` are the variables whose only explanation is an atom that the case implies.
    let derived = known.derived_in_case(theory.store);
    if !derived.is_empty() {
        let mut wanted = theory.store.variables(late_fluent);
        for condition in &written {
            wanted.extend(condition.variables(theory.store));
        }
        for mv in moves.iter().filter_map(|&(_, mv)| mv) {
            wanted.extend(theory.store.variables(mv));
        }
        wanted.retain(|variable| derived.contains(variable));
        let atoms: Vec<TermId> = known.atoms().collect();
        for atom in definers(theory, &atoms, &given, wanted) {
            push(&mut written, Condition::Holds(atom));
        }
    }
    Finding {
        context: number,
        moves,
        fluent: late_fluent,
        conditions: written,
    }
}

fn push(conditions: &mut Conjunction, condition: Condition) {
    if !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// Whether a condition holds wherever the moves of a context are legal.
fn is_trivial(theory: &mut Theory<'_>, context: &Context, condition: &Condition) -> bool {
    match condition {
        Condition::Equal(left, right) => left == right,
        Condition::Holds(atom) => context.known.holds(*atom) || is_fact(theory, *atom),
        Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
            context.known.entails(theory, condition)
        }
    }
}

/// Whether a condition says that a move is made that is among some moves.
fn is_done(theory: &Theory<'_>, moves: &[(usize, Option<TermId>)], condition: &Condition) -> bool {
    let Condition::Holds(atom) = condition else {
        return false;
    };
    theory.move_of(*atom).is_some_and(|(name, mv)| {
        moves
            .iter()
            .any(|&(role, own)| theory.roles[role] == name && own == Some(mv))
    })
}

/// What findings are compared by: fluent, conditions, and the actions of which the conditions say
/// more than the context does. A change that comes with one instance of an action alone is not the
/// change that another context has without restriction.
type Change = (TermId, Conjunction, Vec<(usize, TermId)>);

/// Makes effects of findings: each is ascribed to as few roles as possible.
pub(super) fn ascribe(
    theory: &mut Theory<'_>,
    sign: Sign,
    contexts: &[Context],
    findings: Vec<Finding>,
    clauses: &[usize],
) -> Vec<Effect> {
    // Changes equal up to the names of variables come together.
    let mut changes: IndexMap<Change, Vec<Finding>, FxBuildHasher> = IndexMap::default();
    for finding in findings {
        let change = standard(theory, contexts, &finding);
        changes.entry(change).or_default().push(finding);
    }
    let mut effects: Vec<Effect> = Vec::new();
    for findings in changes.values() {
        let present: BTreeSet<usize> = findings.iter().map(|finding| finding.context).collect();
        for finding in findings {
            let effect = attribute(theory, sign, contexts, finding, &present, clauses);
            if !effects.contains(&effect) {
                effects.push(effect);
            }
        }
    }
    effects
}

/// A change with its own variables numbered in order of occurrence, so that equal changes are
/// equal.
fn standard(theory: &mut Theory<'_>, contexts: &[Context], finding: &Finding) -> Change {
    const OWN: u32 = 1 << 30;
    let own = &contexts[finding.context].moves;
    let restricted = finding.moves.iter().zip(own).filter(|(mv, own)| mv != own);
    let restricted: Vec<(usize, TermId)> = restricted
        .filter_map(|(&(role, mv), _)| Some((role, mv?)))
        .collect();
    let parameters: Vec<u32> = own
        .iter()
        .filter_map(|&(_, pattern)| pattern)
        .flat_map(|pattern| theory.store.variables(pattern))
        .collect();
    let mut order: Vec<u32> = Vec::new();
    // Arguments of the actions keep their names, for they mean the same in every finding.
    let mut note = |variable: u32| {
        if !parameters.contains(&variable) && !order.contains(&variable) {
            order.push(variable);
        }
    };
    theory
        .store
        .variables(finding.fluent)
        .into_iter()
        .for_each(&mut note);
    for condition in &finding.conditions {
        condition.each_term(&mut |term| {
            theory.store.variables(term).into_iter().for_each(&mut note);
        });
    }
    for &(_, mv) in &restricted {
        theory.store.variables(mv).into_iter().for_each(&mut note);
    }
    // Numbers that no variable has, in order of occurrence.
    let number = |variable: u32| match order.iter().position(|&own| own == variable) {
        Some(at) => OWN + at as u32,
        None => variable,
    };
    let mut rename = |term: TermId| {
        map_variables(theory.store, term, |store, variable| {
            store.variable(number(variable))
        })
    };
    let fluent = rename(finding.fluent);
    let restricted = restricted
        .into_iter()
        .map(|(role, mv)| (role, rename(mv)))
        .collect();
    let conditions = finding.conditions.iter();
    let conditions = conditions.map(|condition| condition.renumber(theory.store, &number));
    (fluent, conditions.collect(), restricted)
}

/// The effect of a finding, without the roles that do not matter for it.
fn attribute(
    theory: &mut Theory<'_>,
    sign: Sign,
    contexts: &[Context],
    finding: &Finding,
    present: &BTreeSet<usize>,
    clauses: &[usize],
) -> Effect {
    let own = &contexts[finding.context].moves;
    // Role by role, greedily: a role is dropped if all contexts that agree in the remaining roles show the change.
    let mut kept: Vec<usize> = own.iter().map(|&(role, _)| role).collect();
    let mut used = theory.store.variables(finding.fluent);
    for condition in &finding.conditions {
        used.extend(condition.variables(theory.store));
    }
    // An argument that must be that of another role's move.
    for (mv, choice) in finding.moves.iter().zip(own) {
        if mv != choice {
            used.extend(mv.1.iter().flat_map(|&mv| theory.store.variables(mv)));
        }
    }
    for &(role, pattern) in own {
        // A role stays if the change names its move, or one of the arguments.
        let specialized = finding
            .moves
            .iter()
            .any(|&(r, p)| r == role && p != pattern);
        let speaks = pattern.is_some_and(|pattern| {
            let variables = theory.store.variables(pattern);
            variables.iter().any(|variable| used.contains(variable))
        });
        if specialized || speaks {
            continue;
        }
        let without: Vec<usize> = kept
            .iter()
            .copied()
            .filter(|&other| other != role)
            .collect();
        // All choices of the dropped roles, combined with the kept ones of this context.
        let agrees = |context: &Context| {
            own.iter()
                .filter(|(role, _)| without.contains(role))
                .all(|choice| context.moves.contains(choice))
        };
        let everywhere = contexts
            .iter()
            .enumerate()
            .filter(|(_, context)| agrees(context))
            .all(|(number, _)| present.contains(&number));
        if everywhere {
            kept = without;
        }
    }
    let mut conditions = finding.conditions.clone();
    let mut moves = Vec::new();
    for &(role, pattern) in finding.moves.iter().filter(|(role, _)| kept.contains(role)) {
        match pattern {
            Some(pattern) => moves.push((role, pattern)),
            // Kept with "any other action": the excluded ones are conditions.
            None => {
                let name = theory.roles[role];
                let excluded = contexts[finding.context].excluded.iter();
                conditions.extend(
                    excluded
                        .filter(|condition| {
                            condition.mentions(&|atom| {
                                theory.move_of(atom).is_some_and(|(of, _)| of == name)
                            })
                        })
                        .cloned(),
                );
            }
        }
    }
    Effect {
        sign,
        fluent: finding.fluent,
        moves,
        conditions,
        clauses: clauses.to_vec(),
    }
}
