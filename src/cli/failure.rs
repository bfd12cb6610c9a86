//! How a command ends when it cannot do what it was asked for.

use crate::analysis::{EdgeFault, TooFine};
use crate::circuit::ground::GroundError;
use crate::decomposition::Undecomposed;
use crate::fluent::TranslationError;
use crate::gdl::{GameError, ReasonerError};
use crate::limits::StopReason;
use crate::search::Halt;
use crate::syntax::DiagnosticJson;
use crate::workbench::{ErrorKind, WorkbenchError};

/// The documented exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Done = 0,
    Negative = 1,
    Limit = 2,
    BadInput = 3,
    Internal = 4,
}

/// Why a command gave up.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    exit: Exit,
    /// Said on standard error; empty if everything was said before.
    message: String,
    /// The limit that was reached, and nothing else is to be said.
    limit: Option<StopReason>,
    /// What is wrong with a text, for programs; people were told.
    diagnostics: Vec<DiagnosticJson>,
    /// The result on standard output says it already.
    is_reported: bool,
}

impl Failure {
    pub(super) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            limit: None,
            diagnostics: Vec::new(),
            is_reported: false,
        }
    }

    pub(super) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Exit::BadInput, message)
    }

    /// The messages stand on standard error already.
    pub(super) fn told(exit: Exit) -> Self {
        Self::new(exit, "")
    }

    /// The same, with what is wrong with a text.
    pub(super) fn with(mut self, diagnostics: Vec<DiagnosticJson>) -> Self {
        self.diagnostics = diagnostics;
        self
    }

    /// The same, with more to be said.
    pub(super) fn and(mut self, more: &str) -> Self {
        self.message.push_str(more);
        self
    }

    /// The same, where a result on standard output says it as well.
    pub(super) fn reported(mut self) -> Self {
        self.is_reported = true;
        self
    }

    /// The code that a command ends with because of this; [`Exit::Done`] if nobody reads the
    /// results any more.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// The same in a dialogue, where limits are settings.
    pub(super) fn in_dialogue(mut self) -> Self {
        let Some(reason) = self.limit else {
            return self;
        };
        let setting = match reason {
            StopReason::StepLimit(_) => "; :set steps N allows for more",
            StopReason::TimeLimit => "; :set seconds S allows for more",
            StopReason::MemoryLimit => "; `flux repl --max-memory MB` allows for more",
            StopReason::Complete
            | StopReason::AnswerLimit(_)
            | StopReason::JointMoveLimit(_)
            | StopReason::Interrupted => "",
        };
        self.message = format!("{reason}{setting}");
        self
    }

    /// What is said on standard error.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// What is wrong with a text.
    pub(super) fn diagnostics(&self) -> &[DiagnosticJson] {
        &self.diagnostics
    }

    /// Whether a result on standard output says it already.
    pub(super) fn is_reported(&self) -> bool {
        self.is_reported
    }
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        let option = match reason {
            StopReason::StepLimit(_) => Some("--max-steps"),
            StopReason::TimeLimit => Some("--max-seconds"),
            StopReason::MemoryLimit => Some("--max-memory"),
            StopReason::Complete
            | StopReason::AnswerLimit(_)
            | StopReason::JointMoveLimit(_)
            | StopReason::Interrupted => None,
        };
        let more = option.map(|option| format!("; {option} allows for more"));
        let message = format!("{reason}{}", more.unwrap_or_default());
        Self {
            limit: Some(reason),
            ..Self::new(Exit::Limit, message)
        }
    }
}

impl From<WorkbenchError> for Failure {
    fn from(error: WorkbenchError) -> Self {
        if let Some(reason) = error.stopped() {
            return reason.into();
        }
        let exit = match error.kind() {
            ErrorKind::Limit => Exit::Limit,
            ErrorKind::Unplayable
            | ErrorKind::Rules
            | ErrorKind::Text
            | ErrorKind::Move
            | ErrorKind::Unsuitable => Exit::BadInput,
        };
        Self::new(exit, format!("{error}{}", way_out(&error)))
    }
}

/// Which option may help against an error, with a semicolon before it.
fn way_out(error: &WorkbenchError) -> &'static str {
    if let WorkbenchError::Ground(GroundError::TooLarge { .. }) = error {
        "; --max-rules of `flux ground` allows for more, the other engines need none"
    } else if let WorkbenchError::Ground(
        GroundError::TooManyAlternatives { .. }
        | GroundError::Unbound { .. }
        | GroundError::TooMuchWork,
    ) = error
    {
        "; the other engines need none of it"
    } else if let WorkbenchError::TooFine(_) = error {
        "; --level symbol or partial may do"
    } else {
        ""
    }
}

/// The errors of layers below, each by what kind it is of for the workbench.
macro_rules! as_of_workbench {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                WorkbenchError::from(error).into()
            }
        })*
    };
}

as_of_workbench!(
    ReasonerError,
    GameError,
    GroundError,
    TranslationError,
    TooFine,
    Undecomposed,
);

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Reasoner(error) => error.into(),
            Halt::States(_) => {
                let message = format!("{halt}; --max-states allows for more");
                Self::new(Exit::Limit, message)
            }
        }
    }
}

impl From<EdgeFault> for Failure {
    fn from(fault: EdgeFault) -> Self {
        Self::bad_input(fault.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        // A reader that has seen enough closes the pipe; that is no fault.
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::told(Exit::Done);
        }
        Self::new(Exit::Internal, format!("cannot write: {error}"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        // An error of the stream keeps its kind in this, so that a closed pipe is told from other faults.
        Self::from(std::io::Error::from(error))
    }
}
