//! The state of the load of one text, and the codes of what may be wrong with it.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::prolog::program::instruction::PredicateId;
use crate::prolog::program::predicate::SourceId;
use crate::prolog::terms::record::Record;
use crate::syntax::{Code, Diagnostic, Source, Span};

/// A directive does not hold.
pub const DIRECTIVE_FAILED: Code = Code("P0001");
/// A directive, or the loading of a clause, raised an exception.
pub const DIRECTIVE_RAISED: Code = Code("P0002");
/// A text that is to be loaded is not there, or has faults.
pub const NOT_LOADED: Code = Code("P0005");
/// The clauses of a predicate are not together.
pub const DISCONTIGUOUS: Code = Code("P0003");
/// A directive asked for the end of the program, or ran into a limit.
pub const DIRECTIVE_STOPPED: Code = Code("P0004");

/// The state of one load.
pub(super) struct Load<'l> {
    pub(super) source: &'l Source,
    pub(super) id: SourceId,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Predicates that have clauses in this text, and the one of the last clause.
    pub(super) defined: IndexSet<PredicateId, FxBuildHasher>,
    pub(super) last: Option<PredicateId>,
    /// Goals to run at the end.
    pub(super) initialization: Vec<(Record, Span)>,
    /// The conditions that are open, innermost last.
    pub(super) branches: Vec<Branch>,
}

/// Where the reader is in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// In the branch that holds.
    Taken,
    /// Before the branch that holds, if any.
    Before,
    /// Behind it, or in a condition that is skipped as a whole.
    Behind,
}

impl<'l> Load<'l> {
    /// Nothing of a text is loaded yet.
    pub(super) fn new(source: &'l Source, id: SourceId) -> Self {
        Self {
            source,
            id,
            diagnostics: Vec::new(),
            defined: IndexSet::default(),
            last: None,
            initialization: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Whether what is read does not belong to the program.
    pub(super) fn is_skipping(&self) -> bool {
        self.branches
            .last()
            .is_some_and(|&branch| branch != Branch::Taken)
    }
}
