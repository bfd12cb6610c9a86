//! States that were visited, as answers have them.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::protocol::id::JointMove;

/// A state that was visited, and the way to it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Position {
    /// The number of the state.
    pub at: usize,
    /// The state before; null for the initial one.
    pub before: Option<usize>,
    /// The joint move that led here.
    pub moves: Option<JointMove>,
    /// What that changed.
    pub changes: Option<Changes>,
    /// The visited states after this one, with the joint moves that lead there.
    pub after: Vec<Branch>,
    /// The number of joint moves made.
    pub step: usize,
    /// The fluents that hold.
    pub state: Vec<String>,
    /// By role, the legal moves.
    pub legal: IndexMap<String, Vec<String>>,
    /// Whether the game is over.
    pub terminal: bool,
    /// By role, the goal value of an end; null if the rules give it none or several.
    pub goals: Option<IndexMap<String, Option<u8>>>,
}

/// A visited state after another one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Branch {
    /// The number of the state.
    pub at: usize,
    /// The joint move that leads there.
    pub moves: JointMove,
}

/// The fluents that a joint move changed.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Changes {
    /// What holds no more.
    pub gone: Vec<String>,
    /// What holds now.
    pub come: Vec<String>,
}

/// The legal moves in a state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Legal {
    /// The number of the state.
    pub at: usize,
    /// By role.
    pub legal: IndexMap<String, Vec<String>>,
}
