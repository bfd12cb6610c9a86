//! The rules of a game as the analysis reads them: by predicate, renamed apart, with what their
//! atoms are.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::{Keyword, Keywords};
use crate::term::{
    Call, Clause, DependencyGraph, Functor, Literal, PredicateSet, Store, Substitution, TermId,
    calls, map_variables, rename,
};

/// What an atom of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomKind {
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
    /// What depends on the moves.
    moving: PredicateSet,
    /// What holds only if a move is made that its rules ask for.
    asking: FxHashSet<Functor>,
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
        let does = keywords.functor(Keyword::Does);
        let mut moving = graph.dependents([does]);
        moving.insert(does);
        let asking = asking(store, &keywords, rules, &definitions);
        Self {
            store,
            rules,
            keywords,
            definitions,
            graph,
            changing,
            moving,
            asking,
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
    pub(super) fn atom(&self, atom: TermId) -> AtomKind {
        let Some(functor) = self.store.functor(atom) else {
            return AtomKind::Fact;
        };
        match (self.keywords.predicate(functor), self.store.arguments(atom)) {
            (Some(Keyword::True), &[fluent]) => AtomKind::Fluent(fluent),
            (Some(Keyword::Does), &[role, mv]) => AtomKind::Move(role, mv),
            _ if self.changing.contains(&functor) => AtomKind::Defined(functor),
            _ => AtomKind::Fact,
        }
    }

    /// Whether the truth of an atom depends on the moves.
    pub(super) fn is_of_moves(&self, atom: TermId) -> bool {
        let functor = self.store.functor(atom);
        functor.is_some_and(|functor| self.moving.contains(&functor))
    }

    /// Whether an atom cannot hold unless a move is made that its rules ask for.
    pub(super) fn asks_for_move(&self, atom: TermId) -> bool {
        let functor = self.store.functor(atom);
        functor.is_some_and(|functor| self.asking.contains(&functor))
    }

    /// The atoms in the body of a rule where its head is an atom; nothing if they do not unify.
    pub(super) fn body(&mut self, rule: usize, atom: TermId) -> Option<Vec<Call>> {
        let (_, body) = self.resolvent(rule, atom, self.store.variable_bound(atom))?;
        Some(body)
    }

    /// The same, each with `of`, which shares its variables with the atom, under the unifier;
    /// variables are numbered from 0 in each pair.
    pub(super) fn resolve(
        &mut self,
        rule: usize,
        of: TermId,
        atom: TermId,
    ) -> Vec<(TermId, TermId)> {
        let bound = self.store.variable_bound(of);
        let fresh = bound.max(self.store.variable_bound(atom));
        let Some((unifier, body)) = self.resolvent(rule, atom, fresh) else {
            return Vec::new();
        };
        let of = unifier.apply(self.store, of);
        let pair = self.keywords.symbol(Keyword::And);
        let mut found = Vec::new();
        for call in body {
            // Made one term, so that both get the same numbers for the variables that they share.
            let both = self.store.compound(pair, &[of, call.atom]);
            let both = self.canonical(both);
            if let &[of, called] = self.store.arguments(both) {
                found.push((of, called));
            }
        }
        found
    }

    /// What makes the head of a rule an atom, and the atoms of its body then. Variables of the rule
    /// have numbers from `fresh` on.
    fn resolvent(
        &mut self,
        rule: usize,
        atom: TermId,
        fresh: u32,
    ) -> Option<(Substitution, Vec<Call>)> {
        let clause = &self.rules[rule];
        let head = rename(self.store, clause.head, fresh);
        let mut unifier = Substitution::default();
        if !unifier.unify(self.store, atom, head) {
            return None;
        }
        let mut body = Vec::new();
        for &condition in &clause.body {
            for call in calls(self.store, condition) {
                let atom = rename(self.store, call.atom, fresh);
                let atom = unifier.apply(self.store, atom);
                body.push(Call { atom, ..call });
            }
        }
        Some((unifier, body))
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

/// `does`, and the predicates all of whose rules ask for a move, by themselves or through others. A
/// proof is finite, so that a predicate that asks for one through itself does so in the end.
fn asking(
    store: &Store,
    keywords: &Keywords,
    rules: &[Clause],
    definitions: &FxHashMap<Functor, Vec<usize>>,
) -> FxHashSet<Functor> {
    // A greatest fixed point: all are assumed to ask for a move, and those are struck out that have a rule which does
    // not.
    let mut asking: FxHashSet<Functor> = definitions.keys().copied().collect();
    asking.insert(keywords.functor(Keyword::Does));
    loop {
        let asks = |&rule: &usize| {
            let mut body = rules[rule].body.iter();
            body.any(|&condition| asks(store, &asking, condition))
        };
        let others = definitions
            .iter()
            .filter(|(_, rules)| !rules.iter().all(asks));
        let others: Vec<Functor> = others.map(|(&predicate, _)| predicate).collect();
        let before = asking.len();
        others.iter().for_each(|predicate| {
            asking.remove(predicate);
        });
        if asking.len() == before {
            return asking;
        }
    }
}

/// Whether a condition asks for an atom of some predicates. Nesting of connectives is bounded by the
/// engine's check.
fn asks(store: &Store, predicates: &FxHashSet<Functor>, condition: TermId) -> bool {
    match Literal::of(store, condition) {
        Literal::Not(_) | Literal::Distinct(..) => false,
        // Every branch must ask for it; of a conjunction one part is enough.
        Literal::Or(branches) => branches
            .iter()
            .all(|&branch| asks(store, predicates, branch)),
        Literal::And(parts) => parts.iter().any(|&part| asks(store, predicates, part)),
        Literal::Call(atom) => {
            let functor = store.functor(atom);
            functor.is_some_and(|functor| predicates.contains(&functor))
        }
    }
}
