//! How a command that fails ends: what is told on which stream, and the exit code.

use std::process::ExitCode;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::failure::{Exit, Failure};
use crate::cli::messages::error_line;
use crate::cli::output;
use crate::syntax::DiagnosticJson;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A failure as JSON, the only line on standard output unless a result stands there.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(super) struct FailureReport<'a> {
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
    /// Says it as JSON on standard output, besides what people are told, unless a result does.
    pub(super) fn report_as_json(self) -> ExitCode {
        // `Done` is a closed pipe, in which nobody reads any more.
        if self.exit() != Exit::Done && !self.is_reported() {
            let message = Some(self.message());
            let error = ErrorReport {
                code: self.exit() as u8,
                message: message.filter(|message| !message.is_empty()),
                diagnostics: self.diagnostics(),
            };
            // A failure to write this is told by the exit code alone.
            let _ = output::json(&FailureReport { error });
        }
        self.report()
    }

    /// Says it on standard error.
    pub(super) fn report(self) -> ExitCode {
        if !self.message().is_empty() {
            error_line(self.message());
        }
        self.exit().into()
    }
}
