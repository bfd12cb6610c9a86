//! The state of a compilation: registers, slots and the code so far.

use rustc_hash::FxHashMap;

use crate::prolog::program::compile::fuse::fuse;
use crate::prolog::program::compile::recorded_clause::RecordedClause;
use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::{Instruction, Pc, X, Y};
use crate::prolog::terms::cell::{Cell, REF};
use crate::term::Store;

/// Why a term is no clause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CompileError {
    /// The head is a variable.
    UnboundHead,
    /// The head, or a goal of the body, is no atom or compound.
    NotCallable,
    /// More arguments or variables than registers and slots.
    TooComplex,
}

/// The instructions of one clause, with addresses relative to its start, plus one (zero is
/// [`crate::prolog::program::instruction::BACKTRACK`]).
#[derive(Debug)]
pub(crate) struct CompiledClause {
    pub(crate) code: Vec<Instruction>,
    /// Whether some frame may return into this code.
    pub(crate) has_calls: bool,
    /// Whether a negation was compiled inline, which is wrong once a predicate is tabled.
    pub(crate) inlines_negation: bool,
    /// Whether some goal changes an argument of a term in place.
    pub(crate) mutates: bool,
}

/// A variable of the clause being compiled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClauseVariable {
    /// Occurrences not emitted yet.
    pub(super) remaining: u32,
    /// The chunk of the first occurrence.
    pub(super) chunk: Option<u32>,
    pub(super) permanent: bool,
    pub(super) slot: Y,
    pub(super) seen: bool,
    pub(super) register: Option<X>,
    /// The argument register in which a call of its chunk needs it.
    pub(super) hint: Option<X>,
}

/// Where variables live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// Those of one chunk in registers, the others in slots of the environment.
    Registers,
    /// All of them in slots: for clauses that would run out of registers.
    Slots,
}

/// The state of one compilation.
pub(super) struct Compiler<'c> {
    pub(super) clause: RecordedClause<'c>,
    pub(super) database: &'c mut Database,
    pub(super) store: &'c mut Store,
    /// Numbers of variables by index in the record.
    pub(super) numbers: FxHashMap<usize, usize>,
    pub(super) variables: Vec<ClauseVariable>,
    pub(super) slots: Y,
    /// Slots for conditions that were emitted so far; they come first.
    pub(super) levels_used: Y,
    pub(super) chunks: u32,
    /// Every variable is permanent: for clauses that would run out of registers.
    pub(super) all_permanent: bool,
    pub(super) needs_environment: bool,
    pub(super) has_calls: bool,
    pub(super) inlines_negation: bool,
    pub(super) mutates: bool,
    /// The variable that lives in a register.
    pub(super) owners: Vec<Option<usize>>,
    /// Head arguments from here on are still in their registers, unprocessed.
    pub(super) pending_from: usize,
    pub(super) head_arity: usize,
    /// Registers below this one hold arguments of the built-in whose arguments are being put: no variable may be
    /// placed there, though a later call needs it in one of them.
    pub(super) reserved: usize,
    /// The first register that no call uses for arguments.
    pub(super) first_free: usize,
    pub(super) next_free: usize,
    pub(super) code: Vec<Instruction>,
}

/// Where a cut goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum CutTarget {
    /// To the call of the clause.
    Clause,
    /// To the start of the condition whose height is in this slot; its else branch stays.
    Condition(Y),
}

impl<'c> Compiler<'c> {
    pub(super) fn new(
        clause: RecordedClause<'c>,
        database: &'c mut Database,
        store: &'c mut Store,
        placement: Placement,
    ) -> Self {
        Self {
            clause,
            database,
            store,
            numbers: FxHashMap::default(),
            variables: Vec::new(),
            slots: 0,
            levels_used: 0,
            chunks: 0,
            all_permanent: placement == Placement::Slots,
            needs_environment: false,
            has_calls: false,
            inlines_negation: false,
            mutates: false,
            owners: vec![None; 256],
            pending_from: 0,
            head_arity: 0,
            reserved: 0,
            first_free: 0,
            next_free: 0,
            code: Vec::new(),
        }
    }

    /// The result, once the code of head and body is there.
    pub(super) fn finish(self) -> CompiledClause {
        CompiledClause {
            code: fuse(self.code),
            has_calls: self.has_calls,
            inlines_negation: self.inlines_negation,
            mutates: self.mutates,
        }
    }

    /// The arguments of a head.
    pub(super) fn head_arguments(&self, head: Cell) -> Result<Vec<Cell>, CompileError> {
        if head.tag() == REF {
            return Err(CompileError::UnboundHead);
        }
        if let Some((functor, first)) = self.clause.compound(head) {
            let last = first + functor.arity();
            return Ok((first..last).map(|index| self.clause.at(index)).collect());
        }
        if head.is_atom() {
            Ok(Vec::new())
        } else {
            Err(CompileError::NotCallable)
        }
    }

    /// The address behind the last instruction, as targets are written.
    pub(super) fn here(&self) -> Pc {
        self.code.len() as Pc + 1
    }
}
