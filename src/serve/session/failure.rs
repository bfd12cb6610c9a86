//! Why a request cannot be done, from what the layers below say.

use crate::analysis::TooFine;
use crate::fluent::TranslationError;
use crate::gdl::{GameError, ReasonerError};
use crate::limits::StopReason;
use crate::serve::protocol::{Code, Failure};
use crate::workbench::{ErrorKind, WorkbenchError};

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        let code = match reason {
            StopReason::Interrupted => Code::Cancelled,
            StopReason::Complete
            | StopReason::AnswerLimit(_)
            | StopReason::StepLimit(_)
            | StopReason::JointMoveLimit(_)
            | StopReason::TimeLimit
            | StopReason::MemoryLimit => Code::Limit,
        };
        Self::new(code, stopped(reason))
    }
}

/// What ended work, in words.
pub(super) fn stopped(reason: StopReason) -> String {
    // This reason stands for Ctrl-C elsewhere; here it is a request that was cancelled.
    if reason == StopReason::Interrupted {
        return "cancelled".to_owned();
    }
    reason.to_string()
}

impl From<WorkbenchError> for Failure {
    fn from(error: WorkbenchError) -> Self {
        if let Some(reason) = error.stopped() {
            return reason.into();
        }
        let code = match error.kind() {
            ErrorKind::Unplayable => Code::NotPlayable,
            ErrorKind::Move => Code::IllegalMove,
            ErrorKind::Limit => Code::Limit,
            ErrorKind::Rules | ErrorKind::Text | ErrorKind::Unsuitable => Code::BadInput,
        };
        Self::new(code, error.to_string())
    }
}

impl From<ReasonerError> for Failure {
    fn from(error: ReasonerError) -> Self {
        WorkbenchError::from(error).into()
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        WorkbenchError::from(error).into()
    }
}

impl From<TranslationError> for Failure {
    fn from(error: TranslationError) -> Self {
        WorkbenchError::from(error).into()
    }
}

impl From<TooFine> for Failure {
    fn from(error: TooFine) -> Self {
        WorkbenchError::from(error).into()
    }
}
