//! Conditions that are added to many conjunctions, prepared once.

use std::rc::Rc;

use crate::fluent::condition::Condition;
use crate::term::Store;

/// A condition that is added to many conjunctions.
#[derive(Clone, Debug)]
pub(super) enum Stated {
    /// An atom that holds, or an equation.
    Positive(Condition),
    /// Another one.
    Negative(Rc<NegatedCondition>),
}

impl Stated {
    /// The conditions, to be added again and again.
    pub(super) fn all(store: &Store, conditions: &[Condition]) -> Rc<[Stated]> {
        let stated = conditions.iter().map(|condition| match condition {
            Condition::Holds(_) | Condition::Equal(..) => Stated::Positive(condition.clone()),
            Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
                Stated::Negative(NegatedCondition::of(store, condition.clone()).into())
            }
        });
        stated.collect()
    }
}

/// A condition that is no atom that holds, with its variables.
#[derive(Debug)]
pub(super) struct NegatedCondition {
    pub(super) condition: Condition,
    pub(super) variables: Vec<u32>,
    /// See [`Condition::size`].
    pub(super) size: u64,
}

impl NegatedCondition {
    pub(super) fn of(store: &Store, condition: Condition) -> Self {
        Self {
            variables: condition.variables(store),
            size: condition.size(),
            condition,
        }
    }
}
