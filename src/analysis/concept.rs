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

use crate::analysis::call_graph::{CallGraph, Callees};
use crate::analysis::facts::Facts;
use crate::analysis::formula::{Formula, callees_first};
use crate::analysis::instances::{HeadVariables, Instantiation, MAX_INSTANCES, values};
use crate::analysis::level::Grain;
use crate::analysis::reading::{AtomKind, Reading};
use crate::analysis::refusal::Refusal;
use crate::analysis::structure::Structure;
use crate::gdl::Domains;
use crate::term::{Functor, Literal, Substitution, TermId, may_match};

/// A local goal or terminal concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The atom; variables stand for some value.
    pub atom: TermId,
    /// The subgame whose fluents decide it.
    pub subgame: usize,
}

/// The part of the call graphs of goal and end that is above the concepts.
#[derive(Clone, Debug, Default)]
pub(super) struct Upper {
    /// The predicate that the concepts tell: that of the first root.
    root: Option<Functor>,
    /// Each with the formula that its rules are.
    pub(super) atoms: IndexMap<TermId, Formula, FxBuildHasher>,
    pub(super) concepts: IndexSet<TermId, FxBuildHasher>,
    /// By concept; none if several subgames decide it, or nobody asked.
    pub(super) subgames: Vec<Option<usize>>,
    /// So many atoms have their formulas.
    done: usize,
    /// Instances that were made, and conditions of all formulas together.
    work: usize,
}

/// Variables of one fluent that get values.
const MAX_VARIABLES: usize = 8;

/// Atoms above the concepts.
const MAX_ATOMS: usize = 4096;

/// Instances and conditions that are gone through to find concepts.
const MAX_WORK: usize = 2_000_000;

/// The same where everything is told down to the fluents; atoms beyond are not told apart.
const MAX_WORK_OF_FLUENTS: usize = 200_000;

/// What concepts are found from.
pub(super) struct ConceptSearch<'s, 'a> {
    pub(super) reading: &'s mut Reading<'a>,
    pub(super) facts: &'s mut Facts<'a>,
    pub(super) domains: &'s Domains,
    pub(super) bottom: Bottom<'s>,
    pub(super) callees: Callees,
}

/// How far down the call graph is walked.
#[derive(Clone, Copy)]
pub(super) enum Bottom<'s> {
    /// To atoms that depend on one subgame only.
    Concepts(&'s Structure, &'s Grain),
    /// To fluents, and to atoms that cannot be told apart further, with the subgames that decide
    /// them.
    Fluents(Option<(&'s Structure, &'s Grain)>),
}

impl Bottom<'_> {
    /// Instances and conditions that are gone through.
    fn most(self) -> usize {
        match self {
            Bottom::Concepts(..) => MAX_WORK,
            Bottom::Fluents(_) => MAX_WORK_OF_FLUENTS,
        }
    }
}

impl Upper {
    /// The atoms by place, each after those that its formula speaks of.
    pub(super) fn callees_first(&self) -> Vec<usize> {
        callees_first(self.atoms.len(), |atom| &self.atoms[atom])
    }

    /// The concepts, in the order in which they were met.
    pub(super) fn list(&self) -> Vec<Concept> {
        let concepts = self.concepts.iter().zip(&self.subgames);
        let concepts = concepts.filter_map(|(&atom, &subgame)| {
            Some(Concept {
                atom,
                subgame: subgame?,
            })
        });
        concepts.collect()
    }

    /// The subgames of the concepts.
    pub(super) fn owners(&self) -> Vec<usize> {
        self.subgames.iter().copied().flatten().collect()
    }

    /// Walks down from an atom, which gets a formula over the concepts below.
    ///
    /// # Errors
    /// [`Refusal`], with the atom that stands in the way.
    pub(super) fn expand(
        &mut self,
        search: &mut ConceptSearch<'_, '_>,
        root: TermId,
    ) -> Result<usize, Refusal> {
        let root = search.reading.canonical(root);
        self.root = self.root.or(search.reading.store.functor(root));
        let place = self.place(root);
        self.complete(search)?;
        Ok(place)
    }

