//! What must not be where a conjunction holds: its negative conditions, each held against the atoms
//! that are known.
//!
//! The chase asks again and again, each time with a few more atoms. A condition that nothing matched
//! is checked again only if one of its variables was bound or if an atom that has changed since
//! may match one of its own.

use std::borrow::Cow;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use crate::fluent::condition::Condition;
use crate::fluent::dependency::is_fact;
use crate::fluent::equality::{Contradiction, differ, match_local};
use crate::fluent::known::atom::{KnownAtom, holds};
use crate::fluent::stated::NegatedCondition;
use crate::fluent::theory::Theory;
use crate::term::{Store, Substitution, Term, TermId};

/// The conditions of a conjunction that are not atoms that hold; shared by what is made from it.
#[derive(Clone, Debug, Default)]
pub(super) struct NegatedConditions {
    entries: Vec<NegatedEntry>,
}

/// One of them.
#[derive(Clone, Debug)]
struct NegatedEntry {
    negation: Rc<NegatedCondition>,
    /// Whether it was found not to fail.
    is_checked: bool,
}

impl NegatedConditions {
    /// The number of conditions.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The conditions, in the order in which they were assumed.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.entries.iter().map(|entry| &entry.negation.condition)
    }

    /// Adds a condition, once.
    pub(super) fn add(&mut self, theory: &mut Theory<'_>, condition: &Condition) {
        if !self.has(condition) {
            self.push(
                theory,
                NegatedCondition::of(theory.store, condition.clone()).into(),
            );
        }
    }

    /// The same of one that is added to many conjunctions.
    pub(super) fn share(&mut self, theory: &mut Theory<'_>, negation: &Rc<NegatedCondition>) {
        if !self.has(&negation.condition) {
            self.push(theory, Rc::clone(negation));
        }
    }

    fn push(&mut self, theory: &mut Theory<'_>, negation: Rc<NegatedCondition>) {
        theory.work += negation.size;
        self.entries.push(NegatedEntry {
            negation,
            is_checked: false,
        });
    }

    /// Whether a condition was assumed in these words.
    pub(super) fn has(&self, condition: &Condition) -> bool {
        self.conditions().any(|own| own == condition)
    }

    /// Looks for a condition that fails because of the atoms.
    pub(super) fn check(
        &mut self,
        theory: &mut Theory<'_>,
        bindings: &Substitution,
        atoms: &mut [KnownAtom],
    ) -> Result<(), Contradiction> {
        let fresh = atoms.iter().filter(|atom| !atom.is_admitted);
        let fresh: Vec<TermId> = fresh.map(|atom| atom.term).collect();
        // Conditions are brought up to date first; those that change are open to be checked again.
        for entry in &mut self.entries {
            entry.rewrite(theory, bindings);
        }
        // A condition that negates what others say fails once they say it.
        let is_more_negated = self.entries.iter().any(|entry| {
            !entry.is_checked
                && matches!(
                    entry.negation.condition,
                    Condition::Fails(_) | Condition::None(..)
                )
        });
        for index in 0..self.entries.len() {
            let entry = &self.entries[index];
            if entry.is_checked && !entry.may_fail_by(theory.store, &fresh, is_more_negated) {
                continue;
            }
            let negation = Rc::clone(&entry.negation);
            // `not true(f)` fails once f is known to hold, `X != a` once X = a, none{…} once all of its conditions are matched.
            let fails = match &negation.condition {
                Condition::Fails(atom) => holds(atoms, *atom) || is_fact(theory, *atom),
                Condition::Differ(pairs) => pairs.iter().all(|(left, right)| left == right),
                Condition::None(local, inner) => self.matches(theory, atoms, local, inner),
                Condition::Holds(_) | Condition::Equal(..) => false,
            };
            if fails {
                return Err(Contradiction);
            }
        }
        self.entries
            .iter_mut()
            .for_each(|entry| entry.is_checked = true);
        atoms.iter_mut().for_each(|atom| atom.is_admitted = true);
        Ok(())
    }

    /// Whether there are values of the variables for which all conditions are known to hold.
    fn matches(
        &self,
        theory: &mut Theory<'_>,
        atoms: &[KnownAtom],
        local: &[u32],
        conditions: &[Condition],
    ) -> bool {
        theory.work += conditions.len() as u64;
        // Atoms first: where none matches, nothing else is checked.
        let is_atom = |condition: &&Condition| matches!(condition, Condition::Holds(_));
        let (first, rest) = (conditions.iter(), conditions.iter());
        let rest = rest.filter(|condition| !is_atom(condition));
        let conditions: SmallVec<[&Condition; 8]> = first.filter(is_atom).chain(rest).collect();
        let mut pending: SmallVec<[(Substitution, usize); 4]> =
            smallvec![(Substitution::default(), 0)];
        // The search is a heuristic: a match that it misses costs a simplification, no more.
        let mut tries = 256;
        while let Some((found, at)) = pending.pop() {
            let Some(&condition) = conditions.get(at) else {
                return true;
            };
            tries -= 1;
            if tries == 0 {
                return false;
            }
            theory.work += condition.size() + self.entries.len() as u64 / 8;
            let search = MatchSearch {
                negated: self,
                atoms,
                local,
            };
            let next = search.ways(theory, condition, found);
            pending.extend(next.into_iter().map(|found| (found, at + 1)));
        }
        false
    }
}

