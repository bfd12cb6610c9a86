//! To which roles a change is ascribed, and in which words.
//!
//! A change is found in contexts: joint choices of actions of the roles that may matter. What is
//! found in one becomes an effect of the roles without which it would not be found; a change that
//! comes whatever a role does is not ascribed to that role.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::fluent::action::Context;
use crate::fluent::condition::Conjunction;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::finding::ContextFinding;
use crate::fluent::theory::Theory;
use crate::term::{TermId, map_variables};

/// What findings are compared by: fluent, conditions, and the actions of which the conditions say
/// more than the context does. A change that comes with one instance of an action alone is not the
/// change that another context has without restriction.
type Change = (TermId, Conjunction, Vec<(usize, TermId)>);

/// Where findings come from: the sign of their change, all contexts, and the rules.
pub(super) struct ChangeSource<'c> {
    pub(super) sign: Sign,
    pub(super) contexts: &'c [Context],
    /// The rules that the change was read from, by index.
    pub(super) clauses: &'c [usize],
}

/// Makes effects of findings: each is ascribed to as few roles as possible.
pub(super) fn ascribe(
    theory: &mut Theory<'_>,
    source: &ChangeSource<'_>,
    findings: Vec<ContextFinding>,
) -> Vec<Effect> {
    // Changes equal up to the names of variables come together.
    let mut changes: IndexMap<Change, Vec<ContextFinding>, FxBuildHasher> = IndexMap::default();
    for finding in findings {
        let change = standard(theory, source.contexts, &finding);
        changes.entry(change).or_default().push(finding);
    }
    let mut effects: Vec<Effect> = Vec::new();
    for findings in changes.values() {
        let present: BTreeSet<usize> = findings.iter().map(|finding| finding.context).collect();
        for finding in findings {
            let effect = attribute(theory, source, finding, &present);
            if !effects.contains(&effect) {
                effects.push(effect);
            }
        }
    }
    effects
}

/// A change with its own variables numbered in order of occurrence, so that equal changes are
/// equal.
fn standard(theory: &mut Theory<'_>, contexts: &[Context], finding: &ContextFinding) -> Change {
    // Numbers from here on belong to no variable: those of a theory are counted up from 0.
    const OWN: u32 = 1 << 30;
    let own = &contexts[finding.context].moves;
    let changed = finding.moves.iter().zip(own).filter(|(mv, own)| mv != own);
    let restricted: Vec<(usize, TermId)> = changed
        .filter_map(|(&(role, mv), _)| Some((role, mv?)))
        .collect();
    let order = own_variables(theory, own, finding, &restricted);
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

/// The variables of a change that are no arguments of the actions of its context, in order of occurrence. Arguments
/// of the actions keep their names, for they mean the same in every finding.
fn own_variables(
    theory: &Theory<'_>,
    actions: &[(usize, Option<TermId>)],
    finding: &ContextFinding,
    restricted: &[(usize, TermId)],
) -> Vec<u32> {
    let parameters: Vec<u32> = actions
        .iter()
        .filter_map(|&(_, pattern)| pattern)
        .flat_map(|pattern| theory.store.variables(pattern))
        .collect();
    let mut order: Vec<u32> = Vec::new();
    let mut note = |term: TermId| {
        for variable in theory.store.variables(term) {
            if !parameters.contains(&variable) && !order.contains(&variable) {
                order.push(variable);
            }
        }
    };
    note(finding.fluent);
    for condition in &finding.conditions {
        condition.each_term(&mut note);
    }
    for &(_, mv) in restricted {
        note(mv);
    }
    order
}

/// The effect of a finding, without the roles that do not matter for it; `present` are the contexts that show the
/// same change.
fn attribute(
    theory: &mut Theory<'_>,
    source: &ChangeSource<'_>,
    finding: &ContextFinding,
    present: &BTreeSet<usize>,
) -> Effect {
    let own = &source.contexts[finding.context].moves;
    let used = used_variables(theory, own, finding);
    // Role by role, greedily: a role is dropped if all contexts that agree in the remaining roles show the change.
    let mut kept: Vec<usize> = own.iter().map(|&(role, _)| role).collect();
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
        let without = kept.iter().copied().filter(|&other| other != role);
        let without: Vec<usize> = without.collect();
        if is_everywhere(source.contexts, own, &without, present) {
            kept = without;
        }
    }
    effect(theory, source, finding, &kept)
}

/// The effect of a finding with the roles that matter for it.
fn effect(
    theory: &Theory<'_>,
    source: &ChangeSource<'_>,
    finding: &ContextFinding,
    kept: &[usize],
) -> Effect {
    let mut conditions = finding.conditions.clone();
    let mut moves = Vec::new();
    for &(role, pattern) in finding.moves.iter().filter(|(role, _)| kept.contains(role)) {
        match pattern {
            Some(pattern) => moves.push((role, pattern)),
            // Kept with "any other action": the excluded ones are conditions.
            None => {
                let name = theory.roles[role];
                let is_of_role =
                    |atom: TermId| theory.move_of(atom).is_some_and(|(of, _)| of == name);
                let excluded = source.contexts[finding.context].excluded.iter();
                let excluded = excluded.filter(|condition| condition.mentions(&is_of_role));
                conditions.extend(excluded.cloned());
            }
        }
    }
    Effect {
        sign: source.sign,
        fluent: finding.fluent,
        moves,
        conditions,
        clauses: source.clauses.to_vec(),
    }
}

/// The variables that a change needs: those of the fluent and the conditions, and arguments of a move that must be
/// those of another role's move.
fn used_variables(
    theory: &Theory<'_>,
    actions: &[(usize, Option<TermId>)],
    finding: &ContextFinding,
) -> Vec<u32> {
    let mut used = theory.store.variables(finding.fluent);
    for condition in &finding.conditions {
        used.extend(condition.variables(theory.store));
    }
    for (mv, choice) in finding.moves.iter().zip(actions) {
        if mv != choice {
            used.extend(mv.1.iter().flat_map(|&mv| theory.store.variables(mv)));
        }
    }
    used
}

/// Whether all contexts that agree with some actions in the given roles are among those that show a change.
///
/// ```text
/// contexts of (white, black):  0 (a,p)   1 (a,q)   2 (b,p)   3 (b,q)
/// shown by 0 and 1: black does not matter, white's a does
/// ```
fn is_everywhere(
    contexts: &[Context],
    actions: &[(usize, Option<TermId>)],
    roles: &[usize],
    present: &BTreeSet<usize>,
) -> bool {
    let agrees = |context: &Context| {
        let mut choices = actions.iter().filter(|(role, _)| roles.contains(role));
        choices.all(|choice| context.moves.contains(choice))
    };
    let mut agreeing = contexts
        .iter()
        .enumerate()
        .filter(|(_, context)| agrees(context));
    agreeing.all(|(number, _)| present.contains(&number))
}
