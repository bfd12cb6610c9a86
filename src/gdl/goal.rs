//! Roles and their payoffs.

use crate::term::{Store, Term, TermId};

/// A player, by position in [`crate::gdl::Game::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u32);

/// A payoff, 0..=100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalValue(pub u8);

impl GoalValue {
    /// No payoff is higher.
    pub const MOST: u8 = 100;

    /// The payoff of so many points.
    pub fn new(points: i64) -> Option<Self> {
        let points = u8::try_from(points).ok();
        points.filter(|points| *points <= Self::MOST).map(Self)
    }

    /// The payoff that a term stands for.
    pub fn of(store: &Store, term: TermId) -> Option<Self> {
        match store.view(term) {
            Term::Integer(points) => Self::new(points),
            Term::Variable(_)
            | Term::Atom(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => None,
        }
    }
}

/// What the rules say about a role's payoff in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One value.
    Value(GoalValue),
    /// None: the rules are silent.
    Absent,
    /// Several, which contradict each other; in order of discovery.
    Contradictory(Vec<TermId>),
    /// A term that is no whole number in 0..=100.
    NotAValue(TermId),
}

impl Goal {
    /// The value, if there is exactly one.
    pub fn value(&self) -> Option<GoalValue> {
        match self {
            Goal::Value(value) => Some(*value),
            Goal::Absent | Goal::Contradictory(_) | Goal::NotAValue(_) => None,
        }
    }
}
