//! The clause to be compiled: a record of head and body.

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::terms::heap::{digits_at, value_of_digits};
use crate::prolog::terms::intern::intern_integer;
use crate::prolog::terms::record::Record;
use crate::term::{Store, TermId};

/// A clause with what is known about its cells.
pub(super) struct RecordedClause<'c> {
    pub(super) record: &'c Record,
    /// Whether the term at this index of the record is ground.
    ground: Vec<bool>,
    /// Ground compounds become terms of the store.
    pub(super) interns: bool,
}

impl<'c> RecordedClause<'c> {
    pub(super) fn new(record: &'c Record, interns: bool) -> Self {
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
    pub(super) fn at(&self, index: usize) -> Cell {
        let cell = self.record.cells[index];
        if cell.tag() == REF {
            Cell::reference(cell.index())
        } else {
            cell
        }
    }

    /// Functor cell and index of the first argument of a compound.
    pub(super) fn compound(&self, cell: Cell) -> Option<(Cell, usize)> {
        match cell.tag() {
            STR => Some((self.record.cells[cell.index()], cell.index() + 1)),
            LIST => Some((Cell::functor(atoms::DOT, 2), cell.index())),
            _ => None,
        }
    }

    pub(super) fn is_ground(&self, cell: Cell) -> bool {
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
    pub(super) fn intern(&self, store: &mut Store, cell: Cell) -> TermId {
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
                    // Entered once before and once behind its arguments: then the last ids are theirs.
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
            INT => store.integer(cell.small_value()),
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
        // Header, value, header, value: a value that looks like a header does not make its neighbour a value.
        is_number[index] = cells[index - 1] == Cell::HEADER && !is_number[index - 1];
    }
    is_number
}
