//! Plans: how to find all derivations that a changed row takes part in.
//!
//! For each place in a body where rows can change there is a plan: the variables are bound by the
//! changed row, the other conditions are joined, cheapest first, and each way through them is one
//! derivation of a row of the head, gained or lost.
//!
//! ```text
//! line(P) :- cell(X,Y,P), succ(X,Z), cell(Z,Y,P)
//!   cell(3,1,w) changed, place 1:  X=3 Y=1 P=w, succ(3,Z), cell(Z,1,w) other than the changed row
//!                        place 2:  Z=3 Y=1 P=w, succ(X,3), cell(X,1,w)
//! ```
//!
//! A derivation in which the changed row stands at several places must be counted once: by the
//! plan of the first of them. So plans look past the changed row at all places before their own.

use crate::rules::code::{Operand, Output, Register, RelationId, Run};
use crate::rules::relation::IndexId;
use crate::term::{Functor, SymbolId, TermId};

/// The address of a step of [`Plans`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) struct PlanAddress(u32);

impl PlanAddress {
    /// The address as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The address of the step behind this one.
    #[inline]
    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// One step of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlanStep {
    /// For each row found: bind its outputs.
    Scan(u32),
    /// Go on if the row is present, or absent.
    Test {
        relation: RelationId,
        row: Run,
        positive: bool,
        /// Take the changed row for absent.
        past_delta: bool,
    },
    /// Go on if the two are the same term, or differ.
    Compare {
        left: Operand,
        right: Operand,
        positive: bool,
    },
    /// Make a compound term.
    Build {
        symbol: SymbolId,
        arguments: Run,
        into: Register,
    },
    /// Go on if the term is a compound of this functor; bind its arguments.
    Match {
        term: Operand,
        functor: Functor,
        out: Run,
    },
    /// A derivation is complete.
    Emit {
        view: u32,
        row: Run,
        /// The derivation uses rows of the head's own recursive component.
        recursive: bool,
    },
}

/// How rows are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanScan {
    pub(super) relation: RelationId,
    pub(super) index: IndexId,
    pub(super) key: Run,
    /// The key, if it is one term.
    pub(super) single_key: Option<Operand>,
    pub(super) out: Run,
    /// Leave out the changed row.
    pub(super) past_delta: bool,
}

/// A place in a body at which rows change.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    pub(super) start: PlanAddress,
    /// The columns that are constants, with these.
    pub(super) constants: Vec<(usize, TermId)>,
    /// What the changed row binds.
    pub(super) out: Run,
    /// The row must be present; otherwise absent.
    pub(super) positive: bool,
}

/// The steps of all plans.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans {
    pub(super) steps: Vec<PlanStep>,
    operands: Vec<Operand>,
    outputs: Vec<Output>,
    pub(super) scans: Vec<PlanScan>,
    /// Registers that the largest plan needs.
    pub(super) registers: u32,
}

impl Plans {
    pub(super) fn operands(&self, run: Run) -> &[Operand] {
        &self.operands[run.start as usize..(run.start + run.len) as usize]
    }

    pub(super) fn outputs(&self, run: Run) -> &[Output] {
        &self.outputs[run.start as usize..(run.start + run.len) as usize]
    }

    pub(super) fn scan(&self, number: u32) -> &PlanScan {
        &self.scans[number as usize]
    }

    pub(super) fn add_operands(&mut self, operands: &[Operand]) -> Run {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        Run {
            start,
            len: operands.len() as u32,
        }
    }

    pub(super) fn add_outputs(&mut self, outputs: &[Output]) -> Run {
        let start = self.outputs.len() as u32;
        self.outputs.extend_from_slice(outputs);
        Run {
            start,
            len: outputs.len() as u32,
        }
    }

    /// The address of the step that is added next.
    pub(super) fn next_address(&self) -> PlanAddress {
        PlanAddress(self.steps.len() as u32)
    }
}

/// Where the rows that a conjunction derives go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) view: u32,
    pub(super) recursive: bool,
}
