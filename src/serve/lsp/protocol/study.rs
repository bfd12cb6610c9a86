//! What is studied of a document, and what comes of it: the messages to and from the threads that study.

use std::sync::Arc;

use crate::limits::StopFlag;
use crate::serve::lsp::sheet::{Domains, Effects, Start};
use crate::syntax::Diagnostic;

/// A version of a document that is to be studied.
#[derive(Debug)]
pub(super) struct StudyJob {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) text: String,
    /// Raised when there is a newer version.
    pub(super) stop: StopFlag,
}

/// What was found out about a version of a document.
#[derive(Debug)]
pub(super) struct StudyResult {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) found: StudyFinding,
}

/// What can be found out.
#[derive(Debug)]
pub(super) enum StudyFinding {
    Diagnostics(Vec<Diagnostic>),
    Domains(Arc<Domains>),
    Start(Arc<Start>),
    Effects(Arc<Effects>),
}
