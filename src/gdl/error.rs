//! Why a game cannot be prepared for play, and why a question about a state has no answer.

use thiserror::Error;

use crate::rules::{EvaluationError, RulesError};

/// Why a reasoner gives no result: what keeps rules from being evaluated, or a stop that was asked for.
pub use crate::rules::EvaluationError as ReasonerError;

/// Why a game cannot be prepared for play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameError {
    /// The rules are not safe or nested too deep.
    #[error(transparent)]
    Rules(RulesError),
    /// What depends on no state could not be evaluated.
    #[error(transparent)]
    Evaluation(EvaluationError),
}

impl From<RulesError> for GameError {
    fn from(error: RulesError) -> Self {
        GameError::Rules(error)
    }
}

impl From<EvaluationError> for GameError {
    fn from(error: EvaluationError) -> Self {
        GameError::Evaluation(error)
    }
}
