//! What is proposed: what is shown, and what is written in its place.

use crate::syntax::Span;

/// What kind of thing is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A variable of the sentence.
    Variable,
    /// A role.
    Role,
    /// A constant.
    Constant,
    /// A fluent.
    Fluent,
    /// A move.
    Move,
    /// Another function.
    Function,
    /// A relation of the game.
    Relation,
    /// A reserved word.
    Keyword,
}

/// A piece of what is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it is.
    Text(String),
    /// Something that is to be replaced, with what stands there meanwhile.
    Hole(String),
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is proposed, as it is shown and as it is searched for.
    pub label: String,
    /// What kind of thing it is. They are in the order in which they are proposed.
    pub kind: CompletionKind,
    /// A few words more.
    pub detail: String,
    /// What is written.
    pub pieces: Vec<Piece>,
}

/// What can stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The word that is being written, which is replaced.
    pub word: Span,
    /// The proposals, best kinds first, each kind in the order of the text.
    pub all: Vec<Completion>,
}
