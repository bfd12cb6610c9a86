//! Levels of detail: which fluents and actions are told apart.
//!
//! Source: \[G07, Definition 3.1\] for symbols, \[G07, Section 6.1\] for the finer levels.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::analysis::reading::Reading;
use crate::analysis::structure::{ActionNode, FluentNode, Grain};
use crate::fluent::GameAxioms;
use crate::gdl::{Domain, Domains};
use crate::term::{Functor, Store, Term, TermId};

/// What a fluent or move is told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Function(Functor),
    Constant(TermId),
    /// A variable may stand for any.
    Any,
}

impl Name {
    fn of(store: &Store, term: TermId) -> Self {
        match store.view(term) {
            Term::Compound(..) => store.functor(term).map_or(Name::Constant(term), Name::Function),
            Term::Variable(_) => Name::Any,
            Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Text(_) => {
                Name::Constant(term)
            }
        }
    }
}

/// The functions of fluents and moves, by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    fluents: IndexMap<Name, FluentNode, FxBuildHasher>,
    actions: IndexMap<Name, ActionNode, FxBuildHasher>,
}

impl Symbols {
    /// The fluents that the rules can make true and the moves that they can make legal.
    pub(super) fn of(reading: &mut Reading<'_>, domains: &Domains, axioms: &GameAxioms) -> Self {
        let mut symbols = Symbols::default();
        for pattern in patterns(reading, domains.fluents()) {
            let node = FluentNode {
                pattern,
                is_action_independent: false,
                is_rigid: false,
                in_goal: false,
                in_terminal: false,
            };
            symbols.fluents.entry(Name::of(reading.store, pattern)).or_insert(node);
        }
        for axiom in &axioms.preconditions {
            let pattern = reading.most_general(axiom.action);
            let node = symbols.actions.entry(Name::of(reading.store, pattern));
            let node = node.or_insert_with(|| ActionNode {
                pattern,
                roles: Vec::new(),
                is_noop: false,
            });
            if !node.roles.contains(&axiom.role) {
                node.roles.push(axiom.role);
            }
        }
        symbols
    }

    /// The nodes, in order of first occurrence.
    pub(super) fn nodes(&self) -> (Vec<FluentNode>, Vec<ActionNode>) {
        let fluents = self.fluents.values().cloned();
        let actions = self.actions.values().cloned();
        (fluents.collect(), actions.collect())
    }
}

/// The functions in a domain, applied to variables, and its constants.
fn patterns(reading: &mut Reading<'_>, domain: Domain<'_>) -> Vec<TermId> {
    let mut patterns: Vec<TermId> = Vec::new();
    for form in domain.forms() {
        let Functor { symbol, arity } = form.functor();
        let variables: Vec<TermId> = (0..arity).map(|n| reading.store.variable(n)).collect();
        patterns.push(reading.store.compound(symbol, &variables));
    }
    patterns.extend(domain.constants());
    patterns
}

impl Grain for Symbols {
    fn fluents(&self, store: &Store, term: TermId) -> Vec<usize> {
        match Name::of(store, term) {
            Name::Any => (0..self.fluents.len()).collect(),
            name => self.fluents.get_index_of(&name).into_iter().collect(),
        }
    }

    fn actions(&self, store: &Store, term: TermId) -> Vec<usize> {
        match Name::of(store, term) {
            Name::Any => (0..self.actions.len()).collect(),
            name => self.actions.get_index_of(&name).into_iter().collect(),
        }
    }
}
