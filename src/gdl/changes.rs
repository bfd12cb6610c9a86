//! Rules of change: predicates that say which fluents a joint move ends and which it brings about.
//!
//! They are the executable form of what a translation found. Those of one role's action have the
//! arguments of the action and then the fluent; those of every joint move have the fluent alone.
//! What an action changes whatever the state is found out once for each move.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::vocabulary::{FluentId, MoveId};
use crate::term::{Clause, Functor, TermId};

/// A predicate of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The role, by number, and the function of its move; none: every joint move.
    pub cause: Option<(usize, Functor)>,
    /// Whether the fluents begin to hold; otherwise they cease to.
    pub begins: bool,
    /// Whether the answers depend on nothing but the move.
    pub is_fixed: bool,
    /// The predicate; its last argument is the fluent, those before are the arguments of the move.
    pub predicate: Functor,
}

/// Rules that say what changes.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The rules of the predicates.
    pub rules: Vec<Clause>,
    /// The predicates.
    pub predicates: Vec<Change>,
}

/// The changes of the moves that were met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownChanges {
    by_cause: IndexMap<Option<(usize, Functor)>, Vec<Change>, FxBuildHasher>,
    /// For each role, by move.
    moves: Vec<Vec<Option<Arc<MoveChanges>>>>,
}

/// What one role's move changes.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveChanges {
    /// Fluents that end whatever the state is.
    pub(super) ends: Vec<FluentId>,
    /// Fluents that begin whatever the state is.
    pub(super) begins: Vec<FluentId>,
    /// What must be asked in each state.
    pub(super) asked: Vec<Change>,
    /// The arguments of the move.
    pub(super) arguments: Vec<TermId>,
}

impl KnownChanges {
    pub(super) fn new(predicates: &[Change], roles: usize) -> Self {
        let mut by_cause: IndexMap<_, Vec<Change>, _> = IndexMap::default();
        for &change in predicates {
            by_cause.entry(change.cause).or_default().push(change);
        }
        Self {
            by_cause,
            moves: vec![Vec::new(); roles],
        }
    }

    /// The predicates of a cause.
    pub(super) fn of(&self, cause: Option<(usize, Functor)>) -> &[Change] {
        self.by_cause.get(&cause).map_or(&[], Vec::as_slice)
    }

    /// What is known of a role's move.
    pub(super) fn get(&self, role: usize, mv: MoveId) -> Option<Arc<MoveChanges>> {
        self.moves[role].get(mv.index())?.clone()
    }

    /// Keeps what was found out about a role's move.
    pub(super) fn insert(&mut self, role: usize, mv: MoveId, changes: Arc<MoveChanges>) {
        let known = &mut self.moves[role];
        if mv.index() >= known.len() {
            known.resize(mv.index() + 1, None);
        }
        known[mv.index()] = Some(changes);
    }

    /// The predicates.
    pub(super) fn predicates(&self) -> impl Iterator<Item = Functor> {
        self.by_cause
            .values()
            .flatten()
            .map(|change| change.predicate)
    }
}
