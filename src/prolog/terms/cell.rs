//! Cells: the words of the machine's stacks.
//!
//! A cell is 64 bits with a tag in the low three. Small integers, atoms and strings are immediate;
//! structures and lists point into the heap; a ground term of the [`crate::term::Store`] is one
//! cell however large it is, so that constant terms and table answers are never copied.
//!
//! The layout is that of the WAM [AK91], but for one point. DIVERGENCE: variables live on the heap
//! only, never in an environment, so environments are plain copies of cells and a suspended
//! computation can be saved and restored by copying them.

use std::fmt;

use crate::term::{SymbolId, TermId};

/// A variable or a pointer to another cell; an unbound variable points to itself.
pub(crate) const REF: u8 = 0;
/// A pointer to a functor cell that is followed by the arguments.
pub(crate) const STR: u8 = 1;
/// A pointer to the head of a list cell, which is followed by its tail.
pub(crate) const LIST: u8 = 2;
/// An atom, string, functor or a mark of the machine.
pub(crate) const CONST: u8 = 3;
/// A small integer of 61 bits.
pub(crate) const INT: u8 = 4;
/// A pointer to a header and the digits of an integer that does not fit a cell.
pub(crate) const BIG: u8 = 5;
/// A pointer to a header and a float.
pub(crate) const FLOAT: u8 = 6;
/// A ground compound term of the store.
pub(crate) const GROUND: u8 = 7;

const ATOM: u64 = 0;
const TEXT: u64 = 1;
const FUNCTOR: u64 = 2;
const MARK: u64 = 3;

/// The largest integer that fits a cell.
const SMALL_MAX: i64 = (1 << 60) - 1;
const SMALL_MIN: i64 = -(1 << 60);

/// One word of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell(u64);

impl Cell {
    /// The header in front of the word of a float.
    pub(crate) const HEADER: Cell = Cell::mark(1 << 56);
    /// Set in the headers in front of the digits of integers.
    const DIGITS: u64 = 1 << 55;
    /// What fresh slots of environments hold.
    pub(crate) const ZERO: Cell = Cell::new(INT, 0);

    const fn new(tag: u8, payload: u64) -> Self {
        Self(payload << 3 | tag as u64)
    }

    #[inline(always)]
    pub(crate) const fn tag(self) -> u8 {
        (self.0 & 7) as u8
    }

