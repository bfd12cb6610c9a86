//! From clauses to instructions.
//!
//! ```text
//! record  head and body as one record                  (record.rs)
//! goals   the body as a tree of goals and constructs   (goal.rs)
//! analyse which variables must survive a call          (analyse.rs)
//! emit    instructions with their registers            (emit.rs, body.rs, arithmetic.rs)
//! ```
//!
//! A *chunk* is the part of a clause between two calls. Variables of one chunk live in registers
//! (temporary), the others in the environment (permanent) [AK91, section 4]. Arguments of the head
//! stay where they are until a call needs their register; then they move away. If-then-else over
//! tests alone does not end a chunk, since nothing in it clobbers a register.

mod analyse;
mod arithmetic;
mod body;
mod emit;
mod goal;

use rustc_hash::FxHashMap;

use crate::prolog::atoms;
use crate::prolog::cell::{BIG, Cell, FLOAT, GROUND, LIST, REF, STR};
use crate::prolog::database::Database;
use crate::prolog::heap::{digits_at, value_of_digits};
use crate::prolog::instruction::{Instruction, Pc, X, Y};
use crate::prolog::intern::intern_integer;
use crate::prolog::record::Record;
use crate::term::{Store, TermId};

pub(crate) use goal::Goal;

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
/// [`crate::prolog::instruction::BACKTRACK`]).
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
struct Variable {
    /// Occurrences not emitted yet.
    remaining: u32,
    /// The chunk of the first occurrence.
    chunk: Option<u32>,
    permanent: bool,
    slot: Y,
    seen: bool,
    register: Option<X>,
    /// The argument register in which a call of its chunk wants it.
    hint: Option<X>,
}

/// A clause with what is known about its cells.
pub(crate) struct Clause<'c> {
    record: &'c Record,
    /// Whether the term at this index of the record is ground.
    ground: Vec<bool>,
    /// Ground compounds become terms of the store.
    interns: bool,
}

impl<'c> Clause<'c> {
    fn new(record: &'c Record, interns: bool) -> Self {
        let cells = &record.cells;
        let mut ground = vec![true; cells.len()];
        let is_number = number_words(cells);
        // Arguments stand behind their compound, so one pass from the end decides.
        for index in (0..cells.len()).rev() {
            if is_number[index] {
                continue;
            }
            let cell = cells[index];
            ground[index] = match cell.tag() {
                REF => false,
                STR => {
                    let start = cell.index();
                    let end = start + 1 + cells[start].arity();
                    ground[start + 1..end].iter().all(|&part| part)
                }
                LIST => ground[cell.index()] && ground[cell.index() + 1],
                _ => true,
            };
        }
        Self {
            record,
            ground,
            interns,
        }
    }

    /// The term at an index of the record; a variable is its own index.
    fn at(&self, index: usize) -> Cell {
        let cell = self.record.cells[index];
        if cell.tag() == REF {
            Cell::reference(cell.index())
        } else {
            cell
        }
    }

    /// Functor cell and index of the first argument of a compound.
    fn compound(&self, cell: Cell) -> Option<(Cell, usize)> {
        match cell.tag() {
            STR => Some((self.record.cells[cell.index()], cell.index() + 1)),
            LIST => Some((Cell::functor(atoms::DOT, 2), cell.index())),
            _ => None,
        }
    }

    fn is_ground(&self, cell: Cell) -> bool {
        match cell.tag() {
            REF => false,
            STR => {
                let start = cell.index();
                let end = start + 1 + self.record.cells[start].arity();
                self.ground[start + 1..end].iter().all(|&part| part)
            }
            LIST => self.ground[cell.index()] && self.ground[cell.index() + 1],
            _ => true,
        }
    }

    /// The ground term as an id.
    fn intern(&self, store: &mut Store, cell: Cell) -> TermId {
        let mut visit = vec![(cell, false)];
        let mut built: Vec<TermId> = Vec::new();
        while let Some((cell, entered)) = visit.pop() {
            if let Some((functor, first)) = self.compound(cell) {
                let arity = functor.arity();
                if entered {
                    let start = built.len() - arity;
                    let id = store.compound(functor.symbol(), &built[start..]);
                    built.truncate(start);
                    built.push(id);
                } else {
                    visit.push((cell, true));
                    visit.extend((first..first + arity).rev().map(|i| (self.at(i), false)));
                }
            } else {
                built.push(self.intern_leaf(store, cell));
            }
        }
        built.pop().unwrap_or_else(|| store.integer(0))
    }

