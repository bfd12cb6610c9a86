//! What comes of a request, by its kind.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::protocol::boards::Boards;
use crate::serve::protocol::explanation::{Answers, Effects, Explained};
use crate::serve::protocol::findings::{Analyzed, Picture, Played, Solved};
use crate::serve::protocol::position::{Legal, Position};
use crate::syntax::DiagnosticJson;

/// What came of a request, by its kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Answer {
    /// Of `load`.
    Loaded(Loaded),
    /// Of `check`.
    Checked(Checked),
    /// Of `sheet`.
    Sheet(Sheet),
    /// Of `state`, `do`, `random`, `undo` and `go`.
    Position(Position),
    /// Of `legal`.
    Legal(Legal),
    /// Of `board`.
    Boards(Boards),
    /// Of `query`.
    Answers(Answers),
    /// Of `why`.
    Explained(Explained),
    /// Of `effects`.
    Effects(Effects),
    /// Of `analyze`.
    Analyzed(Analyzed),
    /// Of `picture`.
    Picture(Picture),
    /// Of `playout`.
    Played(Played),
    /// Of `solve`.
    Solved(Solved),
    /// Of `cancel`.
    Cancelled(Cancelled),
}

/// A game that is ready.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Loaded {
    /// What messages call the text.
    pub name: String,
    /// The roles, in the order of the rules.
    pub roles: Vec<String>,
    /// The number of rules.
    pub rules: usize,
    /// What answers questions about states.
    pub engine: &'static str,
    /// What is odd about the rules.
    pub diagnostics: Vec<DiagnosticJson>,
    /// The initial state.
    pub position: Position,
}

/// What is wrong with rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// Whether they can be played.
    pub ok: bool,
    /// All errors and the first warnings, in the order of the text.
    pub diagnostics: Vec<DiagnosticJson>,
}

/// The text of the rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sheet {
    /// What messages call it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Whether a request was stopped or kept from being begun.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cancelled {
    /// False if it was done before, or never was.
    pub cancelled: bool,
}