    /// A condition as a formula over the concepts below.
    ///
    /// # Errors
    /// [`Refusal`], with the atom that stands in the way.
    pub(super) fn read(
        &mut self,
        search: &mut ConceptSearch<'_, '_>,
        condition: TermId,
    ) -> Result<Formula, Refusal> {
        let formula = self.formula(search, condition)?;
        self.complete(search)?;
        Ok(formula)
    }

    /// Gives all atoms their formulas. Atoms that are met on the way come behind; those in front
    /// are done.
    fn complete(&mut self, search: &mut ConceptSearch<'_, '_>) -> Result<(), Refusal> {
        while let Some((&atom, _)) = self.atoms.get_index(self.done) {
            // Down to the fluents nothing is refused: an atom that cannot be told apart is a leaf.
            let is_too_large = self.atoms.len() > MAX_ATOMS || self.work > search.bottom.most();
            let formula = if is_too_large {
                Err(Refusal::Atoms(atom))
            } else {
                self.definition(search, atom)
            };
            self.atoms[self.done] = match (formula, search.bottom) {
                (Err(_), Bottom::Fluents(_)) => self.leaf(search, atom),
                (formula, _) => formula?,
            };
            self.done += 1;
        }
        Ok(())
    }

    /// The place of an atom of the upper part.
    fn place(&mut self, atom: TermId) -> usize {
        match self.atoms.get_index_of(&atom) {
            Some(place) => place,
            None => self.atoms.insert_full(atom, Formula::Constant(false)).0,
        }
    }

