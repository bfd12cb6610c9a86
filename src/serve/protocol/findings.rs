//! What is found out about a whole game: its parts, pictures of them, random playouts, best play.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis;
use crate::serve::protocol::id::JointMove;

/// What the game is made of, as `flux analyze` says it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Analyzed {
    /// What `flux analyze --format json` prints.
    pub analysis: analysis::AnalysisReport,
}

/// A picture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Picture {
    /// As SVG, without scripts, styles from elsewhere, or links.
    pub svg: String,
    /// What is left out.
    pub note: Option<String>,
}

/// How random playouts went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Played {
    /// All of them: finished, cut and stuck.
    pub playouts: u64,
    /// Ended at a terminal state.
    pub finished: u64,
    /// Cut at a limit.
    pub cut: u64,
    /// Came to a state that is not terminal in which a role has no move.
    pub stuck: u64,
    /// Ended without a goal value for some role.
    pub undefined: u64,
    /// Ended with two goal values for some role.
    pub ambiguous: u64,
    /// Joint moves of finished playouts.
    pub mean_length: Option<f64>,
    /// By role.
    pub outcomes: IndexMap<String, Outcomes>,
    /// How long it took.
    pub seconds: f64,
    /// Why there are fewer than were asked for.
    pub stopped: Option<String>,
}

/// What a role got.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Outcomes {
    /// Playouts that give it a value.
    pub count: u64,
    /// The mean of these values.
    pub mean: Option<f64>,
    /// How often it was best, one of the best, not the best.
    pub win: u64,
    /// One of the best.
    pub draw: u64,
    /// Not the best.
    pub loss: u64,
}

/// Best play.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Solved {
    /// The number of the state.
    pub at: usize,
    /// By role, what it can force whatever the others do.
    pub values: IndexMap<String, ForcedValue>,
    /// Whether it is known exactly what all roles can force; by chance, where two with a constant sum choose at once.
    pub proved: bool,
    /// Joint moves of best play; null if none is known.
    pub line: Option<Vec<JointMove>>,
    /// States that were computed.
    pub states: u64,
    /// How it was found.
    pub algorithm: &'static str,
    /// How long it took.
    pub seconds: f64,
    /// What kept the search from its end.
    pub stopped: Option<String>,
}

/// Bounds of a goal value; null where nothing is known.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ForcedValue {
    /// The role can get so much.
    pub at_least: Option<u8>,
    /// The role cannot get more.
    pub at_most: Option<u8>,
}
