//! The machine: its stacks, its database, its tables.

use indexmap::IndexMap;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

use crate::limits::{Limits, StopReason};
use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::{Instruction, Pc};
use crate::prolog::state::backtrace::CallSite;
use crate::prolog::state::choice::{Alternative, ChoicePoint};
use crate::prolog::state::consulted::Consulted;
use crate::prolog::state::flags::Flags;
use crate::prolog::state::frame::stubs;
use crate::prolog::state::tables::Tables;
use crate::prolog::streams::environment::Environment;
use crate::prolog::streams::output::{Output, Sink};
use crate::prolog::streams::stream::Streams;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::{Interruption, Outcome};
use crate::prolog::terms::heap::{Heap, Undo};
use crate::prolog::terms::meter::Meter;
use crate::prolog::terms::record::Record;
use crate::term::{Store, SymbolId};

/// The least number of cells between two collections: what the inner caches hold.
const LEAST_ROOM: usize = 1 << 17;

/// Steps between two looks at the limits.
const POLL_INTERVAL: u64 = 2048;

/// A built-in predicate: reads its arguments from the first registers.
pub(in crate::prolog) type Function = fn(&mut Machine) -> Outcome;

/// The cleanups of a machine.
#[derive(Debug, Default)]
pub(in crate::prolog) struct Cleanups {
    /// Number of choice points of calls with a cleanup.
    pub(in crate::prolog) waiting: usize,
    /// Goals whose choice points were cut, innermost first.
    pub(in crate::prolog) due: Vec<Cell>,
    /// Number of goals that run inside each other now, in the middle of instructions.
    pub(in crate::prolog) nesting: u32,
}

impl Cleanups {
    /// Forgets all calls: their stacks are gone.
    pub(in crate::prolog) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a cut may have to look for cleanups.
    #[inline(always)]
    pub(in crate::prolog) fn are_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Whether some cut has made cleanups due.
    #[inline(always)]
    pub(in crate::prolog) fn are_due(&self) -> bool {
        !self.due.is_empty()
    }
}

/// A Prolog machine with tables.
///
/// ```
/// use flux::limits::Limits;
/// use flux::prolog::{Machine, Solution};
/// use flux::syntax::Source;
///
/// let mut machine = Machine::new();
/// let faults = machine.consult(&Source::new("family", "
///     :- table ancestor/2.
///     ancestor(X, Y) :- ancestor(X, Z), parent(Z, Y).
///     ancestor(X, Y) :- parent(X, Y).
///     parent(ann, bob). parent(bob, cid).
/// "));
/// assert!(faults.is_empty());
/// let mut solutions = machine.query("ancestor(ann, Who)", Limits::default()).unwrap();
/// let Solution::Answer(answer) = solutions.next_solution() else { unreachable!() };
/// assert_eq!(answer.to_string(), "Who = bob");
/// ```
pub struct Machine {
    pub(crate) heap: Heap,
    pub(crate) database: Database,
    pub(crate) tables: Tables,
    pub(crate) flags: Flags,
    pub(crate) output: Sink,
    pub(in crate::prolog) functions: Vec<Function>,
    /// Argument registers.
    pub(in crate::prolog) x: Box<[Cell; 256]>,
    pub(in crate::prolog) stack: Vec<Cell>,
    pub(in crate::prolog) choices: Vec<ChoicePoint>,
    /// Arguments saved by choice points.
    pub(in crate::prolog) saved: Vec<Cell>,
    /// The current environment; 0 is the bottom one, without slots.
    pub(in crate::prolog) e: usize,
    /// Where the current clause returns to.
    pub(in crate::prolog) cp: Pc,
    /// The height of the choice points at the call of the current clause.
    pub(in crate::prolog) b0: usize,
    /// What the current derivation has assumed, as a list; see `table::delay`.
    pub(in crate::prolog) delays: Cell,
    /// Solutions of the running `findall`s, innermost last, and whether they are undefined.
    pub(in crate::prolog) bags: Vec<Vec<(Record, bool)>>,
    /// Calls whose cleanup is still to run.
    pub(in crate::prolog) cleanups: Cleanups,
    /// A goal to call next, with its cut height.
    pub(in crate::prolog) pending: (Cell, usize),
    /// Arguments of outer structures that `Unify` instructions come back to.
    pub(in crate::prolog) outer: Vec<(usize, bool)>,
    /// The size of the heap at which garbage is next collected.
    pub(in crate::prolog) collect_at: usize,
    /// The least number of cells between two collections.
    pub(in crate::prolog) least_room: usize,
    pub(in crate::prolog) steps: u64,
    /// Steps between two looks at the limits.
    pub(in crate::prolog) poll_interval: u64,
    pub(in crate::prolog) next_poll: u64,
    /// The first step that is too many.
    pub(in crate::prolog) step_limit: u64,
    pub(in crate::prolog) limits: Limits,
    /// Terms that survive backtracking: `nb_setval/2`.
    pub(in crate::prolog) recorded: IndexMap<SymbolId, Record, FxBuildHasher>,
    pub(in crate::prolog) consulted: Consulted,
    /// Of the last exception of the query that nobody caught, innermost first.
    pub(in crate::prolog) backtrace: Vec<CallSite>,
    pub(crate) streams: Streams,
    /// Of `random/1` and its like: the same numbers in every run, unless a program sets it.
    pub(in crate::prolog) random: Xoshiro256PlusPlus,
}

