//! Rules of change: predicates that say which fluents a joint move ends and which it brings about.
//!
//! They are the executable form of what a translation found. Those of one role's action have the
//! arguments of the action and then the fluent; those of a fluent have its arguments; those of
//! every joint move have the fluent that changes alone. What an action changes whatever the state
//! is, and what a fluent changes whatever is done, is found out once.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::state::State;
use crate::gdl::vocabulary::{FluentId, MoveId};
use crate::term::{Clause, Functor, TermId};

/// What brings a change about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Every joint move.
    Always,
    /// A role, by number, that makes a move of this function.
    Move(usize, Functor),
    /// A fluent of this function that holds, whatever else holds and whatever is done.
    Fluent(Functor),
}

/// A predicate of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What brings it about.
    pub cause: Cause,
    /// Whether the fluents begin to hold; otherwise they cease to.
    pub begins: bool,
    /// Whether the answers depend on nothing but the cause.
    pub is_fixed: bool,
    /// The predicate; its last argument is the fluent that changes, those before are the arguments
    /// of the cause.
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

/// The changes of the moves and fluents that were met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownChanges {
    by_cause: IndexMap<Cause, Vec<Change>, FxBuildHasher>,
    /// For each role, by move.
    moves: Vec<Vec<Option<MoveChanges>>>,
    fluents: Vec<Option<Fixed>>,
    /// The fluents that are known to change nothing.
    silent: State,
}

/// Changes that depend on nothing but their cause.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    pub(super) ends: Vec<FluentId>,
    pub(super) begins: Vec<FluentId>,
}

/// What one role's move changes.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveChanges {
    /// What it changes whatever the state is.
    pub(super) fixed: Fixed,
    /// What must be asked in each state.
    pub(super) asked: Vec<Change>,
    /// The arguments of the move.
    pub(super) arguments: Vec<TermId>,
}

impl KnownChanges {
    pub(super) fn new(predicates: &[Change], roles: usize) -> Self {
        let mut by_cause: IndexMap<Cause, Vec<Change>, FxBuildHasher> = IndexMap::default();
        for &change in predicates {
            by_cause.entry(change.cause).or_default().push(change);
        }
        Self {
            by_cause,
            moves: vec![Vec::new(); roles],
            ..Self::default()
        }
    }

    /// The predicates of a cause.
    pub(super) fn of(&self, cause: Cause) -> &[Change] {
        self.by_cause.get(&cause).map_or(&[], Vec::as_slice)
    }

    /// What is known of a role's move.
    pub(super) fn of_move(&self, role: usize, mv: MoveId) -> Option<&MoveChanges> {
        self.moves[role].get(mv.index())?.as_ref()
    }

    /// Keeps what was found out about a role's move.
    pub(super) fn insert_move(&mut self, role: usize, mv: MoveId, changes: MoveChanges) {
        put(&mut self.moves[role], mv.index(), changes);
    }

    /// The fluents of a state that change something, as far as is known.
    pub(super) fn causes<'s>(&'s self, state: &'s State) -> impl Iterator<Item = FluentId> + 's {
        // Whole words at a time: most fluents of a state change nothing by themselves.
        state.without(&self.silent)
    }

    /// What is known of a fluent.
    pub(super) fn of_fluent(&self, fluent: FluentId) -> Option<&Fixed> {
        self.fluents.get(fluent.index())?.as_ref()
    }

    /// Keeps what was found out about a fluent.
    pub(super) fn insert_fluent(&mut self, fluent: FluentId, changes: Fixed) {
        if changes.ends.is_empty() && changes.begins.is_empty() {
            self.silent.insert(fluent);
        }
        put(&mut self.fluents, fluent.index(), changes);
    }

    /// The predicates that are asked in each state.
    pub(super) fn predicates(&self) -> impl Iterator<Item = Functor> {
        let changes = self.by_cause.values().flatten();
        changes
            .filter(|change| !change.is_fixed)
            .map(|change| change.predicate)
    }
}

/// Puts something at a place of a list that grows as needed.
fn put<T: Clone>(list: &mut Vec<Option<T>>, at: usize, value: T) {
    if at >= list.len() {
        list.resize(at + 1, None);
    }
    list[at] = Some(value);
}
