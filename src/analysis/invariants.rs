//! Invariants of a game as requirements on its ground fluents.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::circuit::sat::Requirement;
use crate::fluent::{Constraint, GameAxioms};
use crate::term::{Functor, Store, TermId};

/// Places of fluents that agree in some arguments, by these.
type Groups = IndexMap<Vec<TermId>, Vec<usize>, FxBuildHasher>;

/// What each constraint of the axioms requires of fluents, which are told apart by place.
pub(crate) fn requirements(
    store: &Store,
    axioms: &GameAxioms,
    fluents: &[TermId],
) -> Vec<Vec<Requirement>> {
    let mut by_function: IndexMap<Functor, Vec<(usize, TermId)>, FxBuildHasher> =
        IndexMap::default();
    for (place, &term) in fluents.iter().enumerate() {
        if let Some(functor) = store.functor(term) {
            by_function.entry(functor).or_default().push((place, term));
        }
    }
    let invariants = Invariants {
        store,
        initial: &axioms.initial,
        fluents: &by_function,
    };
    let constraints = axioms.constraints.iter();
    constraints.map(|one| invariants.of(one)).collect()
}

struct Invariants<'i> {
    store: &'i Store,
    initial: &'i [TermId],
    /// The fluents by function, with their places.
    fluents: &'i IndexMap<Functor, Vec<(usize, TermId)>, FxBuildHasher>,
}

impl Invariants<'_> {
    fn of(&self, constraint: &Constraint) -> Vec<Requirement> {
        match constraint {
            Constraint::Functional { fluent, key, only } => {
                let is_meant = |&(_, term): &(usize, TermId)| {
                    let arguments = self.store.arguments(term);
                    only.is_none_or(|(at, value)| arguments.get(at) == Some(&value))
                };
                let groups = self.groups(*fluent, is_meant, key.iter().copied());
                groups.into_values().map(Requirement::AtMostOne).collect()
            }
            Constraint::Exclusive { one, other, key } => {
                let left = self.groups(*one, |_| true, key.iter().map(|pair| pair.0));
                let right = self.groups(*other, |_| true, key.iter().map(|pair| pair.1));
                // Where one of the two has no instance for a key, nothing excludes anything.
                let both = left.into_iter().filter_map(|(terms, some)| {
                    let others = right.get(&terms)?.clone();
                    Some(Requirement::NotBoth(some, others))
                });
                both.collect()
            }
            Constraint::Some { fluent, key } => {
                let initial = self.initial.iter();
                let initial = initial.filter(|&&term| self.store.functor(term) == Some(*fluent));
                let groups = self.groups(*fluent, |_| true, key.iter().copied());
                // *Some instance holds* is proved for those values of the key that have one in the initial state.
                let mut starts: IndexMap<Vec<TermId>, (), FxBuildHasher> = IndexMap::default();
                let starting = initial.map(|&term| project(self.store, term, key.iter().copied()));
                starts.extend(starting.map(|terms| (terms, ())));
                let group = |terms| groups.get(terms).cloned().unwrap_or_default();
                starts.keys().map(group).map(Requirement::Some).collect()
            }
        }
    }

    /// Instances of a function put together that agree in the arguments at some positions.
    fn groups(
        &self,
        function: Functor,
        is_meant: impl Fn(&(usize, TermId)) -> bool,
        positions: impl Iterator<Item = usize> + Clone,
    ) -> Groups {
        let mut groups = Groups::default();
        let instances = self.fluents.get(&function).into_iter().flatten();
        for &(place, term) in instances.filter(|&instance| is_meant(instance)) {
            let terms = project(self.store, term, positions.clone());
            groups.entry(terms).or_default().push(place);
        }
        groups
    }
}

/// The arguments at some positions.
fn project(store: &Store, term: TermId, positions: impl Iterator<Item = usize>) -> Vec<TermId> {
    let arguments = store.arguments(term);
    positions
        .filter_map(|at| arguments.get(at).copied())
        .collect()
}
