//! What follows from a conjunction: equalities, further atoms, or that it can never hold.
//!
//! The variables of a conjunction stand for unknown terms. Atoms are compared under what was
//! proved of all states and under the facts of the game, as the chase of database theory does
//! with functional dependencies:
//!
//! ```text
//! true(step(U)), succ(U,V), true(step(2))     step has one instance: U = 2
//!                                             the facts of succ:     V = 3
//! true(control(white)), true(control(R)), distinct(R, white)         R = white: contradiction
//! ```
//!
//! Unique names come with unification; "a role does one move, and a legal one" is a dependency of
//! `does` and a consequence of its atoms. What is found contradictory is so; what is not may still
//! be.

mod atom;
mod chase;
mod negated;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::dependency::is_fact;
use crate::fluent::equality::Contradiction;
use crate::fluent::known::atom::{KnownAtom, holds};
use crate::fluent::known::negated::NegatedConditions;
use crate::fluent::stated::Stated;
use crate::fluent::theory::Theory;
use crate::term::{Store, Substitution, TermId};

/// Atoms of one conjunction from which further atoms are derived.
const MAX_ATOMS: usize = 160;

/// A conjunction with what is known to follow from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    bindings: Substitution,
    /// Atoms that hold, each with the steps that led to it and whether its own were made.
    atoms: Vec<KnownAtom>,
    /// All that is not an atom that holds.
    negated: NegatedConditions,
    /// The number of bindings that the atoms are written under.
    written: usize,
    /// Whether what is added now is of a case.
    in_case: bool,
    /// The bindings before the first case.
    general: Option<Substitution>,
}

impl Known {
    /// What the variables stand for as far as it is known.
    pub(super) fn bindings(&self) -> &Substitution {
        &self.bindings
    }

    /// The atoms that hold, under the bindings, in order of discovery.
    pub(super) fn atoms(&self) -> impl Iterator<Item = TermId> {
        self.atoms.iter().map(|atom| atom.term)
    }

    /// Adds a condition.
    pub(super) fn assume(
        &mut self,
        theory: &mut Theory<'_>,
        condition: &Condition,
    ) -> Result<(), Contradiction> {
        self.assume_all(theory, std::slice::from_ref(condition))
    }

    /// Adds conditions; all together, which costs less than one by one.
    pub(super) fn assume_all(
        &mut self,
        theory: &mut Theory<'_>,
        conditions: &[Condition],
    ) -> Result<(), Contradiction> {
        for condition in conditions {
            self.add(theory, condition, 0)?;
        }
        self.saturate(theory)
    }

    /// Adds conditions that single out one of several cases of what is known so far.
    pub(super) fn assume_case(
        &mut self,
        theory: &mut Theory<'_>,
        conditions: &[Condition],
    ) -> Result<(), Contradiction> {
        if self.general.is_none() {
            self.general = Some(self.bindings.clone());
        }
        self.in_case = true;
        let result = self.assume_all(theory, conditions);
        self.in_case = false;
        result
    }

    /// The atoms that hold in all cases, in the words of all cases.
    pub(super) fn general_atoms(&self) -> impl Iterator<Item = TermId> {
        let general = self.atoms.iter().filter(|atom| !atom.is_of_case);
        general.map(|atom| atom.origin)
    }

    /// The variables of which what follows from the conditions of a case speaks first.
    pub(super) fn derived_in_case(&self, store: &Store) -> Vec<u32> {
        let mut stated: Vec<u32> = Vec::new();
        let mut derived: Vec<u32> = Vec::new();
        for atom in &self.atoms {
            for variable in store.variables(atom.term) {
                if stated.contains(&variable) || derived.contains(&variable) {
                    continue;
                }
                // Depth 0 is a condition of the case itself; deeper atoms are consequences.
                if atom.is_of_case && atom.depth > 0 {
                    derived.push(variable);
                } else {
                    stated.push(variable);
                }
            }
        }
        derived
    }

    /// What the variables stand for in all cases.
    pub(super) fn general_bindings(&self) -> &Substitution {
        self.general.as_ref().unwrap_or(&self.bindings)
    }

    /// Whether the conjunction never holds together with more conditions.
    pub(super) fn refutes(&self, theory: &mut Theory<'_>, conditions: &[Condition]) -> bool {
        self.clone().assume_all(theory, conditions).is_err()
    }

