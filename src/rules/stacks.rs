//! The stacks of the machine: registers, frames, and the alternatives left open.
//!
//! A frame may be given back only when no alternative needs it; since alternatives remember how
//! high the other stacks were, cutting back to one is to shorten three vectors.

use crate::rules::code::{CodeAddress, ProcedureId, Run};
use crate::rules::table::TableId;
use crate::term::TermId;

/// Takes the place of a frame number where there is none.
pub(super) const NO_FRAME: u32 = u32::MAX;

/// Whom the outputs of a clause go to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Receiver {
    /// The caller's registers.
    Caller {
        frame: u32,
        resume: CodeAddress,
        out: Run,
    },
    /// As before, and the caller needs only one answer: drop alternatives above this height.
    CallerOnce {
        frame: u32,
        resume: CodeAddress,
        height: u32,
    },
    /// A table.
    Table(TableId),
    /// Whoever asked the machine.
    Query,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) base: u32,
    pub(super) size: u32,
    pub(super) receiver: Receiver,
}

/// What to do when everything after an alternative has failed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alternative {
    /// Take the next row of a bucket.
    Rows { scan: u32, bucket: u32, next: u32 },
    /// Take the next answer of a complete table.
    Answers { table: TableId, next: u32, out: Run },
    /// Try the next clause; the inputs lie on top of the registers.
    Clauses {
        procedure: ProcedureId,
        choice: ClauseChoice,
        next: u32,
        receiver: Receiver,
    },
    /// Go on at the resume address.
    Fork,
    /// The clauses of a new table are exhausted.
    Generator { table: TableId, out: Run },
    /// Feed the consumer with the next answer.
    Consume { table: TableId, consumer: u32 },
    /// The query has no further answer.
    Bottom,
}

/// Which clauses of a procedure a call tries.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClauseChoice {
    All,
    Value(TermId),
    Others,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) alternative: Alternative,
    pub(super) frame: u32,
    pub(super) resume: CodeAddress,
    pub(super) frames: u32,
    pub(super) registers: u32,
}

/// A table whose clauses run or whose consumers are fed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub(super) depth: u32,
    /// The least depth of a table that something above this one waits for.
    pub(super) link: u32,
    /// Where the search for work among the incomplete tables goes on.
    pub(super) cursor: u32,
}

/// The stacks of the machine, kept between queries for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    pub(super) registers: Vec<TermId>,
    pub(super) frames: Vec<Frame>,
    pub(super) choices: Vec<Choice>,
    pub(super) incomplete: Vec<TableId>,
    pub(super) active: Vec<Active>,
    pub(super) buffer: Buffer,
    pub(super) answer: Buffer,
}

/// A few terms on their way from one place to another; resizing writes no memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    room: Vec<TermId>,
    len: usize,
}

impl Buffer {
    #[inline]
    pub(super) fn cells(&self) -> &[TermId] {
        &self.room[..self.len]
    }

    #[inline]
    pub(super) fn resize(&mut self, len: usize) -> &mut [TermId] {
        if len > self.room.len() {
            self.room.resize(len, TermId::from_index(0));
        }
        self.len = len;
        &mut self.room[..len]
    }
}

impl Stacks {
    pub(super) fn clear(&mut self) {
        self.registers.clear();
        self.frames.clear();
        self.choices.clear();
        self.incomplete.clear();
        self.active.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.registers.len() * size_of::<TermId>()
            + self.frames.len() * size_of::<Frame>()
            + self.choices.len() * size_of::<Choice>()
    }
}