impl NegatedEntry {
    /// Replaces variables that were bound since the condition was written.
    fn rewrite(&mut self, theory: &mut Theory<'_>, bindings: &Substitution) {
        let mut variables = self.negation.variables.iter();
        if variables.any(|&number| bindings.of(number).is_some()) {
            theory.work += self.negation.size;
            let condition = self.negation.condition.apply(theory.store, bindings);
            self.negation = NegatedCondition::of(theory.store, condition).into();
            self.is_checked = false;
        }
    }

    /// Whether the condition, which did not fail, may fail because of some atoms, or because more is
    /// negated.
    fn may_fail_by(&self, store: &Store, atoms: &[TermId], is_more_negated: bool) -> bool {
        match &self.negation.condition {
            Condition::Fails(atom) => atoms.contains(atom),
            Condition::None(_, inner) => inner.iter().any(|condition| match condition {
                Condition::Holds(own) => atoms.iter().any(|&atom| may_equal(store, *own, atom)),
                Condition::Fails(_) | Condition::None(..) => is_more_negated,
                Condition::Equal(..) | Condition::Differ(_) => false,
            }),
            Condition::Holds(_) | Condition::Equal(..) | Condition::Differ(_) => false,
        }
    }
}

/// Where the conditions of a [`Condition::None`] are looked for.
struct MatchSearch<'s> {
    negated: &'s NegatedConditions,
    atoms: &'s [KnownAtom],
    /// Variables that may get values.
    local: &'s [u32],
}

impl MatchSearch<'_> {
    /// Values under which a condition is known to hold, beyond those that were found; the last ones
    /// are to be tried first.
    fn ways(
        &self,
        theory: &mut Theory<'_>,
        condition: &Condition,
        found: Substitution,
    ) -> SmallVec<[Substitution; 4]> {
        let condition = if found.is_empty() {
            Cow::Borrowed(condition)
        } else {
            Cow::Owned(condition.apply(theory.store, &found))
        };
        let mut ways = SmallVec::new();
        match &*condition {
            Condition::Holds(atom) => self.matching(theory, *atom, &found, &mut ways),
            Condition::Fails(_) | Condition::None(..) => {
                ways.extend(self.negated.has(&condition).then_some(found));
            }
            Condition::Equal(left, right) => {
                let mut next = found;
                if match_local(theory.store, &mut next, self.local, (*left, *right)) {
                    ways.push(next);
                }
            }
            Condition::Differ(pairs) => {
                let differs = pairs.iter().any(|&(l, r)| differ(theory.store, l, r));
                ways.extend(differs.then_some(found));
            }
        }
        ways
    }

    /// Values under which an atom is one that is known.
    fn matching(
        &self,
        theory: &Theory<'_>,
        atom: TermId,
        found: &Substitution,
        ways: &mut SmallVec<[Substitution; 4]>,
    ) {
        if is_fact(theory, atom) {
            ways.push(found.clone());
        }
        for known in self.atoms.iter().rev() {
            if !may_equal(theory.store, atom, known.term) {
                continue;
            }
            let mut next = found.clone();
            if match_local(theory.store, &mut next, self.local, (atom, known.term)) {
                ways.push(next);
            }
        }
    }
}

/// Whether two atoms can be equal, as far as one look at the arguments of fluents tells.
fn may_equal(store: &Store, left: TermId, right: TermId) -> bool {
    if left == right {
        return true;
    }
    match (store.view(left), store.view(right)) {
        (Term::Compound(one, some), Term::Compound(other, others)) => {
            let mut pairs = some.iter().zip(others);
            one == other
                && some.len() == others.len()
                && pairs.all(
                    |(&one, &other)| match (store.view(one), store.view(other)) {
                        _ if one == other => true,
                        (Term::Compound(one, some), Term::Compound(other, others)) => {
                            let mut pairs = some.iter().zip(others);
                            one == other
                                && some.len() == others.len()
                                && pairs.all(|(&one, &other)| !are_apart(store, one, other))
                        }
                        _ => !are_apart(store, one, other),
                    },
                )
        }
        _ => !are_apart(store, left, right),
    }
}

/// Whether two terms are ground and differ.
fn are_apart(store: &Store, left: TermId, right: TermId) -> bool {
    left != right && store.is_ground(left) && store.is_ground(right)
}
