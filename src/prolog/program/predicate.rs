//! Predicates and clauses as the database keeps them.

use crate::prolog::program::chain::{ChainId, ClauseIndex};
use crate::prolog::program::instruction::{BuiltinId, Pc, PredicateId};
use crate::prolog::program::switch::Switch;
use crate::prolog::terms::record::Record;
use crate::syntax::Span;
use crate::term::{SymbolId, TermId};

/// A text whose clauses are in the database, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub(crate) u32);

impl SourceId {
    /// The number of the text, in order of loading.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in a loaded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text; see [`Machine::source`].
    ///
    /// [`Machine::source`]: crate::prolog::Machine::source
    pub source: SourceId,
    /// The place in it.
    pub span: Span,
}

/// A predicate that the machine itself runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// `call/1..8`
    Call,
    /// `,`, `;`, `->`, `*->`, `|`, `!` called as goals
    Construct,
    /// `\+`, `not`, `tnot`
    Not,
    /// `$findall(Template, Goal, List)`
    Findall,
    Catch,
    /// `undefined/0`
    Undefined,
    /// `$call_cut(Goal, Height)`
    CallWithCut,
    /// `$call_cleanup(Goal, Cleanup)`
    Cleanup,
    /// `$clause_scan(Head, Body, Operation, Reference)`
    ClauseScan,
}

/// How a predicate is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PredicateKind {
    /// By its clauses.
    User,
    /// By a deterministic function.
    Builtin(BuiltinId),
    /// By the machine, which changes its own state.
    Control(Control),
}

/// How an argument is aggregated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregation {
    Min,
    Max,
    First,
    Last,
    Sum,
    /// Joined by a predicate of three arguments: old, new, result.
    Lattice(SymbolId),
    /// Replaced if a predicate of two arguments holds: old, new.
    PartialOrder(SymbolId),
}

/// The modes of a tabled predicate's arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableMode {
    pub(crate) modes: Vec<Option<Aggregation>>,
}

impl TableMode {
    /// Whether no argument is aggregated.
    pub(crate) fn is_plain(&self) -> bool {
        self.modes.iter().all(Option::is_none)
    }
}

/// Where a clause was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClauseOrigin {
    pub(crate) source: SourceId,
    pub(crate) span: Span,
    /// Spans of the conditions, in order, as far as they are known.
    pub(crate) literals: Box<[Span]>,
}

/// A clause with its code.
///
/// Birth and death are generations: a call sees the clause if it began at or after the birth and
/// before the death.
#[derive(Debug)]
pub(crate) struct StoredClause {
    pub(crate) predicate: PredicateId,
    pub(crate) code: Pc,
    pub(crate) length: u32,
    /// Head and body.
    pub(crate) term: Record,
    pub(crate) birth: u64,
    /// `u64::MAX` while it lives.
    pub(crate) death: u64,
    pub(crate) origin: Option<Box<ClauseOrigin>>,
    /// Whether some environment may return into the code.
    pub(in crate::prolog) has_calls: bool,
    /// Whether a negation is compiled inline, which is wrong once a predicate is tabled.
    pub(in crate::prolog) inlines_negation: bool,
}

/// What is known of a predicate.
#[derive(Debug)]
pub(crate) struct Predicate {
    pub(crate) name: SymbolId,
    pub(crate) arity: usize,
    pub(crate) kind: PredicateKind,
    pub(crate) is_dynamic: bool,
    pub(crate) is_discontiguous: bool,
    /// Tables that depend on it are dropped when its clauses change.
    pub(crate) is_incremental: bool,
    /// Its clauses may come from several files.
    pub(crate) is_multifile: bool,
    /// Its arguments as `meta_predicate/1` declares them.
    pub(crate) meta: Option<TermId>,
    /// Part of the machine or its library: users may not change it.
    pub(crate) is_system: bool,
    pub(crate) table: Option<TableMode>,
    pub(crate) chain: ChainId,
    /// Clauses in its chain that are alive.
    pub(crate) live: u32,
    /// Clauses in its chain that were retracted.
    pub(crate) dead: u32,
    pub(crate) index: Option<Box<ClauseIndex>>,
    /// Where its calls begin; made by a call, forgotten with every change (see [`Database::get_mut`]).
    ///
    /// [`Database::get_mut`]: crate::prolog::program::database::Database::get_mut
    pub(in crate::prolog) switch: Option<Box<Switch>>,
}

impl Predicate {
    /// Whether a call is not an error even if there is no clause.
    pub(crate) fn is_known(&self) -> bool {
        self.kind != PredicateKind::User
            || self.is_dynamic
            || self.live > 0
            || self.table.is_some()
            || self.is_discontiguous
    }
}