impl Machine {
    /// A machine without predicates. Built-ins are called by their place among `functions`; `tests`
    /// says of each whether it binds nothing.
    pub(in crate::prolog) fn without_predicates(
        functions: Vec<Function>,
        tests: Vec<bool>,
    ) -> Self {
        let mut database = Database::new(tests);
        database.code.extend(stubs());
        Self {
            heap: Heap::new(),
            database,
            tables: Tables::default(),
            flags: Flags::default(),
            output: Sink::default(),
            functions,
            x: Box::new([Cell::ZERO; 256]),
            stack: vec![Cell::from_bits(0); 64],
            choices: Vec::new(),
            saved: Vec::new(),
            e: 0,
            cp: 0,
            b0: 0,
            delays: Cell::atom(atoms::NIL),
            bags: Vec::new(),
            cleanups: Cleanups::default(),
            pending: (Cell::ZERO, 0),
            outer: Vec::new(),
            collect_at: LEAST_ROOM,
            least_room: LEAST_ROOM,
            steps: 0,
            poll_interval: POLL_INTERVAL,
            next_poll: POLL_INTERVAL,
            step_limit: u64::MAX,
            limits: Limits::default(),
            recorded: IndexMap::default(),
            consulted: Consulted::default(),
            backtrace: Vec::new(),
            streams: Streams::default(),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// Has what programs write go to `output`; without it, it is kept for
    /// [`Machine::take_output`].
    pub fn set_output(&mut self, output: Box<dyn Output>) {
        self.output.set(output);
    }

    /// Has programs read standard input and files from `environment`.
    pub fn set_environment(&mut self, environment: Box<dyn Environment>) {
        self.streams.environment = environment;
    }

    /// Gives programs arguments: the flag `argv`, by custom the name of the system first.
    pub fn set_arguments(&mut self, arguments: Vec<String>) {
        self.flags.arguments = arguments;
    }

    /// What programs have written since the last call.
    pub fn take_output(&mut self) -> String {
        self.output.take()
    }

    /// The terms and symbols of this machine: goals and facts given by id live here.
    pub fn store(&self) -> &Store {
        &self.heap.store
    }

    /// The same, to make terms.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.heap.store
    }

    /// Counts a step, and looks at the limits every few thousand.
    #[inline(always)]
    pub(in crate::prolog) fn count_step(&mut self) -> Result<(), Interruption> {
        self.steps += 1;
        if self.steps >= self.next_poll {
            self.poll()?;
        }
        Ok(())
    }

    /// Looks at the limits and sets the step at which to look again.
    #[cold]
    pub(in crate::prolog) fn poll(&mut self) -> Result<(), Interruption> {
        if self.steps >= self.step_limit {
            let limit = self.limits.steps.unwrap_or(u64::MAX);
            return Err(Interruption::Limit(StopReason::StepLimit(limit)));
        }
        if let Some(reason) = self.limits.stop.raised() {
            return Err(Interruption::Limit(reason));
        }
        if let Some(bytes) = self.limits.bytes
            && self.bytes() > bytes
        {
            return Err(Interruption::Limit(StopReason::MemoryLimit));
        }
        // Seldom enough that looking through the choice points costs nothing per retracted clause.
        if self.database.retired() > 256 {
            self.release_retired();
        }
        self.next_poll = (self.steps + self.poll_interval).min(self.step_limit);
        Ok(())
    }

    /// Bytes in use by stacks, terms and tables, about.
    pub fn bytes(&self) -> usize {
        let word = size_of::<Cell>();
        // Lengths, not capacities: the same program stops at the same step wherever memory was allocated before.
        let cells = self.heap.cells.len() + self.top() + self.saved.len();
        cells * word
            + self.heap.trail.len() * size_of::<Undo>()
            + self.choices.len() * size_of::<ChoicePoint>()
            + self.heap.store.len() * 40
            + self.heap.store.symbols().bytes()
            + self.database.code.len() * size_of::<Instruction>()
            + self.tables.bytes()
    }

    /// Frees retracted clauses that no choice point can reach any more.
    fn release_retired(&mut self) {
        let in_use = self.choices.iter().any(|choice| {
            matches!(
                choice.alternative,
                Alternative::Clauses { dynamic: true, .. } | Alternative::Scan(_)
            )
        });
        if !in_use {
            self.database.release(true);
        }
    }

    /// Forgets everything that belongs to a running query.
    pub(in crate::prolog) fn reset(&mut self) {
        self.abandon_tables(0);
        self.heap.undo_to(0);
        self.choices.clear();
        self.cleanups.clear();
        self.saved.clear();
        self.heap.cells.clear();
        self.heap.globals.clear();
        self.heap.barrier = 0;
        self.collect_at = self.least_room;
        self.heap.meter = Meter::default();
        self.bags.clear();
        self.outer.clear();
        self.e = 0;
        self.cp = 0;
        self.delays = Cell::atom(atoms::NIL);
        self.database.release(false);
    }
}
