//! What a play is worth to a role: a payoff, or less than any.

use crate::circuit::{Circuit, Signal};
use crate::gdl::{Game, Goal, GoalValue, Keyword, Keywords};
use crate::term::Store;

/// What a play is worth to a role. A play without end, without a legal move or without a payoff has no value,
/// which is less than every payoff.
///
/// ```
/// use flux::gdl::GoalValue;
/// use flux::search::versus::Worth;
/// assert!(Worth::NONE < Worth::of(GoalValue(0)));
/// assert_eq!(Worth::of(GoalValue(50)).value(), Some(GoalValue(50)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(
    /// Zero, or the payoff plus one.
    u8,
);

impl Worth {
    /// No value.
    pub const NONE: Self = Self(0);
    /// The highest payoff.
    pub const MOST: Self = Self(GoalValue::MOST + 1);

    /// A payoff.
    pub fn of(value: GoalValue) -> Self {
        Self(value.0 + 1)
    }

    /// The payoff, if it is one.
    pub fn value(self) -> Option<GoalValue> {
        self.0.checked_sub(1).map(GoalValue)
    }

    /// The payoff as a number, if it is one; for what is written to files.
    pub(super) fn points(self) -> Option<u8> {
        self.value().map(|value| value.0)
    }

    /// The worth of which [`Worth::points`] are such; none if there is no such payoff.
    pub(super) fn of_points(points: Option<u8>) -> Option<Self> {
        match points {
            None => Some(Self::NONE),
            Some(value) => (value <= GoalValue::MOST).then(|| Self::of(GoalValue(value))),
        }
    }

    /// What the rules say about an end.
    pub(super) fn of_goal(goal: &Goal) -> Self {
        goal.value().map_or(Self::NONE, Self::of)
    }

    /// The greatest that is less; none for [`Worth::NONE`].
    pub(super) fn below(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// All payoffs, the highest first.
    pub(super) fn payoffs() -> impl Iterator<Item = Self> {
        (Self::NONE.0 + 1..=Self::MOST.0).rev().map(Self)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a role can force: at least this, and at most that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// It can force so much, whatever the others do.
    pub at_least: Worth,
    /// The others can keep it from more.
    pub at_most: Worth,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Self = Self {
        at_least: Worth::NONE,
        at_most: Worth::MOST,
    };

    /// Bounds that meet.
    pub fn exactly(worth: Worth) -> Self {
        Self {
            at_least: worth,
            at_most: worth,
        }
    }

    /// What both of two bounds say.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            at_least: self.at_least.max(other.at_least),
            at_most: self.at_most.min(other.at_most),
        }
    }

    /// Whether the bounds meet.
    pub fn is_exact(self) -> bool {
        self.at_least == self.at_most
    }
}

/// The greatest possible payoff that a bound allows.
pub(super) fn snapped(values: &[Worth], at_most: Worth) -> Worth {
    let possible = values.iter().rev().find(|&&value| value <= at_most);
    possible.copied().unwrap_or(Worth::NONE)
}

/// What bounds of one of two roles say of the other, if the payoffs of all ends have a sum.
pub(super) fn mirrored((bounds, sum): (Bounds, u32), values: &[Worth]) -> Bounds {
    let rest = |worth: Worth| {
        let value = sum.checked_sub(u32::from(worth.value()?.0))?;
        u8::try_from(value)
            .ok()
            .map(|value| Worth::of(GoalValue(value)))
    };
    // That a role has at most the highest payoff says nothing of how the play ends.
    let is_kept = bounds.at_most < Worth::MOST;
    let at_least = rest(snapped(values, bounds.at_most)).filter(|_| is_kept);
    Bounds {
        at_least: at_least.unwrap_or(Worth::NONE),
        at_most: rest(bounds.at_least).unwrap_or(Worth::MOST),
    }
}

/// The payoffs that the rules name for any role, ascending; all payoffs if some rule leaves the value open.
pub fn named_values(game: &Game, store: &mut Store) -> Vec<GoalValue> {
    let keywords = Keywords::of(store);
    let heads = game.clauses().iter().map(|clause| clause.head);
    let goals = heads.filter(|&head| {
        let functor = store.functor(head);
        functor.is_some_and(|functor| keywords.is(functor, Keyword::Goal))
    });
    let named: Option<Vec<GoalValue>> = goals
        .map(|goal| match store.arguments(goal) {
            &[_, value] => GoalValue::of(store, value),
            _ => None,
        })
        .collect();
    distinct(named.unwrap_or_else(|| (0..=GoalValue::MOST).map(GoalValue).collect()))
}

/// The payoffs that some role may get, ascending: those that are left of the rules once they are grounded, so that a value that
/// a rule computes is one of few, not of all.
pub(super) fn payable_values(circuit: &Circuit) -> Vec<GoalValue> {
    let payoffs = circuit.goals.iter().flatten();
    let payable = payoffs.filter(|payoff| payoff.signal != Signal::FALSE);
    distinct(payable.filter_map(|payoff| payoff.value).collect())
}

fn distinct(mut values: Vec<GoalValue>) -> Vec<GoalValue> {
    values.sort_unstable();
    values.dedup();
    values
}
