//! Why a game has no ground form, and why an attempt at one ended.

use thiserror::Error;

use crate::rules::{EvaluationError, RulesError};
use crate::term::PredicateSet;

/// Why a game has no ground form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroundError {
    /// The rules are not safe.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// What depends on no state could not be evaluated, or somebody asked for a stop.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A rule has so many `or` that it is thousands of rules.
    #[error("a rule has too many alternatives")]
    TooManyAlternatives {
        /// Index of the clause.
        clause: usize,
    },
    /// A rule binds its variables in no order in which its conditions can be asked.
    #[error("a rule asks a question that has no end of answers")]
    Unbound {
        /// Index of the clause.
        clause: usize,
    },
    /// Joining the rules, or evaluating what depends on no state, would take too long for what the
    /// instances that are allowed are worth.
    #[error("grounding the rules takes too much work")]
    TooMuchWork,
    /// There are more instances than are allowed.
    #[error("the rules have more than {limit} instances")]
    TooLarge {
        /// Instances that are allowed.
        limit: usize,
    },
}

/// Why an attempt to ground a game ended.
pub(super) enum Obstacle {
    /// Predicates have very many instances, and were not restricted to what is asked for.
    Crowds(PredicateSet),
    Error(GroundError),
}

impl<E: Into<GroundError>> From<E> for Obstacle {
    fn from(error: E) -> Self {
        Obstacle::Error(error.into())
    }
}
