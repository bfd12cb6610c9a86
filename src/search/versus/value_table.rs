//! The values of all reachable states, as a strong solution leaves them: a table that can be kept and asked later.
//!
//! A row is a state, one bit for each fluent that holds in some state, and rows are ascending, so that a state is found
//! by bisection and takes few bytes in a file ([`table_file`](super::table_file)).

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::gdl::{FluentId, State};
use crate::limits::{StopFlag, StopReason};
use crate::search::versus::kind::Kind;
use crate::search::versus::worth::Bounds;

/// States between two polls of the limits.
const INTERVAL: usize = 1 << 16;

/// What every reachable state of a game is worth to each role.
///
/// # Examples
/// ```
/// use flux::workbench::Workbench;
///
/// let mut game = Workbench::read(include_str!("../../../kb/games/tic_tac_toe.gdl"))?;
/// let start = game.initial_state()?;
/// let table = game.value_table(start.clone())?.expect("few states");
/// assert_eq!(table.len(), 5478);
/// let bounds = table.find(&start).expect("it is reachable");
/// assert_eq!(bounds[0].at_least.value().map(|value| value.0), Some(50));
/// # Ok::<(), flux::workbench::WorkbenchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    /// The fluents that hold in some state, in the order of the bits of a row.
    pub(super) fluents: Vec<FluentId>,
    /// What sort of game it is.
    pub(super) kind: Kind,
    /// Rows of [`ValueTable::width`] bytes, ascending, each once.
    pub(super) rows: Vec<u8>,
    /// By row, the number of its bounds.
    pub(super) values: Vec<u16>,
    /// Bounds of all roles, by number.
    pub(super) bounds: Vec<Vec<Bounds>>,
}

/// Shows all states of a solution with what they are worth, one after the other; states may come in any order.
pub(super) type Visit<'v> = dyn FnMut(&State, &[Bounds]) + 'v;

impl ValueTable {
    /// The table of the states that `all` shows, which is asked twice: for the fluents, and for the rows. None if states or
    /// their values are more than can be numbered.
    ///
    /// # Errors
    /// Why it was stopped.
    pub(super) fn of(
        kind: Kind,
        stop: &StopFlag,
        mut all: impl FnMut(&mut Visit<'_>),
    ) -> Result<Option<Self>, StopReason> {
        let mut held = State::default();
        let mut states = 0_u32;
        all(&mut |state, _| {
            state.fluents().for_each(|fluent| held.insert(fluent));
            states = states.saturating_add(1);
        });
        if states == u32::MAX {
            return Ok(None);
        }
        let mut unsorted = UnsortedRows::new(held.fluents().collect(), states);
        let mut stopped = None;
        all(&mut |state, bounds| {
            if unsorted.values.len().is_multiple_of(INTERVAL) {
                stopped = stopped.or(stop.raised());
            }
            if stopped.is_none() {
                unsorted.push(state, bounds);
            }
        });
        if let Some(reason) = stopped {
            return Err(reason);
        }
        if unsorted.numbers.len() > usize::from(u16::MAX) {
            return Ok(None);
        }
        unsorted.sorted(kind, stop).map(Some)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What sort of game it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What a state is worth to each role, in their order; none if it is not among those that were reached.
    pub fn find(&self, state: &State) -> Option<&[Bounds]> {
        let mut asked = vec![0; self.width()];
        // A fluent that holds in no state of the table has no bit: such a state was not reached.
        if write_row(&self.fluents, state, &mut asked) < state.fluents().count() {
            return None;
        }
        let (mut first, mut end) = (0, self.len());
        while first < end {
            let middle = first.midpoint(end);
            match self.row(middle).cmp(&asked) {
                std::cmp::Ordering::Less => first = middle + 1,
                std::cmp::Ordering::Equal => {
                    return Some(&self.bounds[usize::from(self.values[middle])]);
                }
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    /// Bytes of a row.
    pub(super) fn width(&self) -> usize {
        self.fluents.len().div_ceil(8)
    }

    pub(super) fn row(&self, at: usize) -> &[u8] {
        &self.rows[at * self.width()..][..self.width()]
    }
}

/// The rows of a table in the order in which states are shown. States are numbered in 32 bits and values in 16, as
/// tens of millions of them have to be sorted.
struct UnsortedRows {
    fluents: Vec<FluentId>,
    width: usize,
    rows: Vec<u8>,
    values: Vec<u16>,
    /// Bounds of all roles, each once.
    numbers: IndexSet<Vec<Bounds>, FxBuildHasher>,
}

impl UnsortedRows {
    fn new(fluents: Vec<FluentId>, states: u32) -> Self {
        let width = fluents.len().div_ceil(8);
        Self {
            fluents,
            width,
            rows: vec![0; states as usize * width],
            values: Vec::with_capacity(states as usize),
            numbers: IndexSet::default(),
        }
    }

    fn push(&mut self, state: &State, bounds: &[Bounds]) {
        let row = &mut self.rows[self.values.len() * self.width..][..self.width];
        write_row(&self.fluents, state, row);
        let number = match self.numbers.get_index_of(bounds) {
            Some(known) => known,
            None => self.numbers.insert_full(bounds.to_vec()).0,
        };
        // Where there are too many numbers, what is cut off here is never read.
        self.values.push(number as u16);
    }

    fn sorted(self, kind: Kind, stop: &StopFlag) -> Result<ValueTable, StopReason> {
        let row = |at: u32| &self.rows[at as usize * self.width..][..self.width];
        let mut order: Vec<u32> = (0..self.values.len() as u32).collect();
        order.sort_unstable_by_key(|&at| row(at));
        stop.poll()?;
        Ok(ValueTable {
            rows: order.iter().flat_map(|&at| row(at)).copied().collect(),
            values: order.iter().map(|&at| self.values[at as usize]).collect(),
            bounds: self.numbers.into_iter().collect(),
            fluents: self.fluents,
            kind,
        })
    }
}

/// Writes the bits of a state into a row of zeros; gives their number.
fn write_row(fluents: &[FluentId], state: &State, row: &mut [u8]) -> usize {
    let mut held = 0;
    for (bit, &fluent) in fluents.iter().enumerate() {
        if state.contains(fluent) {
            row[bit / 8] |= 0x80 >> (bit % 8);
            held += 1;
        }
    }
    held
}
