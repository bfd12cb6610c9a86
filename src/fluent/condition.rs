//! Conditions: what must be so for a rule to apply or an effect to come about.
//!
//! A conjunction is a list of conditions whose variables are existential unless the context fixes
//! them. Atoms are those of the rules: `true(f)`, `does(r,m)` and calls of auxiliary predicates.
//! Two forms carry negation: a negated tuple of equations, and a conjunction that holds for no
//! values of its own variables. With these, the negation of a conjunction is a list of conditions,
//! one of which must hold.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::term::{Store, Substitution, TermId, map_variables, rename};

/// One condition of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// The atom is true.
    Holds(TermId),
    /// The atom, all of whose variables are fixed outside, is false.
    Fails(TermId),
    /// The terms are equal.
    Equal(TermId, TermId),
    /// The terms of at least one pair differ.
    Differ(Vec<(TermId, TermId)>),
    /// There are no values of the variables for which all conditions hold. Shared by all copies, since
    /// negations can be large.
    None(Arc<[u32]>, Arc<[Condition]>),
}

/// Conditions all of which must hold.
pub type Conjunction = Vec<Condition>;

impl Condition {
    /// Calls `visit` with every term of the condition, those of inner conditions too.
    pub fn each_term(&self, visit: &mut impl FnMut(TermId)) {
        let mut pending: SmallVec<[&Condition; 8]> = SmallVec::from_slice(&[self]);
        while let Some(condition) = pending.pop() {
            match condition {
                Condition::Holds(atom) | Condition::Fails(atom) => visit(*atom),
                Condition::Equal(left, right) => {
                    visit(*left);
                    visit(*right);
                }
                Condition::Differ(pairs) => pairs.iter().for_each(|&(left, right)| {
                    visit(left);
                    visit(right);
                }),
                Condition::None(_, inner) => pending.extend(&inner[..]),
            }
        }
    }

    /// Calls `visit` with every atom of the condition, those of inner conditions too.
    pub fn each_atom(&self, visit: &mut impl FnMut(TermId)) {
        let mut pending: SmallVec<[&Condition; 8]> = SmallVec::from_slice(&[self]);
        while let Some(condition) = pending.pop() {
            match condition {
                Condition::Holds(atom) | Condition::Fails(atom) => visit(*atom),
                Condition::Equal(..) | Condition::Differ(_) => {}
                Condition::None(_, inner) => pending.extend(&inner[..]),
            }
        }
    }

    /// The condition with every term replaced. Inner variables of [`Condition::None`] are replaced
    /// as others are; `replace` must leave them variables.
    pub fn map(&self, replace: &mut dyn FnMut(TermId) -> TermId) -> Condition {
        match self {
            Condition::Holds(atom) => Condition::Holds(replace(*atom)),
            Condition::Fails(atom) => Condition::Fails(replace(*atom)),
            Condition::Equal(left, right) => Condition::Equal(replace(*left), replace(*right)),
            Condition::Differ(pairs) => {
                let pairs = pairs.iter().map(|&(l, r)| (replace(l), replace(r)));
                Condition::Differ(pairs.collect())
            }
            // Depth is that of connectives in the rules, which the engine bounds.
            Condition::None(variables, inner) => Condition::None(
                variables.clone(),
                inner
                    .iter()
                    .map(|condition| condition.map(replace))
                    .collect(),
            ),
        }
    }

    /// The condition with all bound variables replaced.
    pub fn apply(&self, store: &mut Store, substitution: &Substitution) -> Condition {
        self.clone().applied(store, substitution)
    }

    /// The same of a condition that is of no more use; mostly nothing is bound.
    pub(super) fn applied(self, store: &mut Store, substitution: &Substitution) -> Condition {
        if self.is_bound_in(store, substitution) {
            self.map(&mut |term| substitution.apply(store, term))
        } else {
            self
        }
    }