    fn intern_leaf(&self, store: &mut Store, cell: Cell) -> TermId {
        match cell.tag() {
            GROUND => cell.term(),
            BIG => {
                let value = value_of_digits(digits_at(&self.record.cells, cell));
                intern_integer(store, &value)
            }
            FLOAT => store.float(f64::from_bits(self.record.cells[cell.index() + 1].bits())),
            REF => store.variable(cell.index() as u32),
            crate::prolog::cell::INT => store.integer(cell.small_value()),
            _ if cell.is_text() => store.text(cell.symbol()),
            _ => store.atom(cell.symbol()),
        }
    }
}

/// By index, whether a word is the value of a float or large integer and no cell. Such a word can have the bits of
/// any cell, even of a header, so only a pass from the start can tell.
fn number_words(cells: &[Cell]) -> Vec<bool> {
    let mut is_number = vec![false; cells.len()];
    for index in 1..cells.len() {
        is_number[index] = cells[index - 1] == Cell::HEADER && !is_number[index - 1];
    }
    is_number
}

/// The state of one compilation.
pub(crate) struct Compiler<'c> {
    clause: Clause<'c>,
    database: &'c mut Database,
    store: &'c mut Store,
    /// Numbers of variables by index in the record.
    numbers: FxHashMap<usize, usize>,
    variables: Vec<Variable>,
    slots: Y,
    /// Slots for conditions that were emitted so far; they come first.
    levels_used: Y,
    chunks: u32,
    /// Every variable is permanent: for clauses that would run out of registers.
    all_permanent: bool,
    needs_environment: bool,
    has_calls: bool,
    inlines_negation: bool,
    mutates: bool,
    /// The variable that lives in a register.
    owners: Vec<Option<usize>>,
    /// Head arguments from here on are still in their registers, unprocessed.
    pending_from: usize,
    head_arity: usize,
    /// Registers below this one hold arguments of the built-in whose arguments are being put: no variable may be
    /// placed there, though a later call wants it in one of them.
    reserved: usize,
    /// The first register that no call uses for arguments.
    first_free: usize,
    next_free: usize,
    code: Vec<Instruction>,
}

/// Where a cut goes.
#[derive(Clone, Copy, Debug)]
enum CutTarget {
    /// To the call of the clause.
    Clause,
    /// To the start of the condition whose height is in this slot; its else branch stays.
    Condition(Y),
}

/// Compiles a record of head and body. `interns` says that ground compounds may be kept in the
/// store for good.
pub(crate) fn compile(
    record: &Record,
    database: &mut Database,
    store: &mut Store,
    interns: bool,
) -> Result<CompiledClause, CompileError> {
    match attempt(record, database, store, interns, false) {
        Err(CompileError::TooComplex) => attempt(record, database, store, interns, true),
        result => result,
    }
}

fn attempt(
    record: &Record,
    database: &mut Database,
    store: &mut Store,
    interns: bool,
    all_permanent: bool,
) -> Result<CompiledClause, CompileError> {
    let mut compiler = Compiler {
        clause: Clause::new(record, interns),
        database,
        store,
        numbers: FxHashMap::default(),
        variables: Vec::new(),
        slots: 0,
        levels_used: 0,
        chunks: 0,
        all_permanent,
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
    };
    let (head, body) = (compiler.clause.at(0), compiler.clause.at(1));
    let arguments = compiler.head_arguments(head)?;
    let goals = compiler.goals(body, 0)?;
    compiler.analyse(&arguments, &goals)?;
    compiler.clause_code(&arguments, &goals)?;
    Ok(CompiledClause {
        code: compiler.code,
        has_calls: compiler.has_calls,
        inlines_negation: compiler.inlines_negation,
        mutates: compiler.mutates,
    })
}

impl Compiler<'_> {
    fn head_arguments(&self, head: Cell) -> Result<Vec<Cell>, CompileError> {
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
    fn here(&self) -> Pc {
        self.code.len() as Pc + 1
    }

    fn clause_code(&mut self, arguments: &[Cell], goals: &[Goal]) -> Result<(), CompileError> {
        if self.needs_environment {
            self.code.push(Instruction::Allocate(self.slots));
        }
        self.pending_from = 0;
        for (position, &argument) in arguments.iter().enumerate() {
            // The register is in use until its argument has been looked at.
            self.pending_from = position + 1;
            self.head_argument(argument, position as X)?;
        }
        self.pending_from = 256;
        self.conjunction(goals, true, CutTarget::Clause)
    }
}
