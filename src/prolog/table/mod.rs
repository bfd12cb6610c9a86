//! Tables: the calls of tabled predicates, their answers, and who waits for them.
//!
//! A call of a tabled predicate makes a table for its variant, and the caller becomes its
//! *generator*: the clauses run, and every solution that reaches the end is an answer of the table,
//! not of the caller. A call of a table that is still incomplete *suspends*: the environments
//! between the call and the generator in which it was made are copied, and the copy, a *consumer*,
//! goes on once for every answer of the table. When the clauses of a generator are exhausted and
//! nothing in its SCC depends on an older incomplete table, it is the *leader*: it feeds consumers
//! until no answer is left to see, and completes the SCC. Only then its caller gets the answers
//! (local scheduling), so that whoever is outside of an SCC sees complete tables only.
//!
//! ```text
//! path(a,Y)      generator, leader
//!   path(a,Z), edge(Z,Y)    first clause: path(a,_) is incomplete, consumer 1 suspends
//!   edge(a,Y)               second clause: answers b, c
//!   completion              consumer 1 resumes with b, with c, with what these add, ...
//! ```
//!
//! Negation and the third truth value: see [`negation`] and [`wfs`].
//!
//! Sources: [CW96] for SLG resolution, its names and the order of operations; the suspension by
//! copied continuations is that of Desouter, van Dooren, Schrijvers: Tabling as a Library with
//! Delimited Control, TPLP 15, 2015. DIVERGENCE: SCCs are approximated from above by the stack of
//! generators (as in XSB), which can only delay completion, never make it wrong.

mod answer;
mod completion;
mod generator;
mod invalidate;
pub(crate) mod mode;
mod negation;
mod suspend;
pub(crate) mod wfs;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::prolog::instruction::PredicateId;
use crate::prolog::table::answer::Answer;
use crate::prolog::table::suspend::Suspension;
use crate::term::TermId;

/// A table of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TableId(pub(crate) u32);

/// Whether an answer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Truth {
    /// It holds in the well-founded model.
    True,
    /// It is neither true nor false in the well-founded model.
    Undefined,
}

/// Whose answers a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Predicate(PredicateId),
    /// A goal under negation that is no tabled predicate: the table goes when it is complete.
    Goal,
}

/// Waits for answers of a table.
#[derive(Debug)]
pub(crate) struct Consumer {
    pub(crate) suspension: Suspension,
    /// Number of answers it has seen.
    pub(crate) seen: usize,
}

#[derive(Debug)]
pub(crate) struct Table {
    /// The call, with its variables numbered in order of occurrence.
    pub(crate) call: TermId,
    pub(crate) owner: Owner,
    /// No answer can be added. Implies that nobody waits for it.
    pub(crate) is_complete: bool,
    /// The values of the call's variables, in order of discovery. Consumers hold positions, so it
    /// only grows until the table is complete.
    pub(crate) answers: IndexMap<TermId, Answer, FxBuildHasher>,
    pub(crate) consumers: Vec<Consumer>,
    /// Negations of the call that wait for the table to complete, or to be delayed.
    pub(crate) negations: Vec<Suspension>,
    /// The place in the stack of incomplete tables.
    pub(crate) position: usize,
    /// Whether it is in the list of tables with unseen answers.
    queued: bool,
    /// For moded tabling: the answers in force by the values of their other arguments.
    best: FxHashMap<TermId, usize>,
    /// For moded tabling: which of the call's variables are aggregated, and how.
    modes: Vec<(usize, mode::Mode)>,
}

impl Table {
    fn new(call: TermId, owner: Owner, position: usize) -> Self {
        Self {
            call,
            owner,
            is_complete: false,
            answers: IndexMap::default(),
            consumers: Vec::new(),
            negations: Vec::new(),
            position,
            queued: false,
            best: FxHashMap::default(),
            modes: Vec::new(),
        }
    }

    /// Whether some answer holds whatever else does.
    pub(crate) fn has_true_answer(&self) -> bool {
        self.answers
            .values()
            .any(|answer| answer.is_unconditional() && !answer.superseded)
    }

    /// Number of answers that are neither true nor false.
    pub(crate) fn undefined_answers(&self) -> usize {
        let undefined = |answer: &&Answer| !answer.superseded && !answer.is_unconditional();
        self.answers.values().filter(undefined).count()
    }

    /// Number of answers in force.
    pub(crate) fn answer_count(&self) -> usize {
        self.answers
            .values()
            .filter(|answer| !answer.superseded)
            .count()
    }
}

/// An incomplete table, with what is known about its SCC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incomplete {
    pub(crate) table: TableId,
    /// The lowest position that it is known to depend on.
    pub(crate) low: usize,
    /// The place of its generator's choice point.
    pub(crate) choice: usize,
}

/// All tables of a machine.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) tables: Vec<Table>,
    /// The table of each variant.
    pub(crate) variants: IndexMap<TermId, TableId, FxBuildHasher>,
    /// Incomplete tables, oldest first.
    pub(crate) incomplete: Vec<Incomplete>,
    /// Incomplete tables with answers that some consumer has not seen.
    pending: Vec<TableId>,
    /// Number of answers ever found: their order of discovery.
    pub(crate) stamp: u64,
    /// Answers and conditions kept, for the estimate of memory.
    kept: usize,
    /// Bytes of suspended consumers.
    suspended: usize,
    /// Dropped tables that a choice point may still read.
    retired: Vec<TableId>,
    reach: invalidate::Reach,
}

impl Tables {
    pub(crate) fn get(&self, id: TableId) -> &Table {
        &self.tables[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: TableId) -> &mut Table {
        &mut self.tables[id.0 as usize]
    }

    /// Bytes taken, about.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.len() * size_of::<Table>() + self.kept * 96 + self.suspended
    }

    /// Remembers that a table has answers which a consumer has not seen.
    fn enqueue(&mut self, id: TableId) {
        let table = self.get_mut(id);
        // A table is queued once; with nobody waiting, its answers are read when it is complete.
        if !table.queued && !table.consumers.is_empty() {
            table.queued = true;
            self.pending.push(id);
        }
    }
}
