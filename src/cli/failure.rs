//! How a command ends when it cannot do what it was asked for.

use std::process::ExitCode;

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::{EdgeFault, TooFine};
use crate::circuit::PlanningError;
use crate::circuit::ground::GroundError;
use crate::cli::output::{self, error_line};
use crate::decomposition::Undecomposed;
use crate::fluent::{TheoryError, TranslationError};
use crate::gdl::{GameError, ReasonerError};
use crate::limits::StopReason;
use crate::search::Halt;
use crate::syntax::DiagnosticJson;
use crate::workbench::WorkbenchError;

/// The documented exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Done = 0,
    Negative = 1,
    Limit = 2,
    BadInput = 3,
    Internal = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
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

/// A failure as JSON, the only line on standard output unless a result stands there.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Report<'a> {
    error: ErrorReport<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ErrorReport<'a> {
    /// The exit code of the program.
    code: u8,
    /// `null` if the diagnostics say it all.
    message: Option<&'a str>,
    diagnostics: &'a [DiagnosticJson],
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

    /// The same, where a result on standard output says it as well.
    pub(super) fn reported(mut self) -> Self {
        self.is_reported = true;
        self
    }

    /// Says it as JSON on standard output, besides what people are told, unless a result does.
    pub(super) fn report_as_json(self) -> ExitCode {
        if self.exit != Exit::Done && !self.is_reported {
            let message = Some(self.message.as_str());
            let error = ErrorReport {
                code: self.exit as u8,
                message: message.filter(|message| !message.is_empty()),
                diagnostics: &self.diagnostics,
            };
            // Nobody is left to tell if this fails.
            let _ = output::json(&Report { error });
        }
        self.report()
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

    pub(super) fn report(self) -> ExitCode {
        if !self.message.is_empty() {
            error_line(&self.message);
        }
        self.exit.into()
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

impl From<ReasonerError> for Failure {
    fn from(error: ReasonerError) -> Self {
        match error {
            ReasonerError::Stopped(reason) => reason.into(),
            ReasonerError::NegativeLoop { .. } | ReasonerError::CodeTooLarge { .. } => {
                Self::bad_input(error.to_string())
            }
        }
    }
}

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

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Evaluation(error) => error.into(),
            GameError::Rules(error) => Self::bad_input(error.to_string()),
        }
    }
}

impl From<GroundError> for Failure {
    fn from(error: GroundError) -> Self {
        match error {
            GroundError::Evaluation(error) => error.into(),
            GroundError::Rules(error) => Self::bad_input(error.to_string()),
            GroundError::TooLarge { .. } => Self::new(
                Exit::Limit,
                format!(
                    "{error}; --max-rules of `flux ground` allows for more, the other engines need none"
                ),
            ),
            GroundError::TooManyAlternatives { .. }
            | GroundError::Unbound { .. }
            | GroundError::TooMuchWork => Self::new(
                Exit::Limit,
                format!("{error}; the other engines need none of it"),
            ),
        }
    }
}

impl From<TranslationError> for Failure {
    fn from(error: TranslationError) -> Self {
        match error {
            TranslationError::Game(error) => error.into(),
            TranslationError::Reasoner(error) => error.into(),
            TranslationError::Theory(TheoryError::Evaluation(error)) => error.into(),
        }
    }
}

impl From<WorkbenchError> for Failure {
    fn from(error: WorkbenchError) -> Self {
        match error {
            WorkbenchError::Game(error) => error.into(),
            WorkbenchError::Reasoner(error) => error.into(),
            WorkbenchError::Ground(error) => error.into(),
            WorkbenchError::Translation(error) => error.into(),
            WorkbenchError::TooFine(error) => error.into(),
            WorkbenchError::Undecomposed(error) => error.into(),
            WorkbenchError::Planning(PlanningError::Stopped(reason)) => reason.into(),
            other @ (WorkbenchError::Planning(PlanningError::TooLarge { .. })
            | WorkbenchError::Cases(_)
            | WorkbenchError::TooMany { .. }
            | WorkbenchError::TooManyGames { .. }) => Self::new(Exit::Limit, other.to_string()),
            other @ (WorkbenchError::Unplayable { .. }
            | WorkbenchError::TooComplex { .. }
            | WorkbenchError::Property(_)
            | WorkbenchError::Planning(_)
            | WorkbenchError::NotAMove { .. }
            | WorkbenchError::NotACondition { .. }
            | WorkbenchError::NoRole { .. }
            | WorkbenchError::Illegal { .. }
            | WorkbenchError::MoveCount { .. }
            | WorkbenchError::Uncertain(_)
            | WorkbenchError::SeveralRoles { .. }) => Self::bad_input(other.to_string()),
        }
    }
}

impl From<EdgeFault> for Failure {
    fn from(fault: EdgeFault) -> Self {
        Self::bad_input(fault.to_string())
    }
}

impl From<TooFine> for Failure {
    fn from(error: TooFine) -> Self {
        Self::new(
            Exit::Limit,
            format!("{error}; --level symbol or partial may do"),
        )
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
        Self::from(std::io::Error::from(error))
    }
}

impl From<Undecomposed> for Failure {
    fn from(error: Undecomposed) -> Self {
        Self::new(Exit::Limit, error.to_string())
    }
}