    /// What the rules for an atom say.
    fn definition(
        &mut self,
        search: &mut ConceptSearch<'_, '_>,
        atom: TermId,
    ) -> Result<Formula, Refusal> {
        let Some(functor) = search.reading.store.functor(atom) else {
            return Ok(Formula::Constant(false));
        };
        // A formula cannot speak of itself; unfolded, it would have no end.
        if search.reading.is_recursive(functor) && search.calls_itself(atom) {
            return Err(Refusal::Recursion(atom));
        }
        // One of the rules, and in it all of its conditions: a disjunction of conjunctions.
        let mut ways = Vec::new();
        for rule in search.reading.definition(functor).to_vec() {
            let found = search
                .instantiation(HeadVariables::Shared, &mut self.work)
                .instances(rule, atom)?;
            for instance in found {
                let mut parts = Vec::new();
                self.work += instance.body.len();
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
        search: &mut ConceptSearch<'_, '_>,
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
        search: &mut ConceptSearch<'_, '_>,
        parts: Vec<TermId>,
    ) -> Result<Vec<Formula>, Refusal> {
        let parts = parts.into_iter();
        parts.map(|part| self.formula(search, part)).collect()
    }

    fn call(
        &mut self,
        search: &mut ConceptSearch<'_, '_>,
        atom: TermId,
    ) -> Result<Formula, Refusal> {
        let kind = search.reading.atom(atom);
        if kind == AtomKind::Fact {
            let found = search
                .facts
                .solutions(search.reading.store, atom, MAX_INSTANCES);
            // A fact is the same in all states, so that only whether it holds matters.
            let found = found.ok_or(Refusal::Instances(atom))?;
            return Ok(Formula::Constant(!found.is_empty()));
        }
        let atom = search.reading.canonical(atom);
        if let Some(place) = self.concepts.get_index_of(&atom) {
            return Ok(Formula::Concept(place));
        }
        // What concepts are to tell is none of them, even where another goal value asks for it.
        let is_root = search.reading.store.functor(atom) == self.root;
        // [G07, Algorithm 5.4]: one subgame below makes a concept (line 13), several lead further down (line 15).
        // DIVERGENCE: an atom without fluents is not discarded (line 12), but unfolded to a constant.
        if let Bottom::Concepts(structure, grain) = search.bottom
            && !is_root
            && let [subgame] = search.subgames(structure, grain, atom)[..]
        {
            let (place, is_new) = self.concepts.insert_full(atom);
            if is_new {
                self.subgames.push(Some(subgame));
            }
            return Ok(Formula::Concept(place));
        }
        match (kind, search.bottom) {
            (AtomKind::Defined(_), _) => Ok(Formula::Atom(self.place(atom))),
            (_, Bottom::Concepts(..)) => self.values(search, atom),
            (_, Bottom::Fluents(_)) => {
                let is_open = !search.reading.store.is_ground(atom);
                let values = is_open.then(|| self.values(search, atom));
                Ok(match values {
                    Some(Ok(values)) => values,
                    Some(Err(_)) | None => self.leaf(search, atom),
                })
            }
        }
    }

    /// An atom that nothing more is said of.
    fn leaf(&mut self, search: &mut ConceptSearch<'_, '_>, atom: TermId) -> Formula {
        let (place, is_new) = self.concepts.insert_full(atom);
        if is_new {
            let subgames = match search.bottom {
                Bottom::Concepts(structure, grain) | Bottom::Fluents(Some((structure, grain))) => {
                    search.subgames(structure, grain, atom)
                }
                Bottom::Fluents(None) => Vec::new(),
            };
            self.subgames.push(match subgames[..] {
                [subgame] => Some(subgame),
                _ => None,
            });
        }
        Formula::Concept(place)
    }

    /// A fluent of several subgames: whether it holds for some values of one of its variables.
    fn values(
        &mut self,
        search: &mut ConceptSearch<'_, '_>,
        atom: TermId,
    ) -> Result<Formula, Refusal> {
        let variables = search.reading.store.variables(atom);
        let Some(&variable) = variables
            .first()
            .filter(|_| variables.len() <= MAX_VARIABLES)
        else {
            return Err(Refusal::Variable(atom));
        };
        let values_of = |variable| values(search.reading, search.domains, atom, variable);
        let values = values_of(variable).ok_or(Refusal::Variable(atom))?;
        let instances = match search.bottom {
            // An instance may be a concept, whose other variables get no values.
            Bottom::Concepts(..) => values.len(),
            Bottom::Fluents(_) => variables
                .iter()
                .map_while(|&variable| values_of(variable))
                .fold(1, |product, values| values.len().saturating_mul(product)),
        };
        // Looked at before any is made, so that a fluent has all of its instances or is a leaf.
        if self.work.saturating_add(instances) > search.bottom.most() {
            return Err(Refusal::Atoms(atom));
        }
        self.work += values.len();
        let mut ways = Vec::new();
        for value in values {
            // ∃v. f(v) is f(a) ∨ f(b) ∨ …, one variable at a time: `call` comes back for the others.
            let mut binding = Substitution::default();
            binding.bind(variable, value);
            let instance = binding.apply(search.reading.store, atom);
            ways.push(self.call(search, instance)?);
        }
        Ok(Formula::Any(ways))
    }
}

impl<'a> ConceptSearch<'_, 'a> {
    /// What rules are instantiated with.
    pub(super) fn instantiation<'i>(
        &'i mut self,
        head: HeadVariables,
        work: &'i mut usize,
    ) -> Instantiation<'i, 'a> {
        Instantiation {
            reading: self.reading,
            facts: self.facts,
            domains: self.domains,
            head,
            work,
        }
    }

    /// Whether an atom is among those that call themselves below it. That a predicate is recursive
    /// does not say so: `goal(r,100)` may ask for `goal(r,0)`.
    fn calls_itself(&mut self, atom: TermId) -> bool {
        let graph = CallGraph::of(self.reading, atom);
        let store = &self.reading.store;
        let mut recursive = graph.recursive.iter();
        recursive.any(|node| may_match(store, graph.atoms[node.index()], atom))
    }

    /// The subgames with fluents below an atom, ascending; if there are several, perhaps not all.
    fn subgames(&mut self, structure: &Structure, grain: &Grain, atom: TermId) -> Vec<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let Self {
            reading, callees, ..
        } = self;
        callees.walk(reading, atom, &mut |reading, atom| {
            if let AtomKind::Fluent(fluent) = reading.atom(atom) {
                let places = grain.fluents.of_term(reading.store, fluent).into_iter();
                found.extend(places.map(|fluent| structure.subgame_of(fluent)));
            }
            match found.len() {
                // Two subgames are as many as any: neither one alone decides the atom.
                0 | 1 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        found.into_iter().collect()
    }
}
