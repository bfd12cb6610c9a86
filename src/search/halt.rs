//! Why a search ends before it is done, whether it looks for plans or for what roles can force.

use thiserror::Error;

use crate::gdl::ReasonerError;
use crate::limits::StopReason;

/// Why a search ends before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Halt {
    /// So many states were computed as were allowed.
    #[error("limit of {0} computed states reached")]
    States(u64),
    /// The rules cannot be evaluated, or somebody stopped the search.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Halt::Reasoner(ReasonerError::Stopped(reason))
    }
}
