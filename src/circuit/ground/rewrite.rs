//! Rules rewritten so that they have fewer instances: what is done about games with very many.

use crate::circuit::ground::catalogue::{self, Catalogue};
use crate::circuit::ground::demand::{Context, Demand, Wanted};
use crate::circuit::ground::inline::{Kind, inline};
use crate::circuit::ground::parameters::parameters;
use crate::circuit::ground::plain::PlainRules;
use crate::circuit::ground::split::Split;
use crate::circuit::ground::unfold::unfold;
use crate::term::{Clause, DependencyGraph, Functor, PredicateSet, Store, TermId};

/// Bindings of a game that is grounded without regard to what is asked for.
const MAX_LOOSE: usize = 150_000;

/// Bindings of a game before predicates are restricted to atoms that somebody asks for.
const MAX_ASKED: usize = 8_000_000;

/// What is done to have few instances: the predicates that were crowded in each attempt so far.
///
/// Nothing but splitting rules at first. After that rules are rewritten, and predicates are restricted to the
/// parameters that somebody asks for; some even to the atoms: those that depend on a crowded one that depends on
/// them, since what a predicate asks of itself hangs together, and all that are crowded even so.
#[derive(Default)]
pub(super) struct Effort(Vec<PredicateSet>);

impl Effort {
    /// More is done after an attempt in which predicates were crowded.
    pub(super) fn increase(&mut self, crowded: PredicateSet) {
        self.0.push(crowded);
    }

    /// Whether rules are rewritten.
    pub(super) fn is_some(&self) -> bool {
        !self.0.is_empty()
    }

    /// The predicates that nothing more can be done about.
    pub(super) fn restricted(&self) -> impl Iterator<Item = Functor> {
        self.0.iter().skip(1).flatten().copied()
    }

    /// The bindings that may be found before more is tried.
    pub(super) fn bindings(&self) -> usize {
        if self.is_some() { MAX_ASKED } else { MAX_LOOSE }
    }

    /// Whether a predicate is restricted to the atoms that somebody asks for.
    fn restricts(&self, graph: &DependencyGraph, predicate: Functor) -> bool {
        let recursive = |&functor: &Functor| graph.is_recursive(functor);
        let own = graph.component(predicate).filter(|_| recursive(&predicate));
        let with_it = |crowded: &PredicateSet| {
            let mut crowded = crowded.iter().copied().filter(recursive);
            // Recursive with a crowded predicate: the two are asked for together.
            crowded.any(|other| graph.component(other) == own)
        };
        let at_first = own.is_some() && self.0.first().is_some_and(with_it);
        at_first || self.restricted().any(|other| other == predicate)
    }
}

/// Rules that have fewer instances, with rules that say which of them are wanted.
pub(super) fn rewrite(
    store: &mut Store,
    rules: Vec<Clause>,
    program: &PlainRules<'_>,
    (catalogue, effort): (&Catalogue, &Effort),
) -> (Vec<Clause>, Vec<Clause>) {
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let is_asked = |functor: Functor| {
        catalogue.keywords.predicate(functor).is_some() || program.wanted.contains(&functor)
    };
    let is_static = |functor: Functor| catalogue.is_listed_always(functor);
    // Each pass works on the rules of the one before: differences first, since they tie variables together that
    // could be split; then negated predicates, which leave negated conjunctions; then parts that are tests.
    let rules = unfold(store, rules, program.rules, &is_listed);
    let rules = Split::named("piece", &is_listed).rules(store, rules);
    let dynamic = catalogue::dependents_of_state(store, &catalogue.keywords, &rules);
    let kind = |functor: Functor| match (dynamic.contains(&functor), is_asked(functor)) {
        (true, true) => Kind::Asked,
        (true, false) => Kind::Derived,
        (false, _) if is_static(functor) => Kind::Listed,
        (false, _) => Kind::Other,
    };
    let rules = inline(store, rules, &kind);
    let mut tests = PredicateSet::default();
    let split = Split {
        tests: Some(&mut tests),
        ..Split::named("test", &is_listed)
    };
    let rules = split.rules(store, rules);
    let mut wanted = parameters(store, &rules, &is_static);
    let graph = DependencyGraph::of(store, &rules);
    for &functor in graph.predicates() {
        // What a game is asked for is wanted as a whole.
        if is_asked(functor) {
            wanted.shift_remove(&functor);
        } else if tests.contains(&functor) || effort.restricts(&graph, functor) {
            wanted.insert(functor, Wanted::all_arguments(functor));
        }
    }
    let context = Context {
        is_listed: &is_listed,
        tests: &tests,
    };
    let demand = Demand::of(store, &rules, wanted, &context);
    let hints = Split::named("hint", &is_listed);
    (demand.rules, hints.rules(store, demand.hints))
}
