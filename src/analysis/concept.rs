//! Local concepts: the atoms by which subgames speak of goal and end.
//!
//! The call graph of `goal` or `terminal` is walked downward from its root until an atom is
//! reached that depends on the fluents of one subgame only. What is above is a formula over these
//! atoms:
//!
//! ```text
//! goal(robot, 75) ← true(gold(w)), completed(caetower), not completed(bdftower)
//!                        maze            blocks                blocks
//! ```
//!
//! An atom with variables that no other condition shares asks whether there are such values, which
//! is a concept too. Shared variables are replaced by all values of their domains, as \[G07, Section
//! 6.3\] asks for; the original gives up there.
//!
//! Source: \[G07, Definition 5.1 and Algorithm 5.4\]; \[GST09, Definition 5\].

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::analysis::call_graph::Callees;
use crate::analysis::facts::Facts;
use crate::analysis::instances::{MAX_INSTANCES, instances, values};
use crate::analysis::level::Grain;
use crate::analysis::reading::{Atom, Reading};
use crate::analysis::structure::Structure;
use crate::gdl::Domains;
use crate::term::{Literal, Substitution, TermId};

/// A local goal or terminal concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The atom; variables stand for some value.
    pub atom: TermId,
    /// The subgame whose fluents decide it.
    pub subgame: usize,
}

/// Why the upper part of a call graph cannot be told apart into concepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The atom speaks of several subgames and calls itself.
    Recursion(TermId),
    /// The atom has a variable whose values cannot be listed.
    Variable(TermId),
    /// The rules for the atom have too many instances.
    Instances(TermId),
    /// There are too many atoms above the concepts.
    Atoms(TermId),
}

/// A formula over concepts and atoms of the upper part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    Constant(bool),
    /// By place in [`Upper::concepts`].
    Concept(usize),
    /// By place in [`Upper::atoms`].
    Atom(usize),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// The part of the call graphs of goal and end that is above the concepts.
#[derive(Debug, Default)]
pub(super) struct Upper {
    /// Each with the formula that its rules are.
    pub(super) atoms: IndexMap<TermId, Formula, FxBuildHasher>,
    pub(super) concepts: IndexSet<TermId, FxBuildHasher>,
    /// By concept.
    pub(super) subgames: Vec<usize>,
}

/// Variables of one fluent that get values.
const MAX_VARIABLES: usize = 8;

/// Atoms above the concepts.
const MAX_ATOMS: usize = 4096;

/// What is looked at to find concepts.
pub(super) struct Search<'s, 'a> {
    pub(super) reading: &'s mut Reading<'a>,
    pub(super) facts: &'s mut Facts<'a>,
    pub(super) domains: &'s Domains,
    pub(super) structure: &'s Structure,
    pub(super) grain: &'s Grain,
    pub(super) callees: Callees,
}

impl Upper {
    /// The concepts, in the order in which they were met.
    pub(super) fn list(&self) -> Vec<Concept> {
        let concepts = self.concepts.iter().zip(&self.subgames);
        let concepts = concepts.map(|(&atom, &subgame)| Concept { atom, subgame });
        concepts.collect()
    }

    /// Walks down from an atom, which gets a formula over the concepts below.
    ///
    /// # Errors
    /// [`Refusal`], with the atom that stands in the way.
    pub(super) fn expand(
        &mut self,
        search: &mut Search<'_, '_>,
        root: TermId,
    ) -> Result<usize, Refusal> {
        let root = search.reading.canonical(root);
        if let Some(place) = self.atoms.get_index_of(&root) {
            return Ok(place);
        }
        let (place, _) = self.atoms.insert_full(root, Formula::Constant(false));
        let mut next = place;
        // Atoms that are met on the way come behind; those in front are done.
        while let Some((&atom, _)) = self.atoms.get_index(next) {
            let formula = self.definition(search, atom)?;
            self.atoms[next] = formula;
            next += 1;
            if self.atoms.len() > MAX_ATOMS {
                return Err(Refusal::Atoms(atom));
            }
        }
        Ok(place)
    }

