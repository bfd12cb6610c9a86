//! Choice points: what the machine goes back to when it fails, and what it does there.

use crate::prolog::program::chain::ChainId;
use crate::prolog::program::instruction::Pc;
use crate::prolog::program::key::Key;
use crate::prolog::state::tables::TableId;
use crate::prolog::terms::cell::Cell;

/// A place among the clauses that may match a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClauseScan {
    pub(in crate::prolog) chain: ChainId,
    pub(in crate::prolog) position: i32,
    /// The key of the first argument of the call.
    pub(in crate::prolog) key: Key,
}

impl ClauseScan {
    /// The place behind this one.
    #[inline(always)]
    pub(in crate::prolog) fn behind(self) -> Self {
        Self {
            position: self.position + 1,
            ..self
        }
    }
}

/// What a choice point does when it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Alternative {
    /// The bottom of a query.
    Query,
    /// The next clause of a call whose arguments are saved.
    Clauses {
        scan: ClauseScan,
        dynamic: bool,
    },
    /// The other branch of a disjunction.
    Code(Pc),
    /// The else branch of a condition.
    Condition(Pc),
    /// The saved goal, with its saved cut height.
    Goal,
    /// The saved goal is the else branch of a condition.
    Otherwise,
    Catch,
    /// Runs its saved goal when it goes, see [`crate::prolog::engine::cleanup`].
    Cleanup,
    /// The next clause of an enumeration.
    Scan(ClauseScan),
    /// The argument at this position, counted from 1, for a call of `arg/3` that goes on at an address.
    Argument(u32, Pc),
    Findall,
    /// The negated goal has no (more) solution; the flag says that one was undefined.
    Negation(bool),
    /// The clauses of a generator are exhausted, or a consumer of its SCC is.
    Generator(TableId),
    /// The same for a generator that was called by a negation.
    NegatedGenerator(TableId),
    /// The next answer of a complete table.
    Answers(TableId, u32),
    /// The next answer for a consumer of an incomplete table.
    Consumer(TableId, u32),
    /// Nothing: a condition whose else branch was given up.
    Dead,
}

/// A state to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChoicePoint {
    pub(crate) alternative: Alternative,
    pub(crate) e: u32,
    pub(crate) cp: Pc,
    pub(crate) b0: u32,
    pub(crate) trail: u32,
    pub(crate) heap: u32,
    /// The end of the protected environments.
    pub(crate) top: u32,
    /// Where its saved arguments start.
    pub(crate) saved: u32,
    pub(crate) delays: Cell,
    pub(crate) generation: u64,
}
