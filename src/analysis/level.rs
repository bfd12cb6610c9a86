//! Levels of detail: which fluents and actions are told apart.
//!
//! At the level of *symbols*, that of the papers, a node is a function with all its instances. A
//! finer level splits some arguments: there is a node for each of their values. With all arguments
//! split every node is a ground term.
//!
//! ```text
//! symbol     cell/3                partial   cell(1,_,_)  cell(2,_,_)        ground   cell(1,1,x)  …
//! ```
//!
//! Source: \[G07, Definition 3.1\] for symbols; \[G07, Section 6.1\] asks for the others.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::gdl::Domain;
use crate::term::{Functor, Store, Term, TermId};

/// Fluents, and actions, of a level.
pub(super) const MAX_NODES: usize = 2000;

/// What a fluent or move is told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Name {
    Function(Functor),
    Constant(TermId),
}

impl Name {
    /// The name of a term; none for a variable, which may stand for any.
    pub(super) fn of(store: &Store, term: TermId) -> Option<Self> {
        match store.view(term) {
            Term::Compound(..) => store.functor(term).map(Name::Function),
            Term::Variable(_) => None,
            Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Big(_) | Term::Text(_) => {
                Some(Name::Constant(term))
            }
        }
    }
}

/// The values of the arguments that are split.
type Values = SmallVec<[TermId; 2]>;

/// The fluents, or the actions, that a level tells apart, by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Each with its term, in which variables stand for any value.
    patterns: IndexMap<(Name, Values), TermId, FxBuildHasher>,
    /// By name, the arguments that are split, ascending, and the values of each.
    splits: FxHashMap<Name, Vec<(usize, Vec<TermId>)>>,
    /// By name, its nodes.
    places: FxHashMap<Name, Vec<usize>>,
}

/// There are more nodes than were asked for, or more edges than can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Nodes {
    /// A node for each name, split at the arguments that `is_split` picks and whose values can be
    /// listed; at most so many.
    pub(super) fn of(
        store: &mut Store,
        names: &IndexSet<Name, FxBuildHasher>,
        domain: Domain<'_>,
        is_split: &dyn Fn(Name, usize) -> bool,
        most: usize,
    ) -> Result<Self, TooMany> {
        let mut nodes = Nodes::default();
        for &name in names {
            let splits = splits(domain, name, is_split);
            let count = splits.iter().map(|(_, values)| values.len());
            let count = count.fold(1usize, usize::saturating_mul);
            if nodes.patterns.len().saturating_add(count) > most {
                return Err(TooMany);
            }
            // The product of the values of all split arguments: {1, 2} × {a} gives (1, a) and (2, a).
            let mut rows: Vec<Values> = vec![Values::new()];
            for (_, values) in &splits {
                rows = rows
                    .iter()
                    .flat_map(|row| {
                        values
                            .iter()
                            .map(move |&value| [&row[..], &[value]].concat().into())
                    })
                    .collect();
            }
            for row in rows {
                let pattern = pattern(store, name, &splits, &row);
                let place = nodes.patterns.insert_full((name, row), pattern).0;
                nodes.places.entry(name).or_default().push(place);
            }
            nodes.splits.insert(name, splits);
        }
        Ok(nodes)
    }

    /// The terms of the nodes.
    pub(super) fn patterns(&self) -> impl Iterator<Item = TermId> {
        self.patterns.values().copied()
    }

    /// The nodes that have an instance in common with a term.
    pub(super) fn of_term(&self, store: &Store, term: TermId) -> Vec<usize> {
        let found = self.matching(store, term, &Bindings::new()).into_iter();
        found.map(|(place, _)| place).collect()
    }

    /// The same where some variables have values, each with the values that variables have then.
    fn matching(&self, store: &Store, term: TermId, given: &Bindings) -> Vec<(usize, Bindings)> {
        // A variable may be any fluent.
        let Some(name) = Name::of(store, term) else {
            return (0..self.patterns.len())
                .map(|place| (place, given.clone()))
                .collect();
        };
        let splits = self.splits.get(&name).map_or(&[][..], Vec::as_slice);
        let mut rows: Vec<(Values, Bindings)> = vec![(Values::new(), given.clone())];
        for (argument, values) in splits {
            let argument = store.arguments(term)[*argument];
            rows = rows
                .into_iter()
                .flat_map(|(row, bindings)| {
                    let choices = choices(store, argument, values, &bindings);
                    choices.into_iter().map(move |(value, bindings)| {
                        let mut row = row.clone();
                        row.push(value);
                        (row, bindings)
                    })
                })
                .collect();
        }
        let found = rows.into_iter().filter_map(|(row, bindings)| {
            // A value outside of the domain has no node: no state has such a fluent, and no role such a move.
            let place = self.patterns.get_index_of(&(name, row))?;
            Some((place, bindings))
        });
        found.collect()
    }
}

