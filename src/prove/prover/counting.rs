//! Linear equations over numbers of fluents: proved once, when something is open without them.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::Probe;
use crate::circuit::invariants::{ConjecturedEquations, EquationContext, conjectured_equations};
use crate::circuit::sat::{LinearEquation, LinearTerm, Requirement};
use crate::prove::check;
use crate::prove::prover::prepare::Prover;
use crate::prove::reachability::Reach;
use crate::term::{Prefix, Store};

/// Fluents of a sum that are named.
const MAX_NAMED: usize = 3;

impl Prover {
    /// Whether linear equations were looked for.
    pub(super) fn is_counted(&self) -> bool {
        self.known.as_ref().is_some_and(|one| one.is_counted)
    }

    /// Proves linear equations and has them confirmed; from then on they are required of all states. They make questions
    /// longer, so that they are for what is open without them.
    pub(super) fn count(&mut self) {
        if self.is_counted() || !self.confirms_requirements() {
            return;
        }
        // Half of what is left for each: the first one that is proved may need much that the others need as well.
        let mut steps = 2 * self.effort.assignments;
        let conjectured = self.conjectured_equations();
        if let (Some(known), false) = (&mut self.known, conjectured.equations.is_empty()) {
            let share = steps / 4;
            known.reachability.strengthen(conjectured.exclusions, share);
            steps -= share - known.reachability.left().min(share);
        }
        for equation in conjectured.equations {
            let Some(known) = &mut self.known else {
                return;
            };
            let share = steps / 2;
            let found = known.reachability.reach_change(&equation, share);
            steps -= share - known.reachability.left().min(share);
            match found {
                Reach::Never => self.require(equation),
                Reach::Play(_) => {}
                // What is hard for one is hard for the others.
                Reach::Open(_) => break,
            }
        }
        if let (Some(known), None) = (&mut self.known, self.limits.stop.raised()) {
            known.is_counted = true;
        }
    }

    /// Equations that hold in plays and are not known to hold in all states.
    fn conjectured_equations(&self) -> ConjecturedEquations {
        let Some(known) = &self.known else {
            return ConjecturedEquations::default();
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let mut probe = Probe::new(&self.circuit, &mut random);
        let context = EquationContext {
            circuit: &self.circuit,
            variables: &known.variables,
            plays: &known.plays,
            stop: &self.limits.stop,
        };
        let equations = conjectured_equations(context, &mut probe, &mut random);
        let mut conjectured = equations.unwrap_or_default();
        let equations = &mut conjectured.equations;
        equations.retain(|equation| !known.equations().any(|other| other == equation));
        conjectured
    }

    /// Requires an equation of all states, if the checker says that no move breaks it.
    fn require(&mut self, equation: LinearEquation) {
        let is_confirmed = self.with_invariant(|context, invariant| {
            check::are_conserved(context, invariant, std::slice::from_ref(&equation))
        });
        let Some(known) = self.known.as_mut().filter(|_| is_confirmed == Some(true)) else {
            return;
        };
        let places = equation.terms.iter().flat_map(|term| &term.places);
        let clocks = places
            .copied()
            .filter(|&place| known.plays.are_alike(place));
        let clocks: Vec<usize> = clocks.collect();
        let requirement = Requirement::Linear(equation);
        known.reachability.require(&requirement, &clocks);
        known.requirements.push(requirement);
    }

    /// What is known of numbers of fluents, in words.
    pub(super) fn equation_texts(&self, store: &Store) -> Vec<String> {
        let equations = self.known.iter().flat_map(|known| known.equations());
        equations
            .map(|one| self.equation_text(one, store))
            .collect()
    }

    fn equation_text(&self, equation: &LinearEquation, store: &Store) -> String {
        let [added, subtracted] = [false, true].map(|is_subtracted| {
            let terms = equation.terms.iter();
            let terms: Vec<&LinearTerm> = terms
                .filter(|term| term.is_subtracted == is_subtracted)
                .collect();
            let named = terms.iter().take(MAX_NAMED);
            let mut texts: Vec<String> = named.map(|term| self.term_text(term, store)).collect();
            match terms.len().saturating_sub(MAX_NAMED) {
                0 => {}
                more => texts.push(format!("… {more} more")),
            }
            texts.join(", ")
        });
        let than = match equation.constant {
            0 => "as many".to_owned(),
            more @ 1.. => format!("{more} more"),
            fewer => format!("{} fewer", fewer.unsigned_abs()),
        };
        let of = if equation.constant == 0 { "as" } else { "than" };
        format!("{than} of {added} {of} of {subtracted}")
    }

    /// The fluents that are counted as one.
    fn term_text(&self, term: &LinearTerm, store: &Store) -> String {
        let fluents = term.places.iter().map(|&place| {
            let fluent = Prefix::new(store, self.circuit.fluents[place].term);
            format!("(true {fluent})")
        });
        let fluents: Vec<String> = fluents.collect();
        match fluents.len() {
            1 => fluents.concat(),
            _ => format!("(or {})", fluents.join(" ")),
        }
    }
}
