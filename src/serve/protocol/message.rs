//! What is said about a request: its result, why there is none, or how far it is.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::protocol::answer::Answer;
use crate::serve::protocol::id::Id;
use crate::syntax::DiagnosticJson;

/// Something that is said about a request.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Message {
    /// It is done.
    Result {
        /// Of the request.
        id: Id,
        /// What came of it.
        result: Box<Answer>,
    },
    /// It cannot be done.
    Error {
        /// Of the request; null if it could not be read.
        id: Option<Id>,
        /// Why.
        error: Failure,
    },
    /// It is being done. Comes after a moment, and then again and again.
    Progress {
        /// Of the request.
        id: Id,
        /// How far it is.
        progress: Seen,
    },
}

/// Why a request cannot be done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// What kind of reason.
    pub code: Code,
    /// The reason in words.
    pub message: String,
    /// What is wrong with a text, and where.
    pub diagnostics: Vec<DiagnosticJson>,
}

impl Failure {
    /// A reason without places.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request is not one of the protocol.
    Malformed,
    /// Another request with this id is not done yet.
    IdInUse,
    /// No game was loaded.
    NoGame,
    /// The rules cannot be played.
    NotPlayable,
    /// A text, a number or a name in the request does not fit the game.
    BadInput,
    /// A move is not legal, is missing, or the game is over.
    IllegalMove,
    /// Time, memory or a size ran out.
    Limit,
    /// It was cancelled.
    Cancelled,
    /// A fault of this program.
    Internal,
}

/// How far work is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Seen {
    /// What is done, in a word.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// What is counted.
    pub unit: &'static str,
    /// Of how much, if that is known.
    pub total: Option<u64>,
    /// The best goal value found so far.
    pub best: Option<u8>,
}
