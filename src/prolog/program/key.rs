//! Keys of clauses: what an index tells them apart by, the constant or functor of one argument.
//!
//! A key looks one level deep, so that it is a single word to compare. It may be the same for terms
//! that differ, never different for terms that unify:
//!
//! ```text
//! a -> a     7 -> 7     1.5, 2^80 -> NUMBER     f(X, b) -> f/2     [X|Y] -> LIST     X -> VARIABLE
//! ```

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, LIST, REF, STR};
use crate::prolog::terms::record::Record;
use crate::term::{Store, Term, TermId};

/// What clauses are told apart by: the constant or functor of an argument, as the bits of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    /// The key of a variable, which no constant and no functor has.
    pub(crate) const VARIABLE: Self = Self(0);
    /// The key of every list cell.
    const LIST: Self = Self::of(Cell::functor(atoms::DOT, 2));
    /// The key of all numbers that are not small integers.
    const NUMBER: Self = Self::of(Cell::mark(7));

    /// The key of a constant or a functor.
    #[inline(always)]
    const fn of(cell: Cell) -> Self {
        Self(cell.bits())
    }

    /// Whether terms with these keys may unify: a variable does with everything.
    #[inline(always)]
    pub(crate) fn may_match(self, other: Self) -> bool {
        self == Self::VARIABLE || other == Self::VARIABLE || other == self
    }
}

/// The key of a dereferenced cell.
#[inline(always)]
pub(crate) fn key_of(cells: &[Cell], store: &Store, cell: Cell) -> Key {
    match cell.tag() {
        REF => Key::VARIABLE,
        STR => Key::of(cells[cell.index()]),
        LIST => Key::LIST,
        BIG | FLOAT => Key::NUMBER,
        GROUND => store.functor(cell.term()).map_or(Key::NUMBER, |functor| {
            Key::of(Cell::functor(functor.symbol, functor.arity as usize))
        }),
        _ => Key::of(cell),
    }
}

/// The key of an argument of the head in a record of head and body.
pub(crate) fn key_in_record(store: &Store, record: &Record, position: usize) -> Key {
    let head = record.cells[0];
    let first = match head.tag() {
        STR => head.index() + 1,
        LIST => head.index(),
        _ => return Key::VARIABLE,
    };
    let Some(&cell) = record.cells.get(first + position) else {
        return Key::VARIABLE;
    };
    match cell.tag() {
        REF => Key::VARIABLE,
        STR => Key::of(record.cells[cell.index()]),
        LIST => Key::LIST,
        BIG | FLOAT => Key::NUMBER,
        GROUND => key_in_store(store, cell.term()),
        _ => Key::of(cell),
    }
}

/// The key of a ground term of the store.
pub(crate) fn key_in_store(store: &Store, id: TermId) -> Key {
    match store.view(id) {
        Term::Atom(symbol) => Key::of(Cell::atom(symbol)),
        Term::Text(symbol) => Key::of(Cell::text(symbol)),
        Term::Integer(value) => Cell::try_small(value).map_or(Key::NUMBER, Key::of),
        Term::Float(_) | Term::Big(_) => Key::NUMBER,
        Term::Variable(_) => Key::VARIABLE,
        Term::Compound(name, arguments) => Key::of(Cell::functor(name, arguments.len())),
    }
}
