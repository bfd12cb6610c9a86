//! The rules of each predicate.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::term::{Clause, Functor, Store};

/// The rules of each predicate.
pub(super) type Definitions<'r> = IndexMap<Functor, Vec<&'r Clause>, FxBuildHasher>;

/// Rules by predicate.
pub(super) fn definitions<'r>(store: &Store, rules: &'r [Clause]) -> Definitions<'r> {
    let mut definitions = Definitions::default();
    for rule in rules {
        if let Some(head) = store.functor(rule.head) {
            definitions.entry(head).or_default().push(rule);
        }
    }
    definitions
}
