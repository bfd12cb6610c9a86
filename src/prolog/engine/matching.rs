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

    #[inline(always)]
    pub(super) fn match_list(&mut self, cell: Cell, cursor: &mut Cursor) -> bool {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            LIST => {
                *cursor = Cursor {
                    s: cell.index(),
                    write: false,
                };
                true
            }
            REF => {
                *cursor = self.new_list();
                self.heap.bind(cell.index(), Cell::list(cursor.s));
                true
            }
            GROUND => self.open_list(cell, cursor),
            _ => false,
        }
    }

    #[cold]
    fn open_list(&mut self, cell: Cell, cursor: &mut Cursor) -> bool {
        let cell = self.heap.expose(cell);
        // A hash-consed list becomes cells when somebody looks inside.
        *cursor = Cursor {
            s: cell.index(),
            write: false,
        };
        cell.tag() == LIST
    }

    #[inline(always)]
    pub(super) fn match_structure(
        &mut self,
        cell: Cell,
        functor: Cell,
        cursor: &mut Cursor,
    ) -> bool {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            STR => {
                *cursor = Cursor {
                    s: cell.index() + 1,
                    write: false,
                };
                self.heap.cells[cell.index()] == functor
            }
            REF => {
                *cursor = self.new_structure(functor);
                self.heap.bind(cell.index(), Cell::structure(cursor.s - 1));
                true
            }
            GROUND => self.open_structure(cell, functor, cursor),
            _ => false,
        }
    }

    #[cold]
    fn open_structure(&mut self, cell: Cell, functor: Cell, cursor: &mut Cursor) -> bool {
        if self.heap.functor(cell) != Some((functor.symbol(), functor.arity())) {
            return false;
        }
        let cell = self.heap.expose(cell);
        *cursor = Cursor {
            s: cell.index() + 1,
            write: false,
        };
        cell.tag() == STR
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
    pub(super) fn enter_list(&mut self, cursor: &mut Cursor) -> bool {
        if cursor.write {
            let index = cursor.s;
            *cursor = self.new_list();
            // The place was reserved when the outer structure was begun, so that building goes from the outside in.
            self.heap.cells[index] = Cell::list(cursor.s);
            true
        } else {
            let cell = self.heap.cells[cursor.s];
            self.match_list(cell, cursor)
        }
    }

    #[inline(always)]
    pub(super) fn enter_structure(&mut self, functor: Cell, cursor: &mut Cursor) -> bool {
        if cursor.write {
            let index = cursor.s;
            *cursor = self.new_structure(functor);
            self.heap.cells[index] = Cell::structure(cursor.s - 1);
            true
        } else {
            let cell = self.heap.cells[cursor.s];
            self.match_structure(cell, functor, cursor)
        }
    }
}
