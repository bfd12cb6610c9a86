//! Environments: the records of calls that are not finished, and the code that they return to if the
//! machine itself made the call.
//!
//! An environment is `[previous, continuation and size and kind, cut height, slots...]` on one
//! stack of cells [AK91]. Goals that the machine starts for a control predicate run in front of a
//! small environment whose continuation is a stub: one instruction that says what success means
//! there (collect a solution, fail the negation, ...).

use crate::prolog::program::instruction::Instruction;

/// What an environment is, beyond its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Plain,
    /// Of `catch/3`: slot 0 is the height of its choice point.
    Catch,
    /// Of a generator: slot 0 is its table, slot 1 the template of its answers, slot 2 the height
    /// of its choice point.
    Generator,
    /// Of a query: exceptions do not pass it, and consumers are not suspended across it.
    Query,
    /// A consumer cannot be suspended across it: findall, negation.
    Barrier,
}

/// Cells of an environment in front of its slots.
pub(crate) const FRAME_HEADER: usize = 3;

/// Addresses of the stubs, in the order in which [`stubs`] lists them.
pub(crate) mod stub {
    use crate::prolog::program::instruction::Pc;

    pub(crate) const QUERY_DONE: Pc = 1;
    pub(crate) const POP_CATCH: Pc = 2;
    pub(crate) const COLLECT: Pc = 3;
    pub(crate) const ANSWER: Pc = 4;
    pub(crate) const CONJUNCTION: Pc = 5;
    pub(crate) const THEN: Pc = 6;
    pub(crate) const SOFT_THEN: Pc = 7;
    pub(crate) const NEGATION: Pc = 8;
    pub(crate) const GOAL: Pc = 9;
    pub(crate) const UNIFY_SLOTS: Pc = 10;
    pub(crate) const AGGREGATED: Pc = 11;
    pub(crate) const CLEANUP: Pc = 12;
}

/// The code at the start of every machine.
pub(crate) fn stubs() -> Vec<Instruction> {
    vec![
        Instruction::QueryDone,
        Instruction::PopCatch,
        Instruction::CollectSolution,
        Instruction::AnswerFound,
        Instruction::ContinueConjunction,
        Instruction::CommitThen,
        Instruction::SoftThen,
        Instruction::NegationSucceeded,
        Instruction::ResumeGoal,
        Instruction::UnifySlots,
        Instruction::Aggregated,
        Instruction::CleanupGoalSucceeded,
    ]
}
