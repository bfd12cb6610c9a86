//! The rules of a game as the analysis reads them: by predicate, renamed apart, with what their
//! atoms are.

use rustc_hash::FxHashMap;

use crate::gdl::{Keyword, Keywords};
use crate::term::{
    Call, Clause, DependencyGraph, Functor, PredicateSet, Store, Substitution, TermId, calls,
    map_variables, rename,
};

/// What an atom of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// `true(f)`: the fluent.
    Fluent(TermId),
    /// `does(r, m)`: the role and the move.
    Move(TermId, TermId),
    /// Defined by rules; what follows from it never changes.
    Fact,
    /// Defined by rules and dependent on the state or the moves.
    Defined(Functor),
}

/// Rules by predicate.
pub(super) struct Reading<'a> {
    pub(super) store: &'a mut Store,
    pub(super) rules: &'a [Clause],
    pub(super) keywords: Keywords,
    definitions: FxHashMap<Functor, Vec<usize>>,
    graph: DependencyGraph,
    /// What depends on the state or the moves.
    changing: PredicateSet,
}

impl<'a> Reading<'a> {
    /// Sorts the rules by predicate.
    pub(super) fn new(store: &'a mut Store, rules: &'a [Clause]) -> Self {
        let keywords = Keywords::of(store);
        let graph = DependencyGraph::of(store, rules);
        let mut definitions: FxHashMap<Functor, Vec<usize>> = FxHashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            if let Some(functor) = store.functor(rule.head) {
                definitions.entry(functor).or_default().push(index);
            }
        }
        let inputs = [Keyword::True, Keyword::Does].map(|word| keywords.functor(word));
        let mut changing = graph.dependents(inputs);
        changing.extend(inputs);
        Self {
            store,
            rules,
            keywords,
            definitions,
            graph,
            changing,
        }
    }

    /// The rules of a predicate, by index, in the order of the text.
    pub(super) fn definition(&self, predicate: Functor) -> &[usize] {
        self.definitions.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// Whether a predicate calls itself, perhaps through others.
    pub(super) fn is_recursive(&self, predicate: Functor) -> bool {
        self.graph.is_recursive(predicate)
    }

    /// What an atom of a body is.
    pub(super) fn atom(&self, atom: TermId) -> Atom {
        let Some(functor) = self.store.functor(atom) else {
            return Atom::Fact;
        };
        match (self.keywords.predicate(functor), self.store.arguments(atom)) {
            (Some(Keyword::True), &[fluent]) => Atom::Fluent(fluent),
            (Some(Keyword::Does), &[role, mv]) => Atom::Move(role, mv),
            _ if self.changing.contains(&functor) => Atom::Defined(functor),
            _ => Atom::Fact,
        }
    }

    /// The atoms in the body of a rule where its head is an atom; nothing if they do not unify.
    pub(super) fn body(&mut self, rule: usize, atom: TermId) -> Option<Vec<Call>> {
        let clause = &self.rules[rule];
        let offset = self.store.variable_bound(atom);
        let head = rename(self.store, clause.head, offset);
        let mut unifier = Substitution::default();
        if !unifier.unify(self.store, atom, head) {
            return None;
        }
        let mut body = Vec::new();
        for &condition in &clause.body {
            for call in calls(self.store, condition) {
                let atom = rename(self.store, call.atom, offset);
                let atom = unifier.apply(self.store, atom);
                body.push(Call { atom, ..call });
            }
        }
        Some(body)
    }

    /// The atoms in the body of a rule where its head is `current`, each with `of`, which shares its
    /// variables with `current`, under the unifier; variables are numbered from 0 in each pair.
    pub(super) fn resolve(
        &mut self,
        rule: usize,
        of: TermId,
        current: TermId,
    ) -> Vec<(TermId, TermId)> {
        let clause = &self.rules[rule];
        let bounds = [of, current].map(|term| self.store.variable_bound(term));
        let offset = bounds[0].max(bounds[1]);
        let head = rename(self.store, clause.head, offset);
        let mut unifier = Substitution::default();
        if !unifier.unify(self.store, current, head) {
            return Vec::new();
        }
        let of = unifier.apply(self.store, of);
        let pair = self.keywords.symbol(Keyword::And);
        let mut found = Vec::new();
        for &condition in &clause.body {
            for call in calls(self.store, condition) {
                let atom = rename(self.store, call.atom, offset);
                let atom = unifier.apply(self.store, atom);
                let both = self.store.compound(pair, &[of, atom]);
                let both = self.canonical(both);
                if let &[of, atom] = self.store.arguments(both) {
                    found.push((of, atom));
                }
            }
        }
        found
    }

    /// The term with its variables numbered from 0 in order of occurrence: terms that differ in
    /// the names of variables only become the same.
    pub(super) fn canonical(&mut self, term: TermId) -> TermId {
        let mut count = 0;
        map_variables(self.store, term, |store, _| {
            count += 1;
            store.variable(count - 1)
        })
    }
}
