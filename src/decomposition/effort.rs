//! How much a decomposition may cost, and why there is none.

use std::fmt;

use crate::limits::StopReason;

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecompositionEffort {
    /// Variables at most.
    pub max_variables: usize,
    /// Operations that classifying the moves may take.
    pub max_operations: usize,
    /// Assignments that the solver may infer.
    pub max_assignments: u64,
    /// Those of them that the proof of the variables may take.
    pub max_induction: u64,
    /// Seed of the samples.
    pub seed: u64,
}

impl Default for DecompositionEffort {
    fn default() -> Self {
        Self {
            max_variables: 10_000,
            max_operations: 40_000_000_000,
            max_assignments: 50_000_000,
            max_induction: 50_000_000,
            seed: 1,
        }
    }
}

impl DecompositionEffort {
    /// For what is done by the way: a fraction of a second.
    pub fn moments() -> Self {
        Self {
            max_variables: 500,
            max_operations: 1_000_000_000,
            max_assignments: 2_000_000,
            max_induction: 1_000_000,
            ..Self::default()
        }
    }
}

/// What samples show of a game before anything but its variables is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Parts; there can only be fewer in the end.
    pub parts: usize,
    /// Phases, at least one.
    pub phases: usize,
    /// Whether a move of some role is one in several parts.
    pub is_compound: bool,
}

/// Why there is no decomposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecomposed {
    /// More variables than there may be; with more values than that, a variable counts as so many.
    TooManyVariables(usize),
    /// Moves and gates are too many to try each move in many states.
    TooManyMoves(usize),
    /// What samples show is not what is looked for; see [`decompose_if`](crate::decomposition::decompose_if).
    NotWanted,
    /// Something raised a stop, or the solver gave up on the variables.
    Stopped(&'static str, StopReason),
}

impl fmt::Display for Undecomposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no decomposition: ")?;
        match self {
            Undecomposed::TooManyVariables(number) => write!(f, "{number} variables are too many"),
            Undecomposed::TooManyMoves(number) => {
                write!(f, "{number} moves are too many to try all of them")
            }
            Undecomposed::NotWanted => write!(f, "samples show no such parts"),
            Undecomposed::Stopped(step, reason) => write!(f, "{step}: {reason}"),
        }
    }
}

impl std::error::Error for Undecomposed {}
