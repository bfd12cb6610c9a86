//! Goal values, the end and other atoms of a game as formulas, for those who ask for several of them.

use crate::analysis::analyze::Analysis;
use crate::analysis::call_graph::Callees;
use crate::analysis::concept::{Bottom, ConceptSearch, Upper};
use crate::analysis::conditions::Conditions;
use crate::analysis::facts::Facts;
use crate::analysis::heuristic::Heuristic;
use crate::analysis::reading::Reading;
use crate::analysis::refusal::Refusal;
use crate::analysis::roots::{Roots, worths};
use crate::fluent::GameAxioms;
use crate::gdl::Domains;
use crate::limits::Limits;
use crate::term::{Store, TermId};

/// The rules of a game, read to be told apart into formulas.
pub struct Formulas<'a> {
    reading: Reading<'a>,
    facts: Facts<'a>,
    domains: Domains,
    roles: &'a [TermId],
}

impl<'a> Formulas<'a> {
    /// Reads the rules.
    pub fn of(axioms: &'a GameAxioms, store: &'a mut Store, limits: &Limits) -> Self {
        let reading = Reading::new(store, &axioms.rules);
        Self {
            domains: Domains::of(reading.store, &reading.keywords, reading.rules),
            reading,
            facts: Facts::new(&axioms.rules, limits),
            roles: &axioms.roles,
        }
    }

    /// Goal values and end as formulas over the local concepts of both, or over single fluents if
    /// there are no concepts.
    ///
    /// # Errors
    /// [`Refusal`] if the goal values cannot be listed.
    pub fn conditions(&mut self, analysis: &Analysis) -> Result<Conditions, Refusal> {
        let (structure, grain) = (&analysis.structure, &analysis.grain);
        self.conditions_down_to(Bottom::Concepts(structure, grain))
            .or_else(|_| self.conditions_down_to(Bottom::Fluents(Some((structure, grain)))))
    }

    fn conditions_down_to(&mut self, bottom: Bottom<'_>) -> Result<Conditions, Refusal> {
        let terminal = Roots::of(&mut self.reading).terminal;
        let roles = self.roles;
        let mut search = self.search(bottom);
        let mut upper = Upper::default();
        let values = worths(&mut search, &mut upper, roles)?;
        let end = upper.expand(&mut search, terminal)?;
        Ok(Conditions::new(upper, end, values))
    }

    /// Some atoms as formulas over single fluents, as far as the rules can be told apart.
    ///
    /// # Errors
    /// [`Refusal`], with the atom that has too many instances.
    pub fn heuristic(&mut self, atoms: &[TermId]) -> Result<Heuristic, Refusal> {
        let mut search = self.search(Bottom::Fluents(None));
        let mut upper = Upper::default();
        let formulas = atoms
            .iter()
            .map(|&atom| Ok((atom, upper.read(&mut search, atom)?)));
        let formulas = formulas.collect::<Result<Vec<_>, _>>()?;
        Ok(Heuristic::of(&upper, &formulas))
    }

    fn search<'s>(&'s mut self, bottom: Bottom<'s>) -> ConceptSearch<'s, 'a> {
        ConceptSearch {
            reading: &mut self.reading,
            facts: &mut self.facts,
            domains: &self.domains,
            bottom,
            callees: Callees::default(),
        }
    }
}
