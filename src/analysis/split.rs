//! Which arguments to split: those that no rule lets interact.
//!
//! Arguments of fluents and actions that share a variable in some axiom belong together, so that
//! `mark(B,X,Y)` and `cell(B,X,Y,M)` have their boards in common. Such a class of arguments is worth
//! splitting if that makes independent subgames of what was one:
//!
//! ```text
//! mark(B,X,Y): − cell(B,X,Y,blank), + cell(B,X,Y,M)      boards: cell(1,…), mark(1,…) | cell(2,…), …
//! ```
//!
//! Source: \[G07, Section 6.1\] proposes to instantiate a subset of the arguments.

use indexmap::IndexMap;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::analysis::level::Name;
use crate::analysis::link::Links;
use crate::term::{Store, Term, TermId};

/// An argument of a fluent or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Argument {
    pub(super) is_action: bool,
    pub(super) name: Name,
    pub(super) index: usize,
}

/// Arguments that are split, or that belong together.
pub(super) type Arguments = FxHashSet<Argument>;

/// The classes of arguments that belong together, in order of first occurrence in the links.
pub(super) fn classes(store: &Store, links: &Links) -> Vec<Arguments> {
    let mut positions: IndexMap<Argument, (), FxBuildHasher> = IndexMap::default();
    let mut together = Vec::new();
    let pairs = links
        .links
        .iter()
        .map(|link| (link.fluent, link.action, true));
    let sources = links
        .sources
        .iter()
        .map(|&(fluent, other)| (fluent, Some(other), false));
    for (fluent, other, is_action) in pairs.chain(sources) {
        let mut holders: IndexMap<u32, usize, FxBuildHasher> = IndexMap::default();
        let terms = [(Some(fluent), false), (other, is_action)];
        for (term, is_action) in terms {
            let Some(term) = term else { continue };
            for (argument, variable) in arguments(store, term, is_action) {
                // An argument without a variable is a class of its own: no rule lets it interact with another one.
                let place = positions.insert_full(argument, ()).0;
                if let Some(variable) = variable {
                    // Arguments of one link with the same variable are joined, through the first of them.
                    let holder = *holders.entry(variable).or_insert(place);
                    together.push((holder, place));
                }
            }
        }
    }
    let mut union = UnionFind::new(positions.len());
    for (one, other) in together {
        union.union(one, other);
    }
    let mut classes: IndexMap<usize, Arguments, FxBuildHasher> = IndexMap::default();
    for (place, &argument) in positions.keys().enumerate() {
        classes
            .entry(union.find(place))
            .or_default()
            .insert(argument);
    }
    classes.into_values().collect()
}

/// The arguments of a term, with the variables that stand there.
fn arguments(store: &Store, term: TermId, is_action: bool) -> Vec<(Argument, Option<u32>)> {
    let Some(name) = Name::of(store, term) else {
        return Vec::new();
    };
    let arguments = store.arguments(term).iter().enumerate();
    let arguments = arguments.map(|(index, &argument)| {
        let variable = match store.view(argument) {
            Term::Variable(variable) => Some(variable),
            Term::Atom(_)
            | Term::Integer(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => None,
        };
        let argument = Argument {
            is_action,
            name,
            index,
        };
        (argument, variable)
    });
    arguments.collect()
}
