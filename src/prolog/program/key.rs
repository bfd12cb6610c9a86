//! Keys of clauses: what an index tells them apart by, the constant or functor of one argument.
//!
//! A key looks one level deep, so that it is a single word to compare. It may be the same for terms
//! that differ, never different for terms that unify:
//!
//! ```text
//! a -> a     7 -> 7     1.5, 2^80 -> NUMBER_KEY     f(X, b) -> f/2     [X|Y] -> LIST_KEY     X -> 0
//! ```

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, LIST, REF, STR};
use crate::prolog::terms::record::Record;
use crate::term::{Store, Term, TermId};

/// What clauses are told apart by: the constant or functor of an argument; zero for a variable.
pub(crate) type Key = u64;

/// The key of every list cell.
pub(crate) const LIST_KEY: Key = Cell::functor(atoms::DOT, 2).bits();
/// The key of all numbers that are not small integers.
pub(crate) const NUMBER_KEY: Key = Cell::mark(7).bits();

/// The key of a dereferenced cell.
#[inline(always)]
pub(crate) fn key_of(cells: &[Cell], store: &Store, cell: Cell) -> Key {
    match cell.tag() {
        REF => 0,
        STR => cells[cell.index()].bits(),
        LIST => LIST_KEY,
        BIG | FLOAT => NUMBER_KEY,
        GROUND => store.functor(cell.term()).map_or(NUMBER_KEY, |functor| {
            Cell::functor(functor.symbol, functor.arity as usize).bits()
        }),
        _ => cell.bits(),
    }
}

/// The key of an argument of the head in a record of head and body.
pub(crate) fn key_in_record(store: &Store, record: &Record, position: usize) -> Key {
    let head = record.cells[0];
    let first = match head.tag() {
        STR => head.index() + 1,
        LIST => head.index(),
        _ => return 0,
    };
    let Some(&cell) = record.cells.get(first + position) else {
        return 0;
    };
    match cell.tag() {
        REF => 0,
        STR => record.cells[cell.index()].bits(),
        LIST => LIST_KEY,
        BIG | FLOAT => NUMBER_KEY,
        GROUND => key_in_store(store, cell.term()),
        _ => cell.bits(),
    }
}

/// The key of a ground term of the store.
pub(crate) fn key_in_store(store: &Store, id: TermId) -> Key {
    match store.view(id) {
        Term::Atom(symbol) => Cell::atom(symbol).bits(),
        Term::Text(symbol) => Cell::text(symbol).bits(),
        Term::Integer(value) => Cell::try_small(value).map_or(NUMBER_KEY, Cell::bits),
        Term::Float(_) | Term::Big(_) => NUMBER_KEY,
        Term::Variable(_) => 0,
        Term::Compound(name, arguments) => Cell::functor(name, arguments.len()).bits(),
    }
}
