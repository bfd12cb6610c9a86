//! Why rules cannot be evaluated, and why an evaluation ended early.

use thiserror::Error;

use crate::limits::StopReason;
use crate::term::Functor;

/// Why rules cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A variable of the head or of `distinct` is bound by no condition.
    #[error("a variable is bound by no condition")]
    Unsafe {
        /// Index of the clause.
        clause: usize,
        /// Number of the variable.
        variable: u32,
    },
    /// Connectives are nested too deep.
    #[error("connectives are nested deeper than {limit}")]
    NestedTooDeep {
        /// Index of the clause.
        clause: usize,
        /// Levels that are allowed.
        limit: usize,
    },
}

/// Why an evaluation ended before all answers were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A limit was reached or somebody interrupted.
    #[error("{0}")]
    Stopped(StopReason),
    /// An atom depends on its own negation, so that it is neither true nor false.
    #[error("an atom depends on its own negation")]
    NegativeLoop {
        /// The predicate of the atom.
        predicate: Functor,
    },
    /// The variables that several `or` of one rule share would multiply its code beyond bounds.
    #[error("a rule has too many `or` that share variables with other conditions")]
    CodeTooLarge {
        /// The predicate of the rule.
        predicate: Functor,
    },
}

impl From<StopReason> for EvaluationError {
    fn from(reason: StopReason) -> Self {
        EvaluationError::Stopped(reason)
    }
}
