//! Arguments of built-in and control predicates: read from the first registers, checked, and unified
//! with results. The errors are those that [ISO] demands of an argument of the kind.

use num_bigint::{BigInt, Sign};

use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, INT, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;
use crate::prolog::terms::lexical::float_text;
use crate::term::SymbolId;

impl Machine {
    /// An argument, dereferenced.
    pub(in crate::prolog) fn arg(&self, position: usize) -> Cell {
        self.heap.deref(self.x[position])
    }

    /// Unifies an argument with a term.
    pub(in crate::prolog) fn unify_arg(&mut self, position: usize, value: Cell) -> Outcome {
        Ok(self.heap.unify(self.x[position], value))
    }

    /// An argument that must be an atom.
    pub(in crate::prolog) fn atom_arg(
        &mut self,
        position: usize,
    ) -> Result<SymbolId, Interruption> {
        let cell = self.arg(position);
        self.as_atom(cell)
    }

    pub(in crate::prolog) fn as_atom(&mut self, cell: Cell) -> Result<SymbolId, Interruption> {
        let cell = self.heap.deref(cell);
        if cell.is_atom() {
            Ok(cell.symbol())
        } else {
            Err(error::type_error(&mut self.heap, "atom", cell))
        }
    }

    /// An argument that must be an integer.
    pub(in crate::prolog) fn integer_arg(&mut self, position: usize) -> Result<i64, Interruption> {
        let cell = self.arg(position);
        self.as_integer(cell)
    }

    pub(in crate::prolog) fn as_integer(&mut self, cell: Cell) -> Result<i64, Interruption> {
        let cell = self.heap.deref(cell);
        match self.heap.integer_value(cell) {
            Some(value) => Ok(value),
            // No size, position or code is as large.
            None if cell.tag() == BIG => {
                Err(error::representation_error(&mut self.heap, "max_integer"))
            }
            None => Err(error::type_error(&mut self.heap, "integer", cell)),
        }
    }

    /// An integer, or the one of 64 bits that is nearest to it: for places and lengths, which none beyond can be.
    pub(in crate::prolog) fn as_nearest(&mut self, cell: Cell) -> Result<i64, Interruption> {
        let cell = self.heap.deref(cell);
        // All but few fit a word: `arg/3` in a loop shall not make large integers.
        if let Some(value) = self.heap.integer_value(cell) {
            return Ok(value);
        }
        Ok(match self.as_big_integer(cell)?.sign() {
            Sign::Minus => i64::MIN,
            Sign::NoSign | Sign::Plus => i64::MAX,
        })
    }

    /// An integer of any size.
    pub(in crate::prolog) fn as_big_integer(&mut self, cell: Cell) -> Result<BigInt, Interruption> {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            INT => Ok(BigInt::from(cell.small_value())),
            BIG => Ok(self.heap.big_value(cell)),
            _ => Err(error::type_error(&mut self.heap, "integer", cell)),
        }
    }

    /// An argument that must be a proper list.
    pub(in crate::prolog) fn list_arg(
        &mut self,
        position: usize,
    ) -> Result<Vec<Cell>, Interruption> {
        let cell = self.arg(position);
        self.as_list(cell)
    }

    pub(in crate::prolog) fn as_list(&mut self, cell: Cell) -> Result<Vec<Cell>, Interruption> {
        let (elements, rest) = self.heap.read_list(cell);
        if rest == Cell::atom(atoms::NIL) {
            Ok(elements)
        } else if rest.tag() == REF {
            Err(error::instantiation(&mut self.heap))
        } else {
            Err(error::type_error(&mut self.heap, "list", cell))
        }
    }

    /// An argument that may become a list.
    pub(in crate::prolog) fn check_partial_list(
        &mut self,
        position: usize,
    ) -> Result<(), Interruption> {
        let cell = self.arg(position);
        let (_, rest) = self.heap.read_list(cell);
        // `[a|X]` may become a list, `[a|b]` never.
        if rest.tag() == REF || rest == Cell::atom(atoms::NIL) {
            Ok(())
        } else {
            Err(error::type_error(&mut self.heap, "list", cell))
        }
    }

    /// The text of an atom, string, number, or list of codes or characters; none for others.
    pub(in crate::prolog) fn text_of_any(&mut self, cell: Cell) -> Option<String> {
        match self.heap.view(cell) {
            TermView::Atom(atoms::NIL) => Some("[]".to_owned()),
            TermView::Atom(name) | TermView::Text(name) => Some(self.heap.name(name).to_owned()),
            TermView::Integer(value) => Some(value.to_string()),
            TermView::Big(cell) => Some(self.heap.big_value(cell).to_string()),
            TermView::Float(value) => Some(float_text(value)),
            TermView::Compound(atoms::DOT, 2, _) => self.text_of_list(cell),
            TermView::Compound(..) | TermView::Variable(_) => None,
        }
    }

    /// The text of a list of codes or characters.
    pub(in crate::prolog) fn text_of_list(&mut self, cell: Cell) -> Option<String> {
        let (elements, rest) = self.heap.read_list(cell);
        if rest != Cell::atom(atoms::NIL) {
            return None;
        }
        let mut text = String::with_capacity(elements.len());
        let mut has_codes = None;
        for element in elements {
            // Codes or characters, never both.
            let is_code = self.heap.integer_value(element).is_some();
            if *has_codes.get_or_insert(is_code) != is_code {
                return None;
            }
            match self.heap.view(element) {
                TermView::Integer(code) => text.push(char::from_u32(u32::try_from(code).ok()?)?),
                TermView::Atom(name) => {
                    let mut characters = self.heap.name(name).chars();
                    text.push(characters.next()?);
                    if characters.next().is_some() {
                        return None;
                    }
                }
                TermView::Text(_)
                | TermView::Float(_)
                | TermView::Big(_)
                | TermView::Variable(_)
                | TermView::Compound(..) => {
                    return None;
                }
            }
        }
        Some(text)
    }

    /// The text of an argument; a variable is not instantiated enough.
    pub(in crate::prolog) fn text_arg(&mut self, position: usize) -> Result<String, Interruption> {
        let cell = self.arg(position);
        self.as_text(cell, "atomic")
    }

    pub(in crate::prolog) fn as_text(
        &mut self,
        cell: Cell,
        expected: &str,
    ) -> Result<String, Interruption> {
        match self.text_of_any(cell) {
            Some(text) => Ok(text),
            None => Err(error::type_error(&mut self.heap, expected, cell)),
        }
    }
}
