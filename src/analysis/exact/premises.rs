//! What is assumed of a state and a joint move: invariants, no end yet, one legal move a role.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::sat::{Encoding, Literal, Solver, at_most_one, not_both};
use crate::circuit::{Circuit, Signal};
use crate::fluent::{Constraint, GameAxioms};
use crate::term::{Functor, Store, TermId};

/// The literals of fluents that agree in some arguments, by these.
type Groups = IndexMap<Vec<TermId>, Vec<Literal>, FxBuildHasher>;

/// Writes requirements for a solver.
pub(super) struct Premises<'p> {
    pub(super) store: &'p Store,
    pub(super) axioms: &'p GameAxioms,
    pub(super) circuit: &'p Circuit,
    pub(super) solver: &'p mut Solver,
    pub(super) encoding: &'p mut Encoding,
}

impl Premises<'_> {
    /// Requires what always holds where a move is made. For every invariant there is a literal that has
    /// to be assumed, so that it can be told which ones were of use.
    pub(super) fn require(mut self) -> Vec<Literal> {
        self.moves();
        let terminal = self.literal(self.circuit.terminal);
        self.solver.require([!terminal]);
        let fluents = self.fluents();
        let constraints = self.axioms.constraints.iter();
        constraints
            .map(|constraint| {
                let condition = self.solver.variable();
                self.constraint(condition, constraint, &fluents);
                condition
            })
            .collect()
    }

    fn literal(&mut self, signal: Signal) -> Literal {
        let gates = &self.circuit.gates;
        self.encoding.literal(self.solver, gates, signal)
    }

    /// Every role makes exactly one move, which is legal.
    fn moves(&mut self) {
        for moves in &self.circuit.moves {
            let mut choices = Vec::with_capacity(moves.len());
            for mv in moves {
                let (made, legal) = (self.literal(mv.made), self.literal(mv.legal));
                self.solver.require([!made, legal]);
                choices.push(made);
            }
            self.solver.require(choices.iter().copied());
            let always = self.solver.truth();
            at_most_one(self.solver, always, &choices);
        }
    }

    /// The fluents that may hold, by function.
    fn fluents(&mut self) -> FxHashMap<Functor, Vec<(TermId, Literal)>> {
        let mut found: FxHashMap<Functor, Vec<(TermId, Literal)>> = FxHashMap::default();
        for fluent in &self.circuit.fluents {
            if let Some(functor) = self.store.functor(fluent.term)
                && fluent.holds != Signal::FALSE
            {
                let literal = self.literal(fluent.holds);
                found
                    .entry(functor)
                    .or_default()
                    .push((fluent.term, literal));
            }
        }
        found
    }

    fn constraint(
        &mut self,
        condition: Literal,
        constraint: &Constraint,
        fluents: &FxHashMap<Functor, Vec<(TermId, Literal)>>,
    ) {
        let store = self.store;
        let of = |fluent: &Functor| fluents.get(fluent).map_or(&[][..], Vec::as_slice);
        match constraint {
            Constraint::Functional { fluent, key, only } => {
                let is_meant = |&&(term, _): &&(TermId, Literal)| {
                    only.is_none_or(|(at, value)| store.arguments(term).get(at) == Some(&value))
                };
                let instances = of(fluent).iter().filter(is_meant);
                for group in groups(store, instances, key.iter().copied()).values() {
                    at_most_one(self.solver, condition, group);
                }
            }
            Constraint::Exclusive { one, other, key } => {
                let left = groups(store, of(one).iter(), key.iter().map(|pair| pair.0));
                let right = groups(store, of(other).iter(), key.iter().map(|pair| pair.1));
                for (terms, some) in &left {
                    if let Some(others) = right.get(terms) {
                        not_both(self.solver, condition, some, others);
                    }
                }
            }
            Constraint::Some { fluent, key } => {
                let initial = self.axioms.initial.iter();
                let initial = initial.filter(|&&term| store.functor(term) == Some(*fluent));
                let groups = groups(store, of(fluent).iter(), key.iter().copied());
                let mut starts: IndexMap<Vec<TermId>, (), FxBuildHasher> = IndexMap::default();
                starts.extend(initial.map(|&term| (project(store, term, key.iter().copied()), ())));
                for terms in starts.keys() {
                    let group = groups.get(terms).into_iter().flatten().copied();
                    self.solver.require(group.chain([!condition]));
                }
            }
        }
    }
}

/// Fluents put together that agree in the arguments at some positions.
fn groups<'f>(
    store: &Store,
    fluents: impl Iterator<Item = &'f (TermId, Literal)>,
    positions: impl Iterator<Item = usize> + Clone,
) -> Groups {
    let mut groups = Groups::default();
    for &(term, literal) in fluents {
        let terms = project(store, term, positions.clone());
        groups.entry(terms).or_default().push(literal);
    }
    groups
}

/// The arguments at some positions.
fn project(store: &Store, term: TermId, positions: impl Iterator<Item = usize>) -> Vec<TermId> {
    let arguments = store.arguments(term);
    positions
        .filter_map(|at| arguments.get(at).copied())
        .collect()
}