    /// Whether the conjunction implies a condition.
    pub(super) fn entails(&self, theory: &mut Theory<'_>, condition: &Condition) -> bool {
        match condition {
            // Stated already, in the same words: the cheapest answer, and a frequent one.
            stated if self.negated.has(stated) => true,
            Condition::Holds(atom) => {
                let atom = self.bindings.apply(theory.store, *atom);
                self.holds(atom)
                    || is_fact(theory, atom)
                    // By contradiction: what is known together with the negation cannot hold. For an atom that also
                    // covers disjunctions, such as the last constant that a domain leaves.
                    || self.refutes(theory, &[Condition::Fails(atom)])
            }
            Condition::Fails(atom) => self.refutes(theory, &[Condition::Holds(*atom)]),
            Condition::Equal(left, right) => {
                self.bindings.apply(theory.store, *left)
                    == self.bindings.apply(theory.store, *right)
            }
            Condition::Differ(pairs) => {
                let equations: Vec<Condition> = pairs
                    // That some pair differs is refuted by all pairs being equal.
                    .iter()
                    .map(|&(left, right)| Condition::Equal(left, right))
                    .collect();
                self.refutes(theory, &equations)
            }
            Condition::None(local, inner) => {
                theory.work += condition.size();
                // Another condition may have inner variables of the same names.
                let inner = opened(theory, local, inner);
                self.refutes(theory, &inner)
            }
        }
    }

    /// Whether an atom, under the bindings, is among those that hold.
    pub(super) fn holds(&self, atom: TermId) -> bool {
        holds(&self.atoms, atom)
    }

    fn add(
        &mut self,
        theory: &mut Theory<'_>,
        condition: &Condition,
        depth: u8,
    ) -> Result<(), Contradiction> {
        match condition {
            Condition::Holds(atom) => {
                let term = self.bindings.apply(theory.store, *atom);
                // Beyond the limit an atom is not noted. Less is inferred then, and nothing wrong.
                if !self.holds(term) && self.atoms.len() < MAX_ATOMS {
                    self.atoms.push(KnownAtom {
                        term,
                        depth,
                        explored: false,
                        origin: term,
                        is_of_case: self.in_case,
                        is_compared: false,
                        is_chosen: false,
                        is_admitted: false,
                    });
                }
            }
            Condition::Equal(left, right) => self.equate(theory, *left, *right)?,
            other @ Condition::Fails(_)
            | other @ Condition::Differ(_)
            | other @ Condition::None(..) => self.negated.add(theory, other),
        }
        Ok(())
    }

    fn state(
        &mut self,
        theory: &mut Theory<'_>,
        stated: &Stated,
        depth: u8,
    ) -> Result<(), Contradiction> {
        match stated {
            Stated::Positive(condition) => self.add(theory, condition, depth),
            Stated::Negative(negation) => {
                self.negated.share(theory, negation);
                Ok(())
            }
        }
    }

    fn equate(
        &mut self,
        theory: &Theory<'_>,
        left: TermId,
        right: TermId,
    ) -> Result<(), Contradiction> {
        if self.bindings.unify(theory.store, left, right) {
            Ok(())
        } else {
            Err(Contradiction)
        }
    }

    /// The constants that a variable can stand for because of a fluent or move in which it stands, if
    /// these are not too many; of several the one with the fewest decides.
    pub(super) fn values(&self, theory: &Theory<'_>, variable: TermId) -> Option<Vec<TermId>> {
        let mut fewest: Option<Vec<TermId>> = None;
        for atom in self.atoms() {
            let (term, is_move) = match (theory.fluent_of(atom), theory.move_of(atom)) {
                (Some(fluent), _) => (fluent, false),
                (None, Some((_, mv))) => (mv, true),
                (None, None) => continue,
            };
            let values = |at| {
                if is_move {
                    theory.values_of_move(term, at)
                } else {
                    theory.values(term, at)
                }
            };
            for (at, &argument) in theory.store.arguments(term).iter().enumerate() {
                if argument == variable
                    && let Some(values) = values(at)
                    && fewest
                        .as_ref()
                        .is_none_or(|known| values.len() < known.len())
                {
                    fewest = Some(values);
                }
            }
        }
        fewest
    }
}

/// The conditions of a [`Condition::None`] with variables that occur nowhere else for its own.
pub(super) fn opened(theory: &mut Theory<'_>, local: &[u32], inner: &[Condition]) -> Conjunction {
    let apart = theory.apart(local.iter().copied());
    inner
        .iter()
        .map(|condition| condition.apply(theory.store, &apart))
        .collect()
}

/// A conjunction of conditions and what follows from them; none if they contradict each other.
pub(super) fn known(theory: &mut Theory<'_>, conditions: &[Condition]) -> Option<Known> {
    known_together(theory, conditions, &[])
}

/// The same with more conditions that are stated again and again.
pub(super) fn known_together(
    theory: &mut Theory<'_>,
    conditions: &[Condition],
    stated: &[&[Stated]],
) -> Option<Known> {
    let mut known = Known::default();
    for condition in conditions {
        known.add(theory, condition, 0).ok()?;
    }
    for stated in stated.iter().copied().flatten() {
        known.state(theory, stated, 0).ok()?;
    }
    known.saturate(theory).ok().map(|()| known)
}
