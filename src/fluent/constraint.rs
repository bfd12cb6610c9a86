//! Domain constraints: what holds in every reachable state.

use crate::term::{Functor, Store, TermId};

/// A law of all reachable states.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constraint {
    /// Two instances of the fluent that agree at the positions of the key are equal. An empty key
    /// says that at most one instance holds.
    Functional {
        /// The fluent function.
        fluent: Functor,
        /// Argument positions from 0, ascending.
        key: Vec<usize>,
        /// If there is one, the law is about instances with this constant at this position only.
        only: Option<(usize, TermId)>,
    },
    /// No instance of one fluent holds together with an instance of the other that agrees with it
    /// at the paired positions.
    Exclusive {
        /// One fluent function.
        one: Functor,
        /// The other.
        other: Functor,
        /// Pairs of argument positions of the first and the second.
        key: Vec<(usize, usize)>,
    },
    /// For every instance that holds at the start there is one that agrees with it at the
    /// positions of the key. An empty key says that some instance holds.
    Some {
        /// The fluent function.
        fluent: Functor,
        /// Argument positions from 0, ascending.
        key: Vec<usize>,
    },
}

impl Constraint {
    /// Whether two fluents, in either order, are an instance of what the constraint excludes; and
    /// if they may be, which terms must be equal for both to hold.
    pub(super) fn between(
        &self,
        store: &Store,
        left: TermId,
        right: TermId,
    ) -> Option<Vec<(TermId, TermId)>> {
        let functors = (store.functor(left)?, store.functor(right)?);
        let (some, others) = (store.arguments(left), store.arguments(right));
        match self {
            Constraint::Functional { fluent, key, only } => {
                let agree = functors == (*fluent, *fluent)
                    && only.is_none_or(|(at, term)| some[at] == term && others[at] == term)
                    && key.iter().all(|&at| some[at] == others[at]);
                agree.then(|| some.iter().copied().zip(others.iter().copied()).collect())
            }
            Constraint::Exclusive { .. } | Constraint::Some { .. } => None,
        }
    }

    /// Whether two fluents, in this order, cannot hold together.
    pub(super) fn excludes(&self, store: &Store, left: TermId, right: TermId) -> bool {
        let Constraint::Exclusive { one, other, key } = self else {
            return false;
        };
        store.functor(left) == Some(*one)
            && store.functor(right) == Some(*other)
            && key
                .iter()
                .all(|&(i, j)| store.arguments(left)[i] == store.arguments(right)[j])
    }
}
