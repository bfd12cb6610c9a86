//! Limits on an evaluation, the reasons for which one ends before it is complete, and how far it is.
//!
//! The library has no clock and no memory meter of its own: whoever calls it hands in a
//! [`StopFlag`] and raises it from a timer, a memory watch or a Ctrl-C handler. The evaluators
//! poll the flag every few thousand steps and count steps and answers themselves. They say what they do and how much
//! of it is done, which costs a store now and then; nobody need look.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Why an evaluation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// Nothing is left to find.
    Complete,
    /// So many answers were found as were asked for.
    AnswerLimit(u64),
    /// So many resolution steps were made as were allowed.
    StepLimit(u64),
    /// So many joint moves, of a state or of a batch of states, are more than can be expanded at once.
    JointMoveLimit(u64),
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
            StopReason::JointMoveLimit(n) => {
                write!(f, "{n} joint moves at once are too many to expand them all")
            }
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
            | StopReason::JointMoveLimit(_)
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

    /// Stops if somebody asked for it.
    ///
    /// # Errors
    /// The reason for which to stop.
    pub fn poll(&self) -> Result<(), StopReason> {
        self.raised().map_or(Ok(()), Err)
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
    /// Where whoever works says how far it is.
    pub progress: Progress,
}

/// What is being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Nothing that takes long.
    #[default]
    Idle,
    /// The effects of moves are found; steps of inference are counted.
    Translating,
    /// Rules are made propositional; their instances are counted.
    Grounding,
    /// What a game is made of is found.
    Analysing,
    /// It is proved fluent by fluent that axioms and rules agree.
    Proving,
    /// States are looked at; they are counted.
    Comparing,
    /// Plans are looked for; computed states are counted.
    Searching,
    /// Playouts are made; they are counted.
    Playing,
}

const STAGES: [Stage; 8] = [
    Stage::Idle,
    Stage::Translating,
    Stage::Grounding,
    Stage::Analysing,
    Stage::Proving,
    Stage::Comparing,
    Stage::Searching,
    Stage::Playing,
];

impl Stage {
    /// What is done, in a word, and what is counted.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Stage::Idle => ("reading", ""),
            Stage::Translating => ("translating", "steps"),
            Stage::Grounding => ("grounding", "instances of rules"),
            Stage::Analysing => ("analysing", ""),
            Stage::Proving => ("proving", "fluents"),
            Stage::Comparing => ("comparing", "states"),
            Stage::Searching => ("searching", "states"),
            Stage::Playing => ("playing", "playouts"),
        }
    }
}

/// How far work is, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: u64,
    /// Of how much, if that is known.
    pub total: Option<u64>,
    /// The best goal value found so far, if there is one.
    pub best: Option<u8>,
}

/// How far work is; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    stage: Arc<AtomicU8>,
    done: Arc<AtomicU64>,
    /// Zero if it is not known.
    total: Arc<AtomicU64>,
    /// One more than the value, zero if there is none.
    best: Arc<AtomicU8>,
}

impl Progress {
    /// Something new begins, of so many parts if that is known.
    pub fn begin(&self, stage: Stage, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        self.best.store(0, Ordering::Relaxed);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// So much is done.
    pub fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// A plan of this value was found.
    pub fn found(&self, value: u8) {
        self.best.store(value.saturating_add(1), Ordering::Relaxed);
    }

    /// The number that says how much is done, for work on several threads.
    pub fn counter(&self) -> Arc<AtomicU64> {
        self.done.clone()
    }

    /// How far it is.
    pub fn seen(&self) -> Seen {
        let stage = usize::from(self.stage.load(Ordering::Relaxed));
        let total = self.total.load(Ordering::Relaxed);
        Seen {
            stage: STAGES.get(stage).copied().unwrap_or_default(),
            done: self.done.load(Ordering::Relaxed),
            total: Some(total).filter(|&total| total > 0),
            best: self.best.load(Ordering::Relaxed).checked_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_seen() {
        let progress = Progress::default();
        assert_eq!(progress.seen(), Seen::default());
        for stage in STAGES {
            progress.begin(stage, Some(10));
            progress.reach(3);
            progress.found(0);
            let seen = progress.clone().seen();
            let expected = Seen {
                stage,
                done: 3,
                total: Some(10),
                best: Some(0),
            };
            assert_eq!(seen, expected);
        }
    }
}