/// The values that an argument can have, each with the values that variables have then.
fn choices(
    store: &Store,
    argument: TermId,
    values: &[TermId],
    given: &Bindings,
) -> Vec<(TermId, Bindings)> {
    let Term::Variable(variable) = store.view(argument) else {
        // A compound term with variables may be any of the values.
        return if store.is_ground(argument) {
            vec![(argument, given.clone())]
        } else {
            values.iter().map(|&value| (value, given.clone())).collect()
        };
    };
    // A variable that occurs twice has one value, which may rule the node out.
    if let Some(&(_, value)) = given.iter().find(|(bound, _)| *bound == variable) {
        return vec![(value, given.clone())];
    }
    let bound = values.iter().map(|&value| {
        let mut bindings = given.clone();
        bindings.push((variable, value));
        (value, bindings)
    });
    bound.collect()
}

/// Values of variables.
type Bindings = SmallVec<[(u32, TermId); 4]>;

/// The arguments that are split, with their values.
fn splits(
    domain: Domain<'_>,
    name: Name,
    is_split: &dyn Fn(Name, usize) -> bool,
) -> Vec<(usize, Vec<TermId>)> {
    let Name::Function(functor) = name else {
        return Vec::new();
    };
    let Some(form) = domain.forms().find(|form| form.functor() == functor) else {
        return Vec::new();
    };
    let arguments = (0..functor.arity as usize).filter(|&argument| is_split(name, argument));
    let splits = arguments.filter_map(|argument| {
        let domain = form.argument(argument);
        let is_listed = domain.forms().next().is_none();
        is_listed.then(|| (argument, domain.constants().collect()))
    });
    splits.collect()
}

/// The term of a node: values where arguments are split, variables elsewhere.
fn pattern(store: &mut Store, name: Name, splits: &[(usize, Vec<TermId>)], row: &Values) -> TermId {
    let functor = match name {
        Name::Constant(term) => return term,
        Name::Function(functor) => functor,
    };
    let mut fresh = 0;
    let arguments: Vec<TermId> = (0..functor.arity as usize)
        .map(|argument| {
            let split = splits.iter().position(|&(split, _)| split == argument);
            split.map_or_else(
                || {
                    fresh += 1;
                    store.variable(fresh - 1)
                },
                |place| row[place],
            )
        })
        .collect();
    store.compound(functor.symbol, &arguments)
}

/// The nodes of a dependency graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Grain {
    pub(super) fluents: Nodes,
    pub(super) actions: Nodes,
}

impl Grain {
    /// The nodes, fluent and action, that a link between two terms is between: where they share a
    /// variable, both have its value.
    pub(super) fn pairs(
        &self,
        store: &Store,
        fluent: TermId,
        action: TermId,
    ) -> Vec<(usize, usize)> {
        joint(store, (&self.fluents, fluent), (&self.actions, action))
    }

    /// The same for two fluents.
    pub(super) fn fluent_pairs(
        &self,
        store: &Store,
        one: TermId,
        other: TermId,
    ) -> Vec<(usize, usize)> {
        joint(store, (&self.fluents, one), (&self.fluents, other))
    }
}

fn joint(store: &Store, left: (&Nodes, TermId), right: (&Nodes, TermId)) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (one, bindings) in left.0.matching(store, left.1, &Bindings::new()) {
        // With the values of the first in force: cell(B,…) and mark(B,…) are linked on the same board only.
        for (other, _) in right.0.matching(store, right.1, &bindings) {
            pairs.push((one, other));
        }
    }
    pairs
}
