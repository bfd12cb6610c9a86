//! What can stand at the place of the cursor: reserved words, relations, fluents and moves as patterns with holes for
//! their arguments, constants of the domain of the argument, the variables of the rule.
//!
//! The sentence that is being written is seldom in the tree, so that [`context`] reads the tokens up to the place;
//! [`candidates`] are chosen by what must stand there.

mod candidates;
mod context;
mod proposal;

use crate::serve::lsp::sheet::{Knowledge, Sheet};

pub use proposal::{Completion, CompletionKind, Completions, Piece};

/// What can stand at an offset.
pub fn completions(sheet: &Sheet, knowledge: &Knowledge, offset: u32) -> Completions {
    let Some(context) = context::at(sheet, offset) else {
        return Completions::default();
    };
    let mut all = candidates::of(sheet, knowledge, &context);
    // The sort is stable: in each kind the order of the text stays.
    all.sort_by_key(|one| one.kind);
    Completions {
        word: context.word,
        all,
    }
}
