//! Rules that are grounded together with those of a game: questions about its states.

use crate::term::{Clause, PredicateSet};

/// What is grounded beside the rules of a game.
#[derive(Clone, Debug, Default)]
pub struct Extension {
    /// Rules of relations that the game does not have.
    pub rules: Vec<Clause>,
    /// The relations whose atoms are wanted as those of `next` are.
    pub wanted: PredicateSet,
}
