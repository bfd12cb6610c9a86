//! Compiled rules: what a clause does, step by step, for one pattern of bound arguments.
//!
//! A clause owns a frame of registers, each of which holds one ground term. Which registers are
//! bound at which step is known when the clause is compiled, so that a step either reads or
//! writes a register and never asks. Nothing is undone on backtracking: what a step wrote is
//! written anew when the step is made again.

use crate::rules::relation::{Columns, IndexId};
use crate::term::{Functor, SymbolId, TermId};

/// A register of the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(pub(super) u32);

impl Register {
    /// Takes the place of a register whose value nobody reads.
    pub(super) const NONE: Register = Register(u32::MAX);
}

/// A term known at compile time, or the register that holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Constant(TermId),
    Register(Register),
}

/// A value to keep: the place of it in a row, an answer or a compound, and the register for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) column: u32,
    pub(super) register: Register,
}

/// How a condition is looked up in a relation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan {
    pub(super) relation: RelationId,
    pub(super) index: IndexId,
    pub(super) key: Run,
    /// The key, if it is one term.
    pub(super) single_key: Option<Operand>,
    pub(super) out: Run,
    /// Where the term that stands for the row goes, or [`Register::NONE`].
    pub(super) term: Register,
}

/// A run of operands or outputs in the pools of [`Code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Run {
    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// The address of a step of [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CodeAddress(u32);

impl CodeAddress {
    /// The address of the first step.
    pub(super) const START: Self = Self(0);

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

    /// The address of the step so many steps behind this one.
    #[inline]
    pub(super) fn plus(self, steps: u32) -> Self {
        Self(self.0.saturating_add(steps))
    }
}

/// Names a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RelationId(u32);

impl RelationId {
    pub(super) const fn of(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a [`Procedure`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcedureId(u32);

impl ProcedureId {
    pub(super) const fn of(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of a clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodeStep {
    /// For each row found by this [`Scan`]: bind its outputs.
    Scan(u32),
    /// Go on if the row is present (or, if not `positive`, absent).
    Test {
        relation: RelationId,
        row: Run,
        positive: bool,
    },
    /// Go on if the two are the same term (or, if not `positive`, differ).
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
    /// For each answer of the procedure: bind the outputs.
    Call {
        procedure: ProcedureId,
        inputs: Run,
        out: Run,
    },
    /// Try what follows, then `otherwise`.
    Fork {
        otherwise: CodeAddress,
    },
    Jump {
        to: CodeAddress,
    },
    Fail,
    /// Try what follows up to [`CodeStep::Refute`]; if it fails, go on at `otherwise`.
    Negate {
        otherwise: CodeAddress,
        mark: Register,
    },
    /// What [`CodeStep::Negate`] negates holds: fail.
    Refute {
        mark: Register,
    },
    /// Remember the alternatives that are open now.
    Mark {
        mark: Register,
    },
    /// Forget the alternatives opened since the mark: they give no new answer.
    Commit {
        mark: Register,
    },
    /// The clause succeeded with these outputs.
    Done {
        results: Run,
    },
}

/// One clause of a procedure.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClauseCode {
    pub(super) start: CodeAddress,
    /// Registers of a frame, inputs included.
    pub(super) registers: u32,
}

/// How the answers of a procedure are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcedureMode {
    /// Evaluated anew by every call, in the manner of SLD resolution.
    Inline,
    /// One table per call, which later calls read.
    Tabled,
}

/// What the answers of a predicate depend on, and so how long its tables live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lifetime {
    /// On nothing that changes.
    Game,
    /// On `true`.
    State,
    /// On `does`.
    Move,
}

/// A predicate with a pattern of bound arguments.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) predicate: Functor,
    /// The bound arguments.
    pub(super) inputs: Columns,
    pub(super) input_count: u32,
    pub(super) output_count: u32,
    pub(super) clauses: Vec<ClauseCode>,
    pub(super) compiled: bool,
    pub(super) mode: ProcedureMode,
    /// A call may be evaluated inline without repeating answers much.
    pub(super) may_be_inline: bool,
    /// The predicate calls itself, directly or not.
    pub(super) recursive: bool,
    pub(super) lifetime: Lifetime,
    /// The first input whose value selects clauses, with the clauses by value, if that helps.
    pub(super) switch: Option<Switch>,
    pub(super) calls: u32,
    pub(super) hits: u32,
}

/// Selects the clauses whose head can match by the value of one input.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// Which of the inputs, in order of position.
    pub(super) input: u32,
    /// The clauses (as numbers in [`Procedure::clauses`]) for a value.
    pub(super) by_value: rustc_hash::FxHashMap<TermId, Box<[u32]>>,
    /// The clauses for all other values.
    pub(super) others: Box<[u32]>,
}

/// The code of all procedures compiled so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) steps: Vec<CodeStep>,
    operands: Vec<Operand>,
    outputs: Vec<Output>,
    scans: Vec<Scan>,
    /// Addresses between a [`CodeStep::Negate`] and its [`CodeStep::Refute`], in ascending order; of nested
    /// ones the outermost.
    negated: Vec<std::ops::RangeInclusive<CodeAddress>>,
}

impl Code {
    /// Notes that the steps from `start` up to the next address are inside a negation.
    pub(super) fn note_negation(&mut self, start: CodeAddress) {
        while self
            .negated
            .last()
            .is_some_and(|inner| *inner.start() >= start)
        {
            self.negated.pop();
        }
        self.negated.push(start..=self.next_address());
    }

    /// Whether a step is inside a negation.
    pub(super) fn is_negated(&self, address: CodeAddress) -> bool {
        let behind = self
            .negated
            .partition_point(|range| *range.start() <= address);
        behind > 0 && self.negated[behind - 1].contains(&address)
    }

    pub(super) fn next_address(&self) -> CodeAddress {
        CodeAddress(self.steps.len() as u32)
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

    pub(super) fn add_scan(&mut self, mut scan: Scan) {
        scan.single_key = match *self.operands(scan.key) {
            [single] => Some(single),
            _ => None,
        };
        self.steps.push(CodeStep::Scan(self.scans.len() as u32));
        self.scans.push(scan);
    }

    #[inline]
    pub(super) fn scan(&self, number: u32) -> &Scan {
        &self.scans[number as usize]
    }

    #[inline]
    pub(super) fn operands(&self, run: Run) -> &[Operand] {
        &self.operands[run.range()]
    }

    #[inline]
    pub(super) fn outputs(&self, run: Run) -> &[Output] {
        &self.outputs[run.range()]
    }
}
