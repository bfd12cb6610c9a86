//! Copies of terms: within the heap, and as records outside it that survive backtracking.
//!
//! A record is a small heap of its own whose pointers count from its start; putting it back is one
//! pass that adds an offset. Findall, the clause database, exceptions, global variables and
//! suspended consumers all keep their terms this way.
//!
//! The copy is breadth-first (Cheney): the scan pointer runs over cells that still point to the
//! source and replaces them one by one. A variable already copied is marked in the source, and the
//! marks are taken back at the end. Once a copy has more cells than the heap it shares what it has
//! copied, so that copies of cyclic terms are cyclic (see [`super::rational`]).

use rustc_hash::FxHashMap;

use crate::prolog::terms::cell::{BIG, Cell, FLOAT, LIST, REF, STR};
use crate::prolog::terms::heap::Heap;

/// Cells of the room for copies that stay for the next one.
const MOST_KEPT: usize = 1 << 16;

/// Marks a variable of the source that has its place in the copy.
const FORWARD: u64 = 1 << 50;

/// Terms outside the heap. The first cells are the recorded terms, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) cells: Box<[Cell]>,
}

/// What a copy does once it has more cells than the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Long {
    /// Points to what is copied already.
    Share,
    /// Copies shared parts again: each compound stands behind those that contain it.
    Unfold,
}

impl Heap {
    /// Copies terms, which may share variables, to a record.
    pub(crate) fn record(&mut self, roots: &[Cell]) -> Record {
        self.copy_out(roots, Long::Share)
    }

    /// Copies head and body of a clause. Arguments stand behind their compounds, as the compiler requires. Refuses
    /// cyclic ones.
    pub(crate) fn record_clause(&mut self, head: Cell, body: Cell) -> Record {
        self.copy_out(&[head, body], Long::Unfold)
    }

    /// Copies terms breadth first. One loop, since all its cases work on the scan pointer: cells of the copy in front
    /// of it are final, those from it on are still cells of the source.
    fn copy_out(&mut self, roots: &[Cell], long: Long) -> Record {
        let mut copied: FxHashMap<Cell, Cell> = FxHashMap::default();
        let (mut is_checked, mut is_endless) = (false, false);
        let mut limit = self.cells.len();
        let mut target = std::mem::take(&mut self.workspace.copy);
        target.extend_from_slice(roots);
        let mut marked: Vec<u32> = Vec::new();
        let mut scan = 0;
        while scan < target.len() {
            let is_long = scan >= limit;
            if is_long && !std::mem::replace(&mut is_checked, true) {
                // More cells than the source: either parts are shared much, or the term is cyclic. Looked at once.
                is_endless = !roots.iter().all(|&root| self.is_acyclic(root));
                if is_endless && long == Long::Share {
                    // Once more, sharing from the start: the copy is as small as the source.
                    self.unmark(&mut marked);
                    target.clear();
                    target.extend_from_slice(roots);
                    (scan, limit, is_endless) = (0, 0, false);
                    continue;
                }
            }
            if is_endless || !self.may_go_on(target.len() * size_of::<Cell>()) {
                // The rest still points to the source: nothing of it may be kept.
                target.clear();
                target.resize(roots.len(), Cell::ZERO);
                break;
            }
            let cell = self.deref(target[scan]);
            match cell.tag() {
                REF => {
                    // First meeting: the variable lives here in the copy, and its source says so to later meetings.
                    target[scan] = Cell::reference(scan);
                    self.cells[cell.index()] = Cell::mark(FORWARD | scan as u64);
                    marked.push(cell.index() as u32);
                }
                STR | LIST
                    if is_long
                        && long == Long::Share
                        && let Some(&copy) = copied.get(&cell) =>
                {
                    target[scan] = copy;
                }
                STR | LIST | BIG | FLOAT => target[scan] = self.copy_pointee(cell, &mut target),
                _ if cell == Cell::HEADER => scan += 1,
                // A variable already met. Roots may hold marks of their own, without the bit.
                _ if cell.is_mark() && cell.mark_value() & FORWARD != 0 => {
                    target[scan] = Cell::reference((cell.mark_value() ^ FORWARD) as usize);
                }
                _ => target[scan] = cell,
            }
            // From now on what is copied is remembered, so that shared parts are copied once.
            if is_long && matches!(cell.tag(), STR | LIST) {
                copied.insert(cell, target[scan]);
            }
            scan += 1;
        }
        self.unmark(&mut marked);
        if is_endless {
            self.refuse_cycle();
        }
        self.recorded(target)
    }

    /// Appends what a pointer points to, its own pointers still to the source; gives the pointer to the copy.
    #[inline(always)]
    fn copy_pointee(&self, cell: Cell, target: &mut Vec<Cell>) -> Cell {
        let copy = cell.pointing_to(target.len());
        let start = cell.index();
        target.extend_from_slice(match cell.tag() {
            STR => &self.cells[start..=start + self.cells[start].arity()],
            BIG => self.digits_of(cell),
            // Head and tail of a list; header and word of a float.
            _ => &self.cells[start..start + 2],
        });
        copy
    }

    /// The record of these cells, whose room is kept for the next copy.
    fn recorded(&mut self, mut cells: Vec<Cell>) -> Record {
        let record = Record {
            cells: Box::from(cells.as_slice()),
        };
        cells.clear();
        if cells.capacity() <= MOST_KEPT {
            self.workspace.copy = cells;
        }
        record
    }

    /// Makes variables of the source what they were.
    fn unmark(&mut self, marked: &mut Vec<u32>) {
        for index in marked.drain(..) {
            self.cells[index as usize] = Cell::reference(index as usize);
        }
    }

    /// Puts a record on the heap; gives the index of its first term.
    pub(crate) fn replay(&mut self, record: &Record) -> usize {
        let offset = self.cells.len();
        self.cells.reserve(record.cells.len());
        let mut raw = false;
        for &cell in &record.cells {
            self.cells
                .push(if raw { cell } else { cell.relocated(offset) });
            // The word behind a header is a float and must not be moved, whatever its bits look like.
            raw = !raw && cell == Cell::HEADER;
        }
        offset
    }

    /// Puts a record with one term on the heap.
    pub(crate) fn recall(&mut self, record: &Record) -> Cell {
        let Some(&first) = record.cells.first() else {
            return Cell::ZERO;
        };
        // An immediate cell or an id of the store is its own copy.
        if record.cells.len() == 1 && !first.is_ref() {
            return first;
        }
        let start = self.replay(record);
        self.cells[start]
    }

    /// A copy with fresh variables.
    pub(crate) fn copy(&mut self, term: Cell) -> Cell {
        let term = self.deref(term);
        if !matches!(term.tag(), REF | STR | LIST) {
            return term;
        }
        let record = self.record(&[term]);
        self.recall(&record)
    }
}
