//! Garbage collection of the heap, so that a computation that never backtracks runs in bounded
//! space: what can be reached is marked, then slid down.
//!
//! Sliding keeps the order of cells: choice points cut the heap at a height, and unbound variables
//! compare by age. A bit per cell says what is live; the new place of a cell is the number of live
//! cells before it. Roots are the arguments of the call at which the collection runs, the
//! environments and saved arguments of everything that can still be returned or backtracked to,
//! delays, global variables, and old contents on the trail. Cells below the query's own choice
//! point stay where they are, because whoever asked holds them.
//!
//! Environments protected by a choice point are not undone when it is backtracked to, so a slot
//! that its clause has yet to fill may hold a pointer to what is gone. Such a pointer is cleared unless it happens to
//! point to a well-formed term, see [`is_sound`]; then it keeps garbage alive that is never read.

use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::FRAME_HEADER;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, LIST, REF, STR};
use crate::prolog::terms::heap::Undo;

/// Says in the second word of an environment that it has been visited.
const VISITED: u64 = 1 << 63;

/// One bit a cell.
struct Live {
    words: Vec<u64>,
    /// Live cells in front of each word.
    before: Vec<u32>,
}

impl Live {
    fn new(cells: usize) -> Self {
        Self {
            words: vec![0; cells / 64 + 1],
            before: Vec::new(),
        }
    }

    /// Whether the cell was not marked before.
    fn insert(&mut self, index: usize) -> bool {
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn contains(&self, index: usize) -> bool {
        self.words[index / 64] & 1 << (index % 64) != 0
    }

    fn count(&mut self) {
        let mut sum = 0;
        self.before = self
            .words
            .iter()
            .map(|word| {
                let before = sum;
                sum += word.count_ones();
                before
            })
            .collect();
    }

    /// The number of live cells before `index`: its new place.
    fn place(&self, index: usize) -> usize {
        let below = self.words[index / 64] & ((1 << (index % 64)) - 1);
        self.before[index / 64] as usize + below.count_ones() as usize
    }
}

/// The cells of the heap while they are marked.
struct Marking<'h> {
    cells: &'h [Cell],
    live: Live,
    work: Vec<Cell>,
}

impl Marking<'_> {
    /// Marks all that a root reaches; a root that points nowhere is cleared.
    fn root(&mut self, cell: &mut Cell) {
        if is_sound(self.cells, *cell) {
            self.reach(*cell);
        } else {
            *cell = Cell::ZERO;
        }
    }

    fn reach(&mut self, cell: Cell) {
        self.work.push(cell);
        self.finish();
    }

    /// Marks what is reached by what is marked already.
    fn finish(&mut self) {
        while let Some(cell) = self.work.pop() {
            debug_assert!(is_sound(self.cells, cell), "{cell:?} points to no term");
            let index = cell.index();
            match cell.tag() {
                REF => self.visit(index),
                LIST => {
                    self.visit(index + 1);
                    self.visit(index);
                }
                STR => {
                    let arity = self.cells[index].arity();
                    (index..=index + arity).rev().for_each(|at| self.visit(at));
                }
                BIG => {
                    let end = index + self.cells[index].digit_count();
                    for at in index..=end {
                        self.live.insert(at);
                    }
                }
                FLOAT => {
                    self.live.insert(index);
                    self.live.insert(index + 1);
                }
                _ => {}
            }
        }
    }

    fn visit(&mut self, index: usize) {
        let cell = self.cells[index];
        if self.live.insert(index) && matches!(cell.tag(), REF | STR | LIST | BIG | FLOAT) {
            self.work.push(cell);
        }
    }

    /// Keeps the first cells, whatever they are.
    fn keep(&mut self, end: usize) {
        let mut index = 0;
        while index < end {
            self.visit(index);
            if self.cells[index] == Cell::HEADER && index + 1 < end {
                index += 1;
                self.live.insert(index);
            }
            index += 1;
        }
        self.finish();
    }
}