    /// What the rules for an atom say.
    fn definition(
        &mut self,
        search: &mut Search<'_, '_>,
        atom: TermId,
    ) -> Result<Formula, Refusal> {
        let Some(functor) = search.reading.store.functor(atom) else {
            return Ok(Formula::Constant(false));
        };
        if search.reading.is_recursive(functor) {
            return Err(Refusal::Recursion(atom));
        }
        let mut ways = Vec::new();
        for rule in search.reading.definition(functor).to_vec() {
            let (facts, domains) = (&mut *search.facts, search.domains);
            for instance in instances(search.reading, facts, domains, rule, atom, false)? {
                let mut parts = Vec::new();
                for condition in instance.body {
                    parts.push(self.formula(search, condition)?);
                }
                ways.push(Formula::All(parts));
            }
        }
        Ok(Formula::Any(ways))
    }

    /// A condition as a formula. Nesting of connectives is bounded by the engine's check.
    fn formula(
        &mut self,
        search: &mut Search<'_, '_>,
        condition: TermId,
    ) -> Result<Formula, Refusal> {
        Ok(match Literal::of(search.reading.store, condition) {
            Literal::Distinct(left, right) => Formula::Constant(left != right),
            Literal::Not(inner) => Formula::Not(Box::new(self.formula(search, inner)?)),
            Literal::Or(parts) => Formula::Any(self.formulas(search, parts.to_vec())?),
            Literal::And(parts) => Formula::All(self.formulas(search, parts.to_vec())?),
            Literal::Call(atom) => self.call(search, atom)?,
        })
    }

    fn formulas(
        &mut self,
        search: &mut Search<'_, '_>,
        parts: Vec<TermId>,
    ) -> Result<Vec<Formula>, Refusal> {
        let parts = parts.into_iter();
        parts.map(|part| self.formula(search, part)).collect()
    }

    fn call(&mut self, search: &mut Search<'_, '_>, atom: TermId) -> Result<Formula, Refusal> {
        let kind = search.reading.atom(atom);
        if kind == Atom::Fact {
            let found = search
                .facts
                .solutions(search.reading.store, atom, MAX_INSTANCES);
            let found = found.ok_or(Refusal::Instances(atom))?;
            return Ok(Formula::Constant(!found.is_empty()));
        }
        let atom = search.reading.canonical(atom);
        if let Some(place) = self.concepts.get_index_of(&atom) {
            return Ok(Formula::Concept(place));
        }
        let subgames = search.subgames(atom);
        match (&subgames[..], kind) {
            (&[subgame], _) => {
                let (place, is_new) = self.concepts.insert_full(atom);
                if is_new {
                    self.subgames.push(subgame);
                }
                Ok(Formula::Concept(place))
            }
            (_, Atom::Defined(_)) => {
                let place = match self.atoms.get_index_of(&atom) {
                    Some(place) => place,
                    None => self.atoms.insert_full(atom, Formula::Constant(false)).0,
                };
                Ok(Formula::Atom(place))
            }
            _ => self.values(search, atom),
        }
    }

    /// A fluent of several subgames: whether it holds for some values of one of its variables.
    fn values(&mut self, search: &mut Search<'_, '_>, atom: TermId) -> Result<Formula, Refusal> {
        let variables = search.reading.store.variables(atom);
        let Some(&variable) = variables
            .first()
            .filter(|_| variables.len() <= MAX_VARIABLES)
        else {
            return Err(Refusal::Variable(atom));
        };
        let values = values(search.reading, search.domains, atom, variable);
        let values = values.ok_or(Refusal::Variable(atom))?;
        let mut ways = Vec::new();
        for value in values {
            let mut binding = Substitution::default();
            binding.bind(variable, value);
            let instance = binding.apply(search.reading.store, atom);
            ways.push(self.call(search, instance)?);
        }
        Ok(Formula::Any(ways))
    }
}

impl Search<'_, '_> {
    /// The subgames with fluents below an atom, ascending; if there are several, perhaps not all.
    fn subgames(&mut self, atom: TermId) -> Vec<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let Self {
            reading,
            callees,
            structure,
            grain,
            ..
        } = self;
        callees.walk(reading, atom, &mut |reading, atom| {
            if let Atom::Fluent(fluent) = reading.atom(atom) {
                let places = grain.fluents.of_term(reading.store, fluent).into_iter();
                found.extend(places.map(|fluent| structure.subgame_of(fluent)));
            }
            match found.len() {
                0 | 1 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        found.into_iter().collect()
    }
}
