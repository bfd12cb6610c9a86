//! Structures in heads and bodies: matched against what is there, or built where there is nothing.
//!
//! In read mode an instruction goes along the arguments of a structure that exists, in write mode it
//! fills those of a new one [AK91]. A head that meets an unbound variable changes to write mode, so
//! one instruction serves both.

use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{Cell, GROUND, LIST, REF, STR};

/// The structure in work.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub(super) s: usize,
    pub(super) write: bool,
}

impl Cursor {
    /// At the arguments of a structure that exists.
    #[inline(always)]
    fn reading(s: usize) -> Self {
        Self { s, write: false }
    }
}

impl Machine {
    #[inline(always)]
    pub(super) fn match_constant(&mut self, cell: Cell, constant: Cell) -> bool {
        let cell = self.heap.deref(cell);
        if cell == constant {
            return true;
        }
        if cell.tag() == REF {
            self.heap.bind(cell.index(), constant);
            return true;
        }
        // A ground constant may be a number in another representation.
        constant.tag() == GROUND && self.heap.unify(cell, constant)
    }

    #[inline(always)]
    pub(super) fn new_list(&mut self) -> Cursor {
        let s = self.heap.cells.len();
        self.heap.cells.extend_from_slice(&[Cell::ZERO; 2]);
        Cursor { s, write: true }
    }

    #[inline(always)]
    pub(super) fn new_structure(&mut self, functor: Cell) -> Cursor {
        let start = self.heap.cells.len();
        self.heap.cells.push(functor);
        self.heap
            .cells
            .resize(start + 1 + functor.arity(), Cell::ZERO);
        Cursor {
            s: start + 1,
            write: true,
        }
    }

    /// The arguments of a list cell; none if the term is none and cannot become one.
    #[inline(always)]
    pub(super) fn match_list(&mut self, cell: Cell) -> Option<Cursor> {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            LIST => Some(Cursor::reading(cell.index())),
            REF => {
                let cursor = self.new_list();
                self.heap.bind(cell.index(), Cell::list(cursor.s));
                Some(cursor)
            }
            GROUND => self.open_list(cell),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn open_list(&mut self, cell: Cell) -> Option<Cursor> {
        // A hash-consed list becomes cells when somebody looks inside.
        let cell = self.heap.expose(cell);
        (cell.tag() == LIST).then(|| Cursor::reading(cell.index()))
    }

    /// `[X|Xs]` with both variables new: what they are. Both cells of a new list are written at once.
    #[inline(always)]
    pub(super) fn match_list_variables(&mut self, cell: Cell) -> Option<(Cell, Cell)> {
        let cell = self.heap.deref(cell);
        let index = match cell.tag() {
            LIST => cell.index(),
            REF => {
                let (head, tail) = self.new_list_variables();
                self.heap.bind(cell.index(), Cell::list(head.index()));
                return Some((head, tail));
            }
            GROUND => self.open_list(cell)?.s,
            _ => return None,
        };
        let pair = &self.heap.cells[index..index + 2];
        Some((pair[0], pair[1]))
    }

    #[inline(always)]
    fn new_list_variables(&mut self) -> (Cell, Cell) {
        let index = self.heap.cells.len();
        let (head, tail) = (Cell::reference(index), Cell::reference(index + 1));
        self.heap.cells.extend_from_slice(&[head, tail]);
        (head, tail)
    }

    /// `[X|Xs]` with X known and Xs new: what Xs is.
    #[inline(always)]
    pub(super) fn match_list_value(&mut self, cell: Cell, value: Cell) -> Option<Cell> {
        let cell = self.heap.deref(cell);
        let index = match cell.tag() {
            LIST => cell.index(),
            REF => {
                let index = self.heap.cells.len();
                let tail = Cell::reference(index + 1);
                self.heap.cells.extend_from_slice(&[value, tail]);
                self.heap.bind(cell.index(), Cell::list(index));
                return Some(tail);
            }
            GROUND => self.open_list(cell)?.s,
            _ => return None,
        };
        let pair = &self.heap.cells[index..index + 2];
        let (head, tail) = (pair[0], pair[1]);
        self.heap.unify(head, value).then_some(tail)
    }

    /// The arguments of a structure; none if the term is another one and cannot become it.
    #[inline(always)]
    pub(super) fn match_structure(&mut self, cell: Cell, functor: Cell) -> Option<Cursor> {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            STR => (self.heap.cells[cell.index()] == functor)
                .then(|| Cursor::reading(cell.index() + 1)),
            REF => {
                let cursor = self.new_structure(functor);
                self.heap.bind(cell.index(), Cell::structure(cursor.s - 1));
                Some(cursor)
            }
            GROUND => self.open_structure(cell, functor),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn open_structure(&mut self, cell: Cell, functor: Cell) -> Option<Cursor> {
        if self.heap.functor(cell) != Some((functor.symbol(), functor.arity())) {
            return None;
        }
        let cell = self.heap.expose(cell);
        (cell.tag() == STR).then(|| Cursor::reading(cell.index() + 1))
    }

    /// The next argument, a new variable if the structure is being built.
    #[inline(always)]
    pub(super) fn next_argument(&mut self, cursor: &mut Cursor) -> Cell {
        let index = cursor.s;
        cursor.s += 1;
        if cursor.write {
            self.heap.cells[index] = Cell::reference(index);
            Cell::reference(index)
        } else {
            self.heap.cells[index]
        }
    }

    #[inline(always)]
    pub(super) fn unify_argument(&mut self, value: Cell, cursor: &mut Cursor) -> bool {
        let index = cursor.s;
        cursor.s += 1;
        if cursor.write {
            self.heap.cells[index] = value;
            true
        } else {
            let cell = self.heap.cells[index];
            self.heap.unify(cell, value)
        }
    }

    #[inline(always)]
    pub(super) fn enter_list(&mut self, outer: Cursor) -> Option<Cursor> {
        if outer.write {
            let inner = self.new_list();
            // The place was reserved when the outer structure was begun, so that building goes from the outside in.
            self.heap.cells[outer.s] = Cell::list(inner.s);
            Some(inner)
        } else {
            let cell = self.heap.cells[outer.s];
            self.match_list(cell)
        }
    }

    #[inline(always)]
    pub(super) fn enter_structure(&mut self, functor: Cell, outer: Cursor) -> Option<Cursor> {
        if outer.write {
            let inner = self.new_structure(functor);
            self.heap.cells[outer.s] = Cell::structure(inner.s - 1);
            Some(inner)
        } else {
            let cell = self.heap.cells[outer.s];
            self.match_structure(cell, functor)
        }
    }
}