/// Whether a pointer points to what its tag says; all other cells do. Everything that a sound cell reaches is sound,
/// since the heap itself holds no pointers to what is gone.
pub(in crate::prolog) fn is_sound(cells: &[Cell], cell: Cell) -> bool {
    let index = cell.index();
    match cell.tag() {
        REF => is_term(cells, index),
        LIST => is_term(cells, index) && is_term(cells, index + 1),
        STR => cells.get(index).is_some_and(|functor| {
            functor.is_functor()
                && functor.arity() < cells.len() - index
                && !is_number_word(cells, index)
        }),
        BIG => cells.get(index).is_some_and(|header| {
            header.is_digits_header()
                && header.digit_count() < cells.len() - index
                && !is_number_word(cells, index)
        }),
        FLOAT => {
            index + 1 < cells.len() && cells[index] == Cell::HEADER && !is_number_word(cells, index)
        }
        _ => true,
    }
}

/// Whether there is a cell at an index that can be an argument: no functor, header or word of a float.
fn is_term(cells: &[Cell], index: usize) -> bool {
    cells.get(index).is_some_and(|&cell| {
        !cell.is_functor()
            && cell != Cell::HEADER
            && !cell.is_digits_header()
            && !is_number_word(cells, index)
    })
}

/// Whether the word at an index is the value of a float. It is if the word in front of it is a header, and that
/// is one unless it is a value itself: in a run of words that look like headers every second one is a value.
fn is_number_word(cells: &[Cell], index: usize) -> bool {
    let headers = cells[..index].iter().rev();
    headers.take_while(|&&cell| cell == Cell::HEADER).count() % 2 == 1
}

impl Machine {
    /// Collects garbage and looks at the limits at every call from now on: slow, but whatever a
    /// collection breaks shows at once. For tests.
    pub fn collect_at_every_call(&mut self) {
        (self.poll_interval, self.next_poll) = (1, 0);
        (self.least_room, self.collect_at) = (0, 0);
    }

    /// Has the next call collect garbage.
    pub(in crate::prolog) fn collect_soon(&mut self) {
        (self.next_poll, self.collect_at) = (0, 0);
    }

    /// Whether enough has been built since the last collection.
    pub(in crate::prolog) fn is_collection_due(&self) -> bool {
        self.heap.cells.len() >= self.collect_at
    }

    /// Frees what nothing reaches, at a call with so many arguments in registers.
    pub(in crate::prolog) fn collect(&mut self, arguments: usize) {
        let live = self.mark(arguments);
        self.forget_bindings(&live);
        self.slide(&live);
        self.move_roots(&live, arguments);
        // Work is in proportion to what is live: wait until as much again has been built.
        let kept = self.heap.cells.len() + self.top() + self.saved.len() + self.heap.trail.len();
        let room = if self.least_room == 0 {
            0
        } else {
            kept.max(self.least_room)
        };
        self.collect_at = self.heap.cells.len() + room;
    }

    fn mark(&mut self, arguments: usize) -> Live {
        let mut choices = self.choices.iter().rev();
        // Whoever runs the query holds heap indices of its goal: what is older than the query does not move.
        let query = choices.find(|choice| choice.alternative == Alternative::Query);
        let fixed = query.map_or(0, |choice| choice.heap as usize);
        let mut marking = Marking {
            cells: &self.heap.cells,
            live: Live::new(self.heap.cells.len()),
            work: Vec::new(),
        };
        marking.keep(fixed);
        let mut root = |cell: &mut Cell| marking.root(cell);
        self.x[..arguments].iter_mut().for_each(&mut root);
        self.saved.iter_mut().for_each(&mut root);
        root(&mut self.delays);
        self.choices
            .iter_mut()
            .for_each(|choice| root(&mut choice.delays));
        self.heap.globals.values_mut().for_each(&mut root);
        // Old contents come back on backtracking; a reset variable is a cell that is marked or dead anyway.
        for undo in &mut self.heap.trail {
            match undo {
                Undo::Unbind(_) => {}
                Undo::Restore(_, old) | Undo::Global(_, old) => root(old),
            }
        }
        let frames = self.choices.iter().map(|choice| choice.e as usize);
        for frame in frames.chain([self.e]) {
            // Choice points share environments: each is visited once, marked by a bit that the second pass takes back.
            each_frame(&mut self.stack, frame, false, &mut root);
        }
        let mut live = marking.live;
        live.count();
        live
    }

