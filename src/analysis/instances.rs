//! Instances of rules: bodies whose conditions share no variable.
//!
//! Facts of the game bind variables first; what is left and shared by conditions takes all values
//! of its domain. Variables that only one condition asks for, under no negation, stay: that
//! condition asks whether there is a value.

use crate::analysis::facts::Facts;
use crate::analysis::reading::{AtomKind, Reading};
use crate::analysis::refusal::Refusal;
use crate::gdl::{Domain, Domains, Keyword, Position};
use crate::term::{Functor, Literal, Store, Substitution, Term, TermId, rename};

/// Instances of one rule.
pub(super) const MAX_INSTANCES: usize = 4096;

/// Steps to find them.
const MAX_STEPS: usize = 20_000;

/// Values of variables, each with the conditions under them.
pub(super) struct Instance {
    pub(super) head: TermId,
    pub(super) body: Vec<TermId>,
}

impl Instance {
    fn apply(&self, store: &mut Store, binding: &Substitution) -> Self {
        let body = self.body.iter();
        Self {
            head: binding.apply(store, self.head),
            body: body
                .map(|&condition| binding.apply(store, condition))
                .collect(),
        }
    }
}

/// Which variables of a head get values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadVariables {
    All,
    /// Those that conditions share.
    Shared,
}

/// What rules are instantiated with.
pub(super) struct Instantiation<'s, 'a> {
    pub(super) reading: &'s mut Reading<'a>,
    pub(super) facts: &'s mut Facts<'a>,
    pub(super) domains: &'s Domains,
    pub(super) head: HeadVariables,
    /// Steps so far, of all instantiations together.
    pub(super) work: &'s mut usize,
}

impl Instantiation<'_, '_> {
    /// The instances of a rule for an atom.
    pub(super) fn instances(
        &mut self,
        rule: usize,
        atom: TermId,
    ) -> Result<Vec<Instance>, Refusal> {
        let Some(first) = resolved(self.reading, rule, atom) else {
            return Ok(Vec::new());
        };
        let mut open = vec![first];
        let mut closed = Vec::new();
        let mut steps = 0;
        while let Some(instance) = open.pop() {
            steps += 1;
            *self.work += 1;
            if open.len() + closed.len() > MAX_INSTANCES || steps > MAX_STEPS {
                return Err(Refusal::Instances(atom));
            }
            let Some(instance) = without_facts(self.reading, instance) else {
                continue;
            };
            let Some(bindings) = self.bindings(&instance)? else {
                closed.push(instance);
                continue;
            };
            // A stack: in reverse, so that the first binding is the next to be taken.
            let store = &mut *self.reading.store;
            let bound = bindings.iter().rev();
            open.extend(bound.map(|binding| instance.apply(store, binding)));
        }
        Ok(closed)
    }

    /// Values for variables that must have one; nothing if there are no such variables.
    fn bindings(&mut self, instance: &Instance) -> Result<Option<Vec<Substitution>>, Refusal> {
        let reading = &mut *self.reading;
        // Facts first: they bind several variables at once, to fewer values than their domains have.
        for &condition in &instance.body {
            let is_open = !reading.store.is_ground(condition);
            if let Literal::Call(atom) = Literal::of(reading.store, condition)
                && is_open
                && reading.atom(atom) == AtomKind::Fact
            {
                let found = self.facts.solutions(reading.store, atom, MAX_INSTANCES);
                return Ok(Some(found.ok_or(Refusal::Instances(atom))?));
            }
        }
        let Some((variable, condition)) = shared(reading, instance, self.head) else {
            return Ok(None);
        };
        // The variable stands at several places, all of which must have its value: the smallest domain will do.
        let domain = instance
            .body
            .iter()
            .filter_map(|&condition| match Literal::of(reading.store, condition) {
                Literal::Call(atom) => domain(reading, self.domains, atom, variable),
                Literal::Not(_) | Literal::Or(_) | Literal::And(_) | Literal::Distinct(..) => None,
            })
            .min_by_key(|domain| domain.size());
        let Some(domain) = domain else {
            return Err(Refusal::Variable(condition));
        };
        // Compound values, f(X) with any X, cannot be listed.
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
}

/// A rule under the unifier of its head and an atom, its variables renamed apart; nothing if there is no unifier.
fn resolved(reading: &mut Reading<'_>, rule: usize, atom: TermId) -> Option<Instance> {
    let offset = reading.store.variable_bound(atom);
    let head = rename(reading.store, reading.rules[rule].head, offset);
    let mut unifier = Substitution::default();
    if !unifier.unify(reading.store, atom, head) {
        return None;
    }
    let mut body = Vec::new();
    for &condition in &reading.rules[rule].body {
        let renamed = rename(reading.store, condition, offset);
        let instance = unifier.apply(reading.store, renamed);
        flatten(reading, instance, &mut body);
    }
    let head = unifier.apply(reading.store, head);
    Some(Instance { head, body })
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
            // Ground, so that different terms are different things: it holds, or the instance fails.
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

/// A variable that several conditions share or a negation asks for, and one of the conditions.
fn shared(
    reading: &Reading<'_>,
    instance: &Instance,
    head: HeadVariables,
) -> Option<(u32, TermId)> {
    let store = &*reading.store;
    if head == HeadVariables::All
        && let Some(&variable) = store.variables(instance.head).first()
    {
        return Some((variable, instance.head));
    }
    for (place, &condition) in instance.body.iter().enumerate() {
        let is_call = matches!(Literal::of(store, condition), Literal::Call(_));
        for variable in store.variables(condition) {
            let others = instance.body.iter().enumerate();
            let mut others = others.filter(|&(other, _)| other != place);
            // Under a negation a free variable would mean *for all*, and not *for some*.
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
    if let AtomKind::Fluent(fluent) = reading.atom(atom) {
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