    /// Whether a variable of the condition, inner ones too, is bound.
    fn is_bound_in(&self, store: &Store, substitution: &Substitution) -> bool {
        let is_bound = |term: &TermId| substitution.binds_in(store, *term);
        match self {
            _ if substitution.is_empty() => false,
            Condition::Holds(atom) | Condition::Fails(atom) => is_bound(atom),
            Condition::Equal(left, right) => is_bound(left) || is_bound(right),
            Condition::Differ(pairs) => pairs.iter().any(|(l, r)| is_bound(l) || is_bound(r)),
            Condition::None(_, inner) => inner.iter().any(|c| c.is_bound_in(store, substitution)),
        }
    }

    /// The condition with its variables, inner ones too, numbered from `offset` on.
    pub fn rename(&self, store: &mut Store, offset: u32) -> Condition {
        let renamed = self.map(&mut |term| rename(store, term, offset));
        renamed.with_inner(&|number| number + offset)
    }

    /// The condition with a number for each variable.
    pub fn renumber(&self, store: &mut Store, number: &dyn Fn(u32) -> u32) -> Condition {
        let renamed = self.map(&mut |term| {
            map_variables(store, term, |store, variable| {
                store.variable(number(variable))
            })
        });
        renamed.with_inner(number)
    }

    /// Replaces the numbers in the lists of inner variables.
    fn with_inner(self, number: &dyn Fn(u32) -> u32) -> Condition {
        match self {
            Condition::None(variables, inner) => Condition::None(
                variables.iter().copied().map(number).collect(),
                inner
                    .iter()
                    .map(|inner| inner.clone().with_inner(number))
                    .collect(),
            ),
            other @ Condition::Holds(_)
            | other @ Condition::Fails(_)
            | other @ Condition::Equal(..)
            | other @ Condition::Differ(_) => other,
        }
    }

    /// The variables that the condition does not quantify itself, in order of first occurrence.
    pub fn variables(&self, store: &Store) -> Vec<u32> {
        let mut found = Vec::new();
        self.any_variable(store, |variable| {
            if !found.contains(&variable) {
                found.push(variable);
            }
            false
        });
        found
    }

    /// Whether a variable that the condition does not quantify itself passes a test, made in order of
    /// occurrence until one does.
    pub(super) fn any_variable(&self, store: &Store, mut test: impl FnMut(u32) -> bool) -> bool {
        self.any_free(store, &mut Vec::new(), &mut test)
    }

    fn any_free(
        &self,
        store: &Store,
        bound: &mut Vec<u32>,
        test: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        let mut any =
            |term| store.any_variable(term, |number| !bound.contains(&number) && test(number));
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => any(*atom),
            Condition::Equal(left, right) => any(*left) || any(*right),
            Condition::Differ(pairs) => pairs.iter().any(|&(left, right)| any(left) || any(right)),
            Condition::None(variables, inner) => {
                let outer = bound.len();
                bound.extend(&variables[..]);
                let found = inner.iter().any(|inner| inner.any_free(store, bound, test));
                bound.truncate(outer);
                found
            }
        }
    }

    /// The variables that it or one of its inner conditions quantifies.
    pub fn quantified(&self) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        let mut pending: SmallVec<[&Condition; 8]> = SmallVec::from_slice(&[self]);
        while let Some(condition) = pending.pop() {
            if let Condition::None(variables, inner) = condition {
                found.extend(&variables[..]);
                pending.extend(&inner[..]);
            }
        }
        found
    }

    /// The number of conditions in it, itself among them.
    pub fn size(&self) -> u64 {
        match self {
            Condition::Holds(_)
            | Condition::Fails(_)
            | Condition::Equal(..)
            | Condition::Differ(_) => 1,
            Condition::None(_, inner) => 1 + inner.iter().map(Condition::size).sum::<u64>(),
        }
    }

    /// Whether some atom in the condition satisfies `test`.
    pub fn mentions(&self, test: &dyn Fn(TermId) -> bool) -> bool {
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => test(*atom),
            Condition::Equal(..) | Condition::Differ(_) => false,
            Condition::None(_, inner) => inner.iter().any(|condition| condition.mentions(test)),
        }
    }

    /// One more than the largest number of a variable in it, inner ones too.
    pub fn variable_bound(&self, store: &Store) -> u32 {
        let mut bound = 0;
        self.each_term(&mut |term| bound = bound.max(store.variable_bound(term)));
        bound
    }
}
