//! The chase: conclusions from the atoms of a conjunction until there are no new ones.

use crate::fluent::condition::Condition;
use crate::fluent::consequence::consequences;
use crate::fluent::dependency::{choices, determined};
use crate::fluent::equality::Contradiction;
use crate::fluent::known::Known;
use crate::fluent::known::atom::KnownAtom;
use crate::fluent::stated::Stated;
use crate::fluent::theory::Theory;
use crate::term::TermId;

/// Steps from an atom to an atom that it implies.
const MAX_DEPTH: u8 = 4;

impl Known {
    /// Draws conclusions until there are no new ones, then checks what must not be. What was
    /// inferred from atoms that are as they were then is not inferred again.
    pub(super) fn saturate(&mut self, theory: &mut Theory<'_>) -> Result<(), Contradiction> {
        // The chase: equalities first, since they make atoms equal and bring facts and constraints to bear; only
        // without any are further atoms derived. It ends, as bindings only grow and derived atoms have a depth.
        while !theory.is_stopped() {
            // Work is counted as what a round costs: all pairs of atoms, roughly, and one check of each negation.
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
        let mut kept: Vec<KnownAtom> = Vec::with_capacity(self.atoms.len());
        // Two atoms that have become one share what was done with either.
        for atom in std::mem::take(&mut self.atoms) {
            let term = self.bindings.apply(theory.store, atom.term);
            let mut atom = atom.rewritten(term);
            if self.general.is_none() {
                atom.origin = term;
            }
            // What an atom was in all cases is not lost where a case makes it equal to another.
            let is_same = |known: &&mut KnownAtom| {
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
        let fresh = |(at, atom): (usize, &KnownAtom)| (!atom.is_compared).then_some(at);
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
