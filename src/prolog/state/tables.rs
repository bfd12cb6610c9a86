//! Tables with their answers, what these assume, and the computations that wait for more of them.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::prolog::program::call_graph::CallGraph;
use crate::prolog::program::instruction::{Pc, PredicateId};
use crate::prolog::program::predicate::Aggregation;
use crate::prolog::state::frame::FrameKind;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::record::Record;
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

/// What the caller of a table goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallSign {
    /// Each of its answers.
    Positive,
    /// That it has none.
    Negative,
}

/// Something that a derivation assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Delay {
    /// A goal that is undefined in a completed table.
    Undefined,
    /// An answer of the SCC that is itself conditional.
    Positive(TableId, usize),
    /// That the table has no answer.
    Negative(TableId),
}

/// What is known of an answer beyond its values.
#[derive(Clone, Debug)]
pub(crate) struct TableAnswer {
    /// The derivations found so far: what each of them has assumed. One that assumes nothing makes
    /// the answer unconditional; then none is kept.
    pub(crate) conditions: Vec<Vec<Delay>>,
    /// When it was found, among all answers of all tables.
    pub(crate) stamp: u64,
    /// A better answer took its place (moded tabling).
    pub(crate) superseded: bool,
}

impl TableAnswer {
    /// Whether it holds whatever else does. In a complete table: whether it is true.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Its truth value, in a complete table.
    pub(crate) fn truth(&self) -> Truth {
        if self.is_unconditional() {
            Truth::True
        } else {
            Truth::Undefined
        }
    }
}

/// One environment of a continuation.
#[derive(Clone, Copy, Debug)]
pub(in crate::prolog) struct FrameShape {
    pub(in crate::prolog) cp: Pc,
    pub(in crate::prolog) size: u32,
    pub(in crate::prolog) kind: FrameKind,
}

/// A computation that waits.
#[derive(Debug)]
pub(crate) struct Suspension {
    /// The template of the call that waits, its delays, and the slots of all environments from the
    /// innermost to the generator's.
    pub(in crate::prolog) record: Record,
    pub(in crate::prolog) frames: Box<[FrameShape]>,
    pub(in crate::prolog) cp: Pc,
    /// The table that the computation derives answers for.
    pub(crate) owner: TableId,
}

impl Suspension {
    /// A placeholder.
    pub(in crate::prolog) fn empty() -> Self {
        Self {
            record: Record::default(),
            frames: Box::default(),
            cp: 0,
            owner: TableId(0),
        }
    }

    pub(in crate::prolog) fn bytes(&self) -> usize {
        self.record.cells.len() * size_of::<Cell>() + 128
    }
}

/// Waits for answers of a table.
#[derive(Debug)]
pub(crate) struct Consumer {
    pub(crate) suspension: Suspension,
    /// Number of answers it has seen.
    pub(crate) seen: usize,
}

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The call, with its variables numbered in order of occurrence.
    pub(crate) call: TermId,
    pub(crate) owner: Owner,
    /// No answer can be added. Implies that nobody waits for it.
    pub(crate) is_complete: bool,
    /// The values of the call's variables, in order of discovery. Consumers hold positions, so it
    /// only grows until the table is complete.
    pub(crate) answers: IndexMap<TermId, TableAnswer, FxBuildHasher>,
    pub(crate) consumers: Vec<Consumer>,
    /// A place among the consumers, and how many answers those in front of it had seen: all that there were.
    pub(in crate::prolog) fed: (usize, usize),
    /// Negations of the call that wait for the table to complete, or to be delayed.
    pub(crate) negations: Vec<Suspension>,
    /// The place in the stack of incomplete tables.
    pub(crate) position: usize,
    /// Whether it is in the list of tables with unseen answers.
    pub(in crate::prolog) queued: bool,
    /// For moded tabling: the answers in force by the values of their other arguments.
    pub(in crate::prolog) best: FxHashMap<TermId, usize>,
    /// For moded tabling: which of the call's variables are aggregated, and how.
    pub(in crate::prolog) modes: Vec<(usize, Aggregation)>,
}

impl Table {
    pub(in crate::prolog) fn new(call: TermId, owner: Owner, position: usize) -> Self {
        Self {
            call,
            owner,
            is_complete: false,
            answers: IndexMap::default(),
            consumers: Vec::new(),
            fed: (0, 0),
            negations: Vec::new(),
            position,
            queued: false,
            best: FxHashMap::default(),
            modes: Vec::new(),
        }
    }

    /// The first consumer that has not seen all answers.
    ///
    /// A table may have thousands of consumers, each of which is fed alone; so the search goes on where it ended last,
    /// unless an answer was added meanwhile.
    pub(in crate::prolog) fn waiting_consumer(&mut self) -> Option<usize> {
        let count = self.answers.len();
        let (place, seen) = self.fed;
        let start = if seen == count { place } else { 0 };
        let unfed = self.consumers.get(start..).unwrap_or_default();
        let waiting = unfed.iter().position(|consumer| consumer.seen < count);
        let found = waiting.map(|offset| start + offset);
        self.fed = (found.unwrap_or(self.consumers.len()), count);
        found
    }

    /// Whether some answer holds whatever else does.
    pub(crate) fn has_true_answer(&self) -> bool {
        self.answers
            .values()
            .any(|answer| answer.is_unconditional() && !answer.superseded)
    }

    /// Number of answers that are neither true nor false.
    pub(crate) fn undefined_answers(&self) -> usize {
        let undefined = |answer: &&TableAnswer| !answer.superseded && !answer.is_unconditional();
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
    /// The lowest position that it and the exhausted tables above it are known to depend on.
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
    /// Positions of those whose generator is not exhausted, oldest first. Each of the others belongs to the SCC of the
    /// youngest of these below it.
    pub(in crate::prolog) open: Vec<usize>,
    /// Incomplete tables with answers that some consumer has not seen.
    pub(in crate::prolog) pending: Vec<TableId>,
    /// Number of answers ever found: their order of discovery.
    pub(crate) stamp: u64,
    /// Answers and conditions kept, for the estimate of memory.
    pub(in crate::prolog) kept: usize,
    /// Bytes of suspended consumers.
    pub(in crate::prolog) suspended: usize,
    /// Dropped tables that a choice point may still read.
    pub(in crate::prolog) retired: Vec<TableId>,
    pub(in crate::prolog) call_graph: CallGraph,
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

    /// The youngest generator, which is the one that runs, depends on the table at a position.
    pub(in crate::prolog) fn lower(&mut self, position: usize) {
        if let Some(&youngest) = self.open.last() {
            let entry = &mut self.incomplete[youngest];
            entry.low = entry.low.min(position);
        }
    }

    /// The generator of the table at a position is exhausted, and its SCC has an older leader: what it depends on, the
    /// generator below it does.
    pub(in crate::prolog) fn close(&mut self, position: usize) {
        let low = self.incomplete[position].low;
        self.close_from(position);
        self.lower(low);
    }

    /// No generator of a table from a position on runs any more.
    pub(in crate::prolog) fn close_from(&mut self, position: usize) {
        while self.open.pop_if(|open| *open >= position).is_some() {}
    }

    /// Remembers that a table has answers which a consumer has not seen.
    pub(in crate::prolog) fn enqueue(&mut self, id: TableId) {
        let table = self.get_mut(id);
        // A table is queued once; with nobody waiting, its answers are read when it is complete.
        if !table.queued && !table.consumers.is_empty() {
            table.queued = true;
            self.pending.push(id);
        }
    }
}
