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

mod negated;

use std::rc::Rc;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::consequence::consequences;
use crate::fluent::dependency::{choices, determined, is_fact};
use crate::fluent::known::negated::{NegatedCondition, NegatedConditions, holds};
use crate::fluent::theory::Theory;
use crate::term::{Store, Substitution, TermId};

/// Atoms of one conjunction from which further atoms are derived.
const MAX_ATOMS: usize = 160;

/// Steps from an atom to an atom that it implies.
const MAX_DEPTH: u8 = 4;

/// A conjunction with what is known to follow from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    bindings: Substitution,
    /// Atoms that hold, each with the steps that led to it and whether its own were made.
    atoms: Vec<Atom>,
    /// All that is not an atom that holds.
    negated: NegatedConditions,
    /// The number of bindings that the atoms are written under.
    written: usize,
    /// Whether what is added now is of a case.
    in_case: bool,
    /// The bindings before the first case.
    general: Option<Substitution>,
}

#[derive(Clone, Copy, Debug)]
struct Atom {
    term: TermId,
    depth: u8,
    explored: bool,
    /// What it was before variables were bound in a case, see [`Known::assume_case`].
    origin: TermId,
    /// Whether it holds in one case only.
    is_of_case: bool,
    /// Whether it was compared with all others of which this is said too.
    is_compared: bool,
    /// Whether the facts and the domains were asked what they leave it no choice for.
    is_chosen: bool,
    /// Whether all that is negated was held against it.
    is_admitted: bool,
}

impl Atom {
    /// The atom as it is once more of its variables are bound: nothing has been inferred from it.
    fn rewritten(self, term: TermId) -> Self {
        if term == self.term {
            self
        } else {
            Self {
                term,
                explored: false,
                is_compared: false,
                is_chosen: false,
                is_admitted: false,
                ..self
            }
        }
    }
}

/// A condition that is added to many conjunctions.
#[derive(Clone, Debug)]
pub(super) enum Stated {
    /// An atom that holds, or an equation.
    Positive(Condition),
    /// Another one.
    Negative(Rc<NegatedCondition>),
}

impl Stated {
    /// The conditions, to be added again and again.
    pub(super) fn all(store: &Store, conditions: &[Condition]) -> Rc<[Stated]> {
        let stated = conditions.iter().map(|condition| match condition {
            Condition::Holds(_) | Condition::Equal(..) => Stated::Positive(condition.clone()),
            Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
                Stated::Negative(NegatedCondition::of(store, condition.clone()).into())
            }
        });
        stated.collect()
    }
}