    /// Drops from the trail what concerns dead cells.
    fn forget_bindings(&mut self, live: &Live) {
        let mut choices = self.choices.iter_mut().peekable();
        let mut kept = 0;
        for position in 0..=self.heap.trail.len() {
            // Choice points remember heights of the trail, which shrinks in front of them.
            while let Some(choice) = choices.next_if(|choice| choice.trail as usize == position) {
                choice.trail = kept as u32;
            }
            let Some(&undo) = self.heap.trail.get(position) else {
                break;
            };
            let moved = match undo {
                Undo::Unbind(index) if live.contains(index as usize) => {
                    Undo::Unbind(live.place(index as usize) as u32)
                }
                Undo::Restore(index, old) if live.contains(index as usize) => {
                    Undo::Restore(live.place(index as usize) as u32, live.moved(old))
                }
                // A dead cell need not be reset: nothing that backtracking restores can reach it.
                Undo::Unbind(_) | Undo::Restore(..) => continue,
                Undo::Global(name, old) => Undo::Global(name, live.moved(old)),
            };
            self.heap.trail[kept] = moved;
            kept += 1;
        }
        self.heap.trail.truncate(kept);
    }

    fn slide(&mut self, live: &Live) {
        let cells = &mut self.heap.cells;
        let mut to = 0;
        // Behind the header of a number stands what is no cell.
        let mut number = usize::MAX;
        for (position, &word) in live.words.iter().enumerate() {
            let mut rest = word;
            // Word by word over the bits: dead stretches cost one comparison in 64 cells.
            while rest != 0 {
                let index = position * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let cell = cells[index];
                let is_number = index == number;
                cells[to] = if is_number { cell } else { live.moved(cell) };
                if !is_number && cell == Cell::HEADER {
                    number = index + 1;
                }
                to += 1;
            }
        }
        cells.truncate(to);
    }

    fn move_roots(&mut self, live: &Live, arguments: usize) {
        let mut follow = |cell: &mut Cell| *cell = live.moved(*cell);
        self.x[..arguments].iter_mut().for_each(&mut follow);
        self.saved.iter_mut().for_each(&mut follow);
        follow(&mut self.delays);
        self.heap.globals.values_mut().for_each(&mut follow);
        for choice in &mut self.choices {
            follow(&mut choice.delays);
            // The segments of choice points keep their order, so that their limits are places like any other.
            choice.heap = live.place(choice.heap as usize) as u32;
        }
        let frames = self.choices.iter().map(|choice| choice.e as usize);
        for frame in frames.chain([self.e]) {
            each_frame(&mut self.stack, frame, true, &mut follow);
        }
        self.reset_barrier();
    }
}

impl Live {
    /// The same cell, pointing to where its target will be.
    fn moved(&self, cell: Cell) -> Cell {
        match cell.tag() {
            REF | STR | LIST | BIG | FLOAT if cell.index() / 64 < self.words.len() => {
                cell.pointing_to(self.place(cell.index()))
            }
            _ => cell,
        }
    }
}

/// Visits the slots of an environment and of those it returns to, up to the first whose mark is
/// not as it was: each once, however many choice points share it.
fn each_frame(
    stack: &mut [Cell],
    mut frame: usize,
    visited: bool,
    visit: &mut impl FnMut(&mut Cell),
) {
    while frame != 0 {
        let word = stack[frame + 1].bits();
        if (word & VISITED != 0) != visited {
            return;
        }
        stack[frame + 1] = Cell::from_bits(word ^ VISITED);
        let size = (word >> 32) as usize & 0xFF_FFFF;
        let first = frame + FRAME_HEADER;
        stack[first..first + size].iter_mut().for_each(&mut *visit);
        frame = stack[frame].bits() as usize;
    }
}
