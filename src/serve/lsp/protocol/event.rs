//! What arrives at the thread that holds the documents, and how it ends.

use crate::serve::lsp::protocol::study::StudyResult;
use crate::serve::lsp::protocol::transport::Incoming;
use crate::serve::protocol::Message;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client asked for the end before it left, as the protocol demands.
    Orderly,
    /// It left without a word, or the stream ended.
    Abrupt,
}

/// What the session waits for.
#[derive(Debug)]
pub(super) enum Event {
    Incoming(Incoming),
    /// A worker has found something out.
    Result(Box<StudyResult>),
    /// Who answers questions says something.
    Told(Box<Message>),
    /// The stream has ended.
    End,
}