/// A conjunction that never holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

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
                    self.atoms.push(Atom {
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

    /// Draws conclusions until there are no new ones, then looks at what must not be. What was
    /// inferred from atoms that are as they were then is not inferred again.
    fn saturate(&mut self, theory: &mut Theory<'_>) -> Result<(), Contradiction> {
        // The chase: equalities first, since they make atoms equal and bring facts and constraints to bear; only
        // without any are further atoms derived. It ends, as bindings only grow and derived atoms have a depth.
        while !theory.is_stopped() {
            // Work is counted as what a round costs: all pairs of atoms, roughly, and one look at each negation.
            theory.work +=
                1 + (self.atoms.len() * self.atoms.len() / 8 + self.negated.len()) as u64;
            self.normalize(theory);
            let equated = self.apply_constraints(theory)? | self.apply_facts(theory)?;
            if equated || self.apply_domains(theory)? {
                continue;
            }
            if !self.explore(theory)? {
                break;
            }
        }
        // Only a saturated conjunction is held against what must not be: bindings can still refute it.
        self.negated.check(theory, &self.bindings, &mut self.atoms)
    }

    /// Replaces bound variables in the atoms, and drops atoms that have become equal.
    fn normalize(&mut self, theory: &mut Theory<'_>) {
        // No variable was bound since the atoms were written.
        if self.written == self.bindings.len() {
            return;
        }
        self.written = self.bindings.len();
        let in_cases = self.general.is_some();
        let mut kept: Vec<Atom> = Vec::with_capacity(self.atoms.len());
        // Two atoms that have become one share what was done with either.
        for atom in std::mem::take(&mut self.atoms) {
            let term = self.bindings.apply(theory.store, atom.term);
            let mut atom = atom.rewritten(term);
            if self.general.is_none() {
                atom.origin = term;
            }
            // What an atom was in all cases is not lost where a case makes it equal to another.
            let is_same = |known: &&mut Atom| {
                known.term == term && (!in_cases || known.origin == atom.origin)
            };
            match kept.iter_mut().find(is_same) {
                Some(known) => {
                    known.explored |= atom.explored;
                    known.is_of_case &= atom.is_of_case;
                    known.is_compared |= atom.is_compared;
                    known.is_chosen |= atom.is_chosen;
                    known.is_admitted |= atom.is_admitted;
                }
                None => kept.push(atom),
            }
        }
        self.atoms = kept;
    }

    /// Equates what pairs of atoms determine; whether something was equated.
    fn apply_constraints(&mut self, theory: &mut Theory<'_>) -> Result<bool, Contradiction> {
        let fresh = |(at, atom): (usize, &Atom)| (!atom.is_compared).then_some(at);
        let fresh: Vec<usize> = self.atoms.iter().enumerate().filter_map(fresh).collect();
        let mut equated = false;
        // Each unordered pair with a fresh atom once: a fresh atom against all before it, an old one against the
        // fresh ones before it.
        for index in fresh.first().map_or(0..0, |&first| first..self.atoms.len()) {
            let left = self.atoms[index];
            let (whole, some) = if left.is_compared {
                (0..0, &fresh[..])
            } else {
                (0..index, &[][..])
            };
            // `fresh` ascends.
            let some = some.iter().copied().take_while(|&other| other < index);
            for other in whole.chain(some) {
                for (one, other) in determined(theory, left.term, self.atoms[other].term)? {
                    if one != other {
                        self.equate(theory, one, other)?;
                        equated = true;
                    }
                }
            }
        }
        self.atoms
            .iter_mut()
            .for_each(|atom| atom.is_compared = true);
        Ok(equated)
    }

    /// Equates what the facts of the game leave no choice for; whether something was equated.
    fn apply_facts(&mut self, theory: &mut Theory<'_>) -> Result<bool, Contradiction> {
        let mut equated = false;
        for index in 0..self.atoms.len() {
            let atom = self.atoms[index];
            // Asked before, and unchanged since: the facts have nothing new to say.
            if atom.is_chosen && self.written == self.bindings.len() {
                continue;
            }
            let term = self.bindings.apply(theory.store, atom.term);
            if atom.is_chosen && term == atom.term {
                continue;
            }
            for (one, other) in choices(theory, term)? {
                self.equate(theory, one, other)?;
                equated = true;
            }
            self.atoms[index].is_chosen = term == atom.term;
        }
        Ok(equated)
    }

    /// Binds a variable that can be one constant only, all others of its domain being excluded;
    /// whether one was bound.
    fn apply_domains(&mut self, theory: &Theory<'_>) -> Result<bool, Contradiction> {
        // X ≠ a, X ≠ b, and X stands where a, b, c can: X = c.
        let mut excluded: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for condition in self.negated.conditions() {
            let Condition::Differ(pairs) = condition else {
                continue;
            };
            let &[(left, right)] = &pairs[..] else {
                continue;
            };
            let (left, right) = (
                self.bindings.walk(theory.store, left),
                self.bindings.walk(theory.store, right),
            );
            // Either side may be the variable.
            let (variable, constant) = if theory.is_variable(left) {
                (left, right)
            } else {
                (right, left)
            };
            if theory.is_variable(variable) && theory.store.is_ground(constant) {
                match excluded.iter_mut().find(|(of, _)| *of == variable) {
                    Some((_, constants)) => constants.push(constant),
                    None => excluded.push((variable, vec![constant])),
                }
            }
        }
        for (variable, excluded) in excluded {
            let Some(values) = self.values(theory, variable) else {
                continue;
            };
            let mut left = values.into_iter().filter(|value| !excluded.contains(value));
            match (left.next(), left.next()) {
                (None, _) => return Err(Contradiction),
                // Back to the start with one binding: the others may be decided by it.
                (Some(value), None) => {
                    return if self.bindings.unify(theory.store, variable, value) {
                        Ok(true)
                    } else {
                        Err(Contradiction)
                    };
                }
                (Some(_), Some(_)) => {}
            }
        }
        Ok(false)
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

    /// Adds what the atoms imply; whether there was something to add.
    fn explore(&mut self, theory: &mut Theory<'_>) -> Result<bool, Contradiction> {
        let before = self.atoms.len();
        let mut added = false;
        for index in 0..before {
            let atom = self.atoms[index];
            // Depth bounds chains of consequences such as those of rules that call each other.
            if atom.explored || atom.depth >= MAX_DEPTH {
                continue;
            }
            self.atoms[index].explored = true;
            for stated in consequences(theory, atom.term).iter() {
                // New is what makes the lists longer; an equation is always taken for new, as it may bind.
                let negated = self.negated.len();
                let atoms = self.atoms.len();
                self.state(theory, stated, atom.depth + 1)?;
                added |= self.negated.len() > negated
                    || self.atoms.len() > atoms
                    || matches!(stated, Stated::Positive(Condition::Equal(..)));
            }
        }
        Ok(added)
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

/// Whether two terms differ whatever their variables stand for.
pub(super) fn differ(store: &Store, left: TermId, right: TermId) -> bool {
    !Substitution::default().unify(store, left, right)
}

/// Makes two terms equal by binding none but local variables.
pub(super) fn match_local(
    store: &Store,
    found: &mut Substitution,
    local: &[u32],
    left: TermId,
    right: TermId,
) -> bool {
    let mut open = Vec::new();
    found.solve(store, (left, right), local, &mut open) && open.is_empty()
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
