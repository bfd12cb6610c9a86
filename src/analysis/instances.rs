//! Instances of rules: bodies whose conditions share no variable.
//!
//! Facts of the game bind variables first; what is left and shared by conditions takes all values
//! of its domain. Variables that only one condition asks for, under no negation, stay: that
//! condition asks whether there is a value.

use crate::analysis::concept::Refusal;
use crate::analysis::facts::Facts;
use crate::analysis::reading::{Atom, Reading};
use crate::gdl::{Domain, Domains, Keyword, Position};
use crate::term::{Functor, Literal, Substitution, Term, TermId, rename};

/// Instances of one rule.
pub(super) const MAX_INSTANCES: usize = 4096;

/// Steps to find them.
const MAX_STEPS: usize = 20_000;

/// Values of variables, each with the conditions under them.
pub(super) struct Instance {
    pub(super) head: TermId,
    pub(super) body: Vec<TermId>,
}

/// The instances of a rule for an atom. All variables of the head get values if `ground` says so.
/// Steps are added to `work`.
pub(super) fn instances(
    reading: &mut Reading<'_>,
    facts: &mut Facts<'_>,
    domains: &Domains,
    rule: usize,
    atom: TermId,
    ground: bool,
    work: &mut usize,
) -> Result<Vec<Instance>, Refusal> {
    let offset = reading.store.variable_bound(atom);
    let head = rename(reading.store, reading.rules[rule].head, offset);
    let mut unifier = Substitution::default();
    if !unifier.unify(reading.store, atom, head) {
        return Ok(Vec::new());
    }
    let mut body = Vec::new();
    for &condition in &reading.rules[rule].body {
        let condition = rename(reading.store, condition, offset);
        let condition = unifier.apply(reading.store, condition);
        flatten(reading, condition, &mut body);
    }
    let head = unifier.apply(reading.store, head);
    let mut open = vec![Instance { head, body }];
    let mut closed = Vec::new();
    let mut steps = 0;
    while let Some(instance) = open.pop() {
        steps += 1;
        *work += 1;
        if open.len() + closed.len() > MAX_INSTANCES || steps > MAX_STEPS {
            return Err(Refusal::Instances(atom));
        }
        let Some(instance) = without_facts(reading, instance) else {
            continue;
        };
        match bindings(reading, facts, domains, &instance, ground)? {
            None => closed.push(instance),
            // The first is looked at first.
            Some(bindings) => open.extend(bindings.iter().rev().map(|binding| {
                Instance {
                    head: binding.apply(reading.store, instance.head),
                    body: instance
                        .body
                        .iter()
                        .map(|&condition| binding.apply(reading.store, condition))
                        .collect(),
                }
            })),
        }
    }
    Ok(closed)
}

/// Adds the parts of a conjunction.
fn flatten(reading: &Reading<'_>, condition: TermId, body: &mut Vec<TermId>) {
    let mut pending = vec![condition];
    while let Some(condition) = pending.pop() {
        match Literal::of(reading.store, condition) {
            Literal::And(parts) => pending.extend(parts.iter().rev()),
            Literal::Not(_) | Literal::Or(_) | Literal::Distinct(..) | Literal::Call(_) => {
                body.push(condition);
            }
        }
    }
}

/// The instance without inequalities that hold; nothing if one does not.
fn without_facts(reading: &Reading<'_>, mut instance: Instance) -> Option<Instance> {
    let store = &*reading.store;
    let mut fails = false;
    instance
        .body
        .retain(|&condition| match Literal::of(store, condition) {
            Literal::Distinct(left, right) if store.is_ground(condition) => {
                fails |= left == right;
                false
            }
            Literal::Not(_)
            | Literal::Or(_)
            | Literal::And(_)
            | Literal::Distinct(..)
            | Literal::Call(_) => true,
        });
    (!fails).then_some(instance)
}

/// Values for variables that must have one; nothing if there are no such variables.
fn bindings(
    reading: &mut Reading<'_>,
    facts: &mut Facts<'_>,
    domains: &Domains,
    instance: &Instance,
    ground: bool,
) -> Result<Option<Vec<Substitution>>, Refusal> {
    for &condition in &instance.body {
        let is_open = !reading.store.is_ground(condition);
        if let Literal::Call(atom) = Literal::of(reading.store, condition)
            && is_open
            && reading.atom(atom) == Atom::Fact
        {
            let found = facts.solutions(reading.store, atom, MAX_INSTANCES);
            return Ok(Some(found.ok_or(Refusal::Instances(atom))?));
        }
    }
    let Some((variable, condition)) = shared(reading, instance, ground) else {
        return Ok(None);
    };
    let domain = instance
        .body
        .iter()
        .filter_map(|&condition| match Literal::of(reading.store, condition) {
            Literal::Call(atom) => domain(reading, domains, atom, variable),
            Literal::Not(_) | Literal::Or(_) | Literal::And(_) | Literal::Distinct(..) => None,
        })
        .min_by_key(|domain| domain.size());
    let Some(domain) = domain else {
        return Err(Refusal::Variable(condition));
    };
    if domain.forms().next().is_some() {
        return Err(Refusal::Variable(condition));
    }
    let values = domain.constants().map(|value| {
        let mut binding = Substitution::default();
        binding.bind(variable, value);
        binding
    });
    Ok(Some(values.collect()))
}

/// A variable that several conditions share or a negation asks for, and one of the conditions.
fn shared(reading: &Reading<'_>, instance: &Instance, ground: bool) -> Option<(u32, TermId)> {
    let store = &*reading.store;
    if ground && let Some(&variable) = store.variables(instance.head).first() {
        return Some((variable, instance.head));
    }
    for (place, &condition) in instance.body.iter().enumerate() {
        let is_call = matches!(Literal::of(store, condition), Literal::Call(_));
        for variable in store.variables(condition) {
            let others = instance.body.iter().enumerate();
            let mut others = others.filter(|&(other, _)| other != place);
            if !is_call || others.any(|(_, &other)| store.variables(other).contains(&variable)) {
                return Some((variable, condition));
            }
        }
    }
    None
}

/// The values of a variable of an atom, if they can be listed.
pub(super) fn values(
    reading: &Reading<'_>,
    domains: &Domains,
    atom: TermId,
    variable: u32,
) -> Option<Vec<TermId>> {
    let domain = domain(reading, domains, atom, variable)?;
    let is_listed = domain.forms().next().is_none();
    is_listed.then(|| domain.constants().collect())
}

/// The domain of the first place of an atom at which a variable stands.
fn domain<'d>(
    reading: &Reading<'_>,
    domains: &'d Domains,
    atom: TermId,
    variable: u32,
) -> Option<Domain<'d>> {
    let store = &*reading.store;
    let is_it = |&term: &TermId| store.view(term) == Term::Variable(variable);
    if let Atom::Fluent(fluent) = reading.atom(atom) {
        let functor = store.functor(fluent)?;
        let place = store.arguments(fluent).iter().position(is_it)?;
        let mut forms = domains.fluents().forms();
        let form = forms.find(|form| form.functor() == functor)?;
        return Some(form.argument(place));
    }
    let functor: Functor = store.functor(atom)?;
    let place = store.arguments(atom).iter().position(is_it)?;
    debug_assert!(!reading.keywords.is(functor, Keyword::True));
    Some(domains.at(Position::of(&reading.keywords, functor, place as u32)))
}
