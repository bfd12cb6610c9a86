//! What can stand where somebody is writing: reserved words, relations, fluents and moves as patterns with holes for
//! their arguments, constants of the domain of the argument, the variables of the rule.
//!
//! The sentence that is being written is seldom in the tree, so that [`context`] reads the tokens up to the place;
//! [`candidates`] are chosen by what must stand there.

mod candidates;
mod context;

use crate::serve::lsp::sheet::{Knowledge, Sheet};
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

/// What can stand at an offset.
pub fn completions(sheet: &Sheet, knowledge: &Knowledge, offset: u32) -> Completions {
    let Some(context) = context::at(sheet, offset) else {
        return Completions::default();
    };
    let mut all = candidates::of(sheet, knowledge, &context);
    all.sort_by_key(|one| one.kind);
    Completions {
        word: context.word,
        all,
    }
}