    /// The heap index of a pointer.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        (self.0 >> 3) as usize
    }

    #[inline(always)]
    pub(crate) const fn reference(index: usize) -> Self {
        Self::new(REF, index as u64)
    }

    #[inline(always)]
    pub(crate) const fn structure(index: usize) -> Self {
        Self::new(STR, index as u64)
    }

    #[inline(always)]
    pub(crate) const fn list(index: usize) -> Self {
        Self::new(LIST, index as u64)
    }

    pub(crate) const fn big(index: usize) -> Self {
        Self::new(BIG, index as u64)
    }

    pub(crate) const fn float(index: usize) -> Self {
        Self::new(FLOAT, index as u64)
    }

    pub(crate) fn ground(term: TermId) -> Self {
        Self::new(GROUND, term.index() as u64)
    }

    pub(crate) const fn atom(symbol: SymbolId) -> Self {
        Self::new(CONST, (symbol.index() as u64) << 2 | ATOM)
    }

    pub(crate) const fn text(symbol: SymbolId) -> Self {
        Self::new(CONST, (symbol.index() as u64) << 2 | TEXT)
    }

    pub(crate) const fn functor(symbol: SymbolId, arity: usize) -> Self {
        Self::new(
            CONST,
            (arity as u64) << 34 | (symbol.index() as u64) << 2 | FUNCTOR,
        )
    }

    /// A word of the machine itself: a height of the stack of choice points, a header.
    pub(crate) const fn mark(value: u64) -> Self {
        Self::new(CONST, value << 2 | MARK)
    }

    /// The header in front of the digits of an integer.
    pub(crate) const fn digits(count: usize, negative: bool) -> Self {
        Self::mark(Self::DIGITS | (count as u64) << 1 | negative as u64)
    }

    pub(crate) const fn is_digits_header(self) -> bool {
        self.is_mark() && self.mark_value() & Self::DIGITS != 0
    }

    /// The number of digits behind their header.
    pub(crate) const fn digit_count(self) -> usize {
        ((self.mark_value() ^ Self::DIGITS) >> 1) as usize
    }

    /// Whether a header stands in front of a negative integer.
    pub(crate) const fn is_negative(self) -> bool {
        self.mark_value() & 1 != 0
    }

    /// A small integer; the value must fit.
    #[inline(always)]
    pub(crate) const fn small(value: i64) -> Self {
        Self((value << 3) as u64 | INT as u64)
    }

    /// The integer as a cell, if it fits one.
    #[inline(always)]
    pub(crate) const fn try_small(value: i64) -> Option<Self> {
        if value >= SMALL_MIN && value <= SMALL_MAX {
            Some(Self::small(value))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn small_value(self) -> i64 {
        self.0 as i64 >> 3
    }

    /// The word of a float as it stands behind its header.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn term(self) -> TermId {
        TermId::from_index(self.index())
    }

    #[inline(always)]
    pub(crate) const fn is_ref(self) -> bool {
        self.tag() == REF
    }

    pub(crate) const fn is_atom(self) -> bool {
        self.0 & 31 == ATOM << 3 | CONST as u64
    }

    pub(crate) const fn is_text(self) -> bool {
        self.0 & 31 == TEXT << 3 | CONST as u64
    }

    pub(crate) const fn is_functor(self) -> bool {
        self.0 & 31 == FUNCTOR << 3 | CONST as u64
    }

    pub(crate) const fn is_mark(self) -> bool {
        self.0 & 31 == MARK << 3 | CONST as u64
    }

    pub(crate) const fn mark_value(self) -> u64 {
        self.0 >> 5
    }

    /// The name of an atom, string or functor.
    pub(crate) const fn symbol(self) -> SymbolId {
        SymbolId::from_index((self.0 >> 5) as u32 as usize)
    }

    /// The number of arguments of a functor.
    pub(crate) const fn arity(self) -> usize {
        (self.0 >> 37) as usize
    }

    /// The same pointer, to another place.
    #[inline(always)]
    pub(crate) const fn pointing_to(self, index: usize) -> Self {
        Self::new(self.tag(), index as u64)
    }

    /// The same pointer, moved by `offset`; immediate cells stay.
    #[inline(always)]
    pub(crate) const fn relocated(self, offset: usize) -> Self {
        match self.tag() {
            REF | STR | LIST | BIG | FLOAT => Self(self.0 + ((offset as u64) << 3)),
            _ => self,
        }
    }
}

/// A set of kinds of dereferenced cells: a bit for each value of the low five, which tell tags and immediate cells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(crate) const VARIABLE: Self = Self::tag(REF);
    pub(crate) const COMPOUND: Self = Self::tag(STR)
        .union(Self::tag(LIST))
        .union(Self::tag(GROUND));
    pub(crate) const INTEGER: Self = Self::tag(INT).union(Self::tag(BIG));
    pub(crate) const FLOAT: Self = Self::tag(FLOAT);
    pub(crate) const ATOM: Self = Self(1 << (ATOM << 3 | CONST as u64));
    pub(crate) const TEXT: Self = Self(1 << (TEXT << 3 | CONST as u64));

    /// All cells of a tag, whatever the two bits behind it.
    const fn tag(tag: u8) -> Self {
        Self(0x0101_0101 << tag)
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    pub(crate) const fn contains(self, cell: Cell) -> bool {
        self.0 >> (cell.0 & 31) & 1 != 0
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tag() {
            REF => write!(f, "_{}", self.index()),
            STR => write!(f, "str@{}", self.index()),
            LIST => write!(f, "list@{}", self.index()),
            INT => write!(f, "{}", self.small_value()),
            BIG => write!(f, "big@{}", self.index()),
            FLOAT => write!(f, "float@{}", self.index()),
            GROUND => write!(f, "ground#{}", self.index()),
            _ if self.is_functor() => {
                write!(f, "functor#{}/{}", self.symbol().index(), self.arity())
            }
            _ if self.is_mark() => write!(f, "mark({})", self.mark_value()),
            _ => write!(f, "atom#{}", self.symbol().index()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_what_they_were_made_of() {
        let symbol = SymbolId::from_index(77);
        assert_eq!(Cell::small(-5).small_value(), -5);
        assert_eq!(Cell::functor(symbol, 3).arity(), 3);
        assert_eq!(Cell::functor(symbol, 3).symbol(), symbol);
        assert!(Cell::atom(symbol).is_atom() && !Cell::text(symbol).is_atom());
        assert_eq!(Cell::mark(9).mark_value(), 9);
        assert_eq!(Cell::try_small(1 << 60), None);
        assert_eq!(
            Cell::try_small(-(1 << 60)).map(Cell::small_value),
            Some(-(1 << 60))
        );
    }
}
