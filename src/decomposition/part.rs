//! The pieces that a game falls into, each with what depends on it and how sure that is.

use crate::decomposition::local::LocalMoves;

/// How sure a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No state is a counterexample, by SAT.
    Proved,
    /// Nothing is claimed: it is the whole game.
    Nothing,
    /// A counterexample names no other part, and no moves that were taken for alike.
    Open,
}

/// What depends on a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Whether the game is over.
    pub end: bool,
    /// The payoffs at the end.
    pub payoffs: bool,
    /// Which phase it is.
    pub phase: bool,
}

impl Use {
    /// Whether nothing depends on it.
    pub fn is_useless(self) -> bool {
        !(self.end || self.payoffs || self.phase)
    }
}

/// A part: a game of its own within the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The variables, by number, ascending.
    pub variables: Vec<usize>,
    /// By role, the moves that can be made in it.
    pub moves: Vec<LocalMoves>,
    /// The phase in which it is played, from 0, if there are several.
    pub phase: Option<usize>,
    /// What depends on it.
    pub useful: Use,
    /// That it is independent of the other parts.
    pub proof: Proof,
}

/// Variables that no move has an influence on: step counters, whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autonomous {
    /// The variables, by number, ascending.
    pub variables: Vec<usize>,
    /// What depends on it.
    pub useful: Use,
    /// That it depends on nothing else.
    pub proof: Proof,
}
