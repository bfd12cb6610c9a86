//! Limits on an evaluation, and the reasons for which one ends before it is complete.
//!
//! The library has no clock and no memory meter of its own: whoever calls it hands in a
//! [`StopFlag`] and raises it from a timer, a memory watch or a Ctrl-C handler. The evaluators
//! poll the flag every few thousand steps and count steps and answers themselves.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why an evaluation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// Nothing is left to find.
    Complete,
    /// So many answers were found as were asked for.
    AnswerLimit(u64),
    /// So many resolution steps were made as were allowed.
    StepLimit(u64),
    /// The time ran out (raised by the caller).
    TimeLimit,
    /// The memory ran out (raised by the caller, or an own bound on stacks and tables).
    MemoryLimit,
    /// Somebody pressed Ctrl-C (raised by the caller).
    Interrupted,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Complete => f.write_str("complete"),
            StopReason::AnswerLimit(n) => write!(f, "limit of {n} answers reached"),
            StopReason::StepLimit(n) => write!(f, "limit of {n} steps reached"),
            StopReason::TimeLimit => f.write_str("time limit reached"),
            StopReason::MemoryLimit => f.write_str("memory limit reached"),
            StopReason::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// A switch that stops evaluations from outside; clones share the switch.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicU8>);

impl StopFlag {
    /// Asks for a stop. The first reason stays until [`StopFlag::clear`].
    pub fn raise(&self, reason: StopReason) {
        let code = match reason {
            StopReason::TimeLimit => 1,
            StopReason::MemoryLimit => 2,
            StopReason::Complete
            | StopReason::AnswerLimit(_)
            | StopReason::StepLimit(_)
            | StopReason::Interrupted => 3,
        };
        // A second reason is of no use: whoever raised the first is answered with it.
        let _ = self
            .0
            .compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Takes the request back.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The reason for which to stop, if any.
    pub fn raised(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::TimeLimit),
            2 => Some(StopReason::MemoryLimit),
            _ => Some(StopReason::Interrupted),
        }
    }
}

/// What one evaluation may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Resolution steps (calls of predicates); none means no bound.
    pub steps: Option<u64>,
    /// Answers to give; none means all.
    pub answers: Option<u64>,
    /// Bytes that stacks, tables and terms of the evaluator may take; none means no bound.
    pub bytes: Option<usize>,
    /// Stops from outside.
    pub stop: StopFlag,
}
