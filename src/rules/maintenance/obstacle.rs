//! Why a predicate is not maintained.

use thiserror::Error;

use crate::term::Functor;

/// Why a predicate is not maintained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// It depends on the moves made.
    #[error("it depends on the moves made")]
    Moves,
    /// It calls a predicate that is neither maintained nor known once and for all.
    #[error("it calls a predicate that is not kept as facts")]
    Callee(Functor),
    /// The `or` of a rule multiply to too many branches.
    #[error("a rule has too many `or`")]
    TooManyBranches,
    /// A rule negates a conjunction with variables of its own.
    #[error("a rule negates a conjunction that has variables of its own")]
    NestedNegation,
    /// It depends on its own negation.
    #[error("it depends on its own negation")]
    NegativeRecursion,
    /// It has too many answers.
    #[error("it has too many answers")]
    TooManyRows,
    /// A change of state takes too much work.
    #[error("a change of state takes too much work")]
    TooMuchWork,
}

/// A predicate with the reason for which it is not maintained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{obstacle}")]
pub struct Unmaintained {
    /// The predicate.
    pub predicate: Functor,
    /// The reason.
    pub obstacle: Obstacle,
}

/// Why a change was not passed on to its end. The views are of no use then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Halt {
    /// This predicate should not be maintained.
    Refused(Unmaintained),
    /// Somebody raised the stop flag.
    Stopped,
}
