//! The heap: terms under construction, the trail that undoes their bindings, and the store of
//! ground terms behind them.
//!
//! A ground term of the store is opened one level at a time when it is looked into; the copy of
//! that level lives on the heap and goes with it on backtracking.

use num_bigint::{BigInt, Sign};

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::terms::meter::Meter;
use crate::prolog::terms::number::Number;
use crate::prolog::terms::workspace::Workspace;
use crate::term::{Store, SymbolId, Term, TermId};

/// What the trail records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    /// The cell was an unbound variable.
    Unbind(u32),
    /// The cell had this content.
    Restore(u32, Cell),
    /// The global variable had this content.
    Global(SymbolId, Cell),
}

/// A dereferenced term, one level deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TermView {
    /// An unbound variable, by its heap index.
    Variable(usize),
    Atom(SymbolId),
    Text(SymbolId),
    Integer(i64),
    /// An integer beyond 64 bits, by its cell.
    Big(Cell),
    Float(f64),
    /// Name, number of arguments, and the heap index of the first of them.
    Compound(SymbolId, usize, usize),
}

/// Terms, their bindings, and the store.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) cells: Vec<Cell>,
    pub(crate) trail: Vec<Undo>,
    /// Cells from here on are younger than the newest choice point: no need to trail them.
    pub(crate) barrier: usize,
    pub(crate) store: Store,
    /// Values of global variables, with their trail (see [`Undo::Global`]).
    pub(crate) globals: indexmap::IndexMap<SymbolId, Cell, rustc_hash::FxBuildHasher>,
    pub(in crate::prolog) workspace: Workspace,
    pub(in crate::prolog) meter: Meter,
}

impl Heap {
    pub(crate) fn new() -> Self {
        let mut store = Store::new();
        atoms::intern_all(&mut store);
        Self {
            cells: Vec::new(),
            trail: Vec::new(),
            barrier: 0,
            store,
            globals: indexmap::IndexMap::default(),
            workspace: Workspace::default(),
            meter: Meter::default(),
        }
    }

    /// Counts a round of a loop that holds so many bytes; says whether the limits allow the next.
    #[inline(always)]
    pub(crate) fn may_go_on(&mut self, bytes: usize) -> bool {
        self.meter.count_round() || self.look_at_limits(bytes)
    }

    /// The same for several rounds at once.
    #[inline(always)]
    pub(crate) fn may_go_on_for(&mut self, rounds: usize, bytes: usize) -> bool {
        self.meter.count_rounds(rounds) || self.look_at_limits(bytes)
    }

    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self, bytes: usize) -> bool {
        let used = bytes + self.cells.len() * size_of::<Cell>() + self.store.symbols().bytes();
        self.meter.look_at_limits(used)
    }

    /// Follows references to a value or an unbound variable.
    #[inline(always)]
    pub(crate) fn deref(&self, mut cell: Cell) -> Cell {
        while cell.tag() == REF {
            let next = self.cells[cell.index()];
            if next == cell {
                return cell;
            }
            cell = next;
        }
        cell
    }

    /// A new unbound variable.
    #[inline(always)]
    pub(crate) fn variable(&mut self) -> Cell {
        let cell = Cell::reference(self.cells.len());
        self.cells.push(cell);
        cell
    }

    /// Binds the unbound variable at `index`.
    #[inline(always)]
    pub(crate) fn bind(&mut self, index: usize, value: Cell) {
        self.cells[index] = value;
        // A younger variable vanishes with its cell on backtracking: conditional trailing of the WAM [AK91].
        if index < self.barrier {
            self.trail.push(Undo::Unbind(index as u32));
        }
    }

    /// Changes a cell so that backtracking restores it.
    pub(crate) fn assign(&mut self, index: usize, value: Cell) {
        self.trail
            .push(Undo::Restore(index as u32, self.cells[index]));
        self.cells[index] = value;
    }

    /// Takes all bindings back that are newer than the trail height `mark`.
    #[inline]
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Unbind(index)) => {
                    // Unbound is a reference to itself.
                    self.cells[index as usize] = Cell::reference(index as usize);
                }
                Some(Undo::Restore(index, old)) => self.cells[index as usize] = old,
                Some(Undo::Global(name, old)) => {
                    self.globals.insert(name, old);
                }
                None => return,
            }
        }
    }

    /// An integer of 64 bits.
    #[inline]
    pub(crate) fn integer(&mut self, value: i64) -> Cell {
        match Cell::try_small(value) {
            Some(cell) => cell,
            None => self.digits(&BigInt::from(value)),
        }
    }

    /// An integer of any size.
    pub(crate) fn big_integer(&mut self, value: &BigInt) -> Cell {
        match i64::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => self.digits(value),
        }
    }

    /// An integer that does not fit a cell: a header, then digits of 32 bits as small integers, the lowest first. So
    /// all its words are cells, and a value has one form.
    fn digits(&mut self, value: &BigInt) -> Cell {
        let index = self.cells.len();
        let digits = value.iter_u32_digits();
        let is_negative = value.sign() == Sign::Minus;
        self.cells.push(Cell::digits(digits.len(), is_negative));
        let cells = digits.map(|digit| Cell::small(i64::from(digit)));
        self.cells.extend(cells);
        Cell::big(index)
    }

    pub(crate) fn float(&mut self, value: f64) -> Cell {
        let index = self.cells.len();
        self.cells.push(Cell::HEADER);
        self.cells.push(Cell::from_bits(value.to_bits()));
        Cell::float(index)
    }

    /// Header and digits of an integer that does not fit a cell.
    pub(crate) fn digits_of(&self, cell: Cell) -> &[Cell] {
        digits_at(&self.cells, cell)
    }

    /// The value of an integer that does not fit a cell.
    pub(crate) fn big_value(&self, cell: Cell) -> BigInt {
        value_of_digits(self.digits_of(cell))
    }

    /// The value of a float.
    pub(crate) fn float_value(&self, cell: Cell) -> f64 {
        f64::from_bits(self.cells[cell.index() + 1].bits())
    }

    /// The integer behind a dereferenced cell, if it is one and has 64 bits.
    pub(crate) fn integer_value(&self, cell: Cell) -> Option<i64> {
        match cell.tag() {
            INT => Some(cell.small_value()),
            BIG => word_of_digits(self.digits_of(cell)),
            _ => None,
        }
    }

    /// The value of a number; none for other terms.
    pub(crate) fn number(&self, cell: Cell) -> Option<Number> {
        let cell = self.deref(cell);
        match cell.tag() {
            FLOAT => Some(Number::Float(self.float_value(cell))),
            INT | BIG => Some(match self.integer_value(cell) {
                Some(value) => Number::Integer(value),
                None => Number::from(self.big_value(cell)),
            }),
            _ => None,
        }
    }

    /// The atom of this name.
    pub(crate) fn atom(&mut self, name: &str) -> Cell {
        Cell::atom(self.store.symbol(name))
    }

    /// The string with this text.
    pub(crate) fn text(&mut self, text: &str) -> Cell {
        Cell::text(self.store.symbol(text))
    }

    pub(crate) fn name(&self, symbol: SymbolId) -> &str {
        self.store.name(symbol)
    }

    /// A compound; an atom if there are no arguments.
    pub(crate) fn compound(&mut self, name: SymbolId, arguments: &[Cell]) -> Cell {
        if arguments.is_empty() {
            return Cell::atom(name);
        }
        let start = self.cells.len();
        if name == atoms::DOT && arguments.len() == 2 {
            self.cells.extend_from_slice(arguments);
            return Cell::list(start);
        }
        self.cells.push(Cell::functor(name, arguments.len()));
        self.cells.extend_from_slice(arguments);
        Cell::structure(start)
    }

    /// A compound whose arguments are new variables.
    pub(crate) fn compound_of_variables(&mut self, name: SymbolId, count: usize) -> Cell {
        let start = self.cells.len();
        let is_list = name == atoms::DOT && count == 2;
        if !is_list {
            self.cells.push(Cell::functor(name, count));
        }
        let first = self.cells.len();
        self.cells
            .extend((first..first + count).map(Cell::reference));
        if is_list {
            Cell::list(start)
        } else {
            Cell::structure(start)
        }
    }

    /// A list cell.
    pub(crate) fn cons(&mut self, head: Cell, tail: Cell) -> Cell {
        let start = self.cells.len();
        self.cells.push(head);
        self.cells.push(tail);
        Cell::list(start)
    }

    /// The list of these elements.
    pub(crate) fn list(&mut self, elements: &[Cell]) -> Cell {
        self.partial_list(elements, Cell::atom(atoms::NIL))
    }

    /// The elements in front of a tail.
    pub(crate) fn partial_list(&mut self, elements: &[Cell], tail: Cell) -> Cell {
        let mut list = tail;
        for &element in elements.iter().rev() {
            list = self.cons(element, list);
        }
        list
    }

    /// Opens a ground term of the store one level; other cells stay as they are.
    #[inline]
    pub(crate) fn expose(&mut self, cell: Cell) -> Cell {
        if cell.tag() == GROUND {
            self.open(cell.term())
        } else {
            cell
        }
    }

    fn open(&mut self, id: TermId) -> Cell {
        let Term::Compound(name, arguments) = self.store.view(id) else {
            return self.cell_of(id);
        };
        let arity = arguments.len();
        // List cells have no functor: two words for an element and not three.
        let is_list = name == atoms::DOT && arity == 2;
        let start = self.cells.len();
        if !is_list {
            self.cells.push(Cell::functor(name, arity));
        }
        let first = self.cells.len();
        self.cells.resize(first + arity, Cell::ZERO);
        for position in 0..arity {
            let argument = self.store.arguments(id)[position];
            let cell = self.cell_of(argument);
            self.cells[first + position] = cell;
        }
        if is_list {
            Cell::list(start)
        } else {
            Cell::structure(start)
        }
    }

    /// The cell of a ground term of the store.
    pub(crate) fn cell_of(&mut self, id: TermId) -> Cell {
        match self.store.view(id) {
            Term::Atom(symbol) => Cell::atom(symbol),
            Term::Integer(value) => self.integer(value),
            Term::Float(value) => self.float(value),
            Term::Big(digits) => {
                let value = self.name(digits).parse().unwrap_or_default();
                self.big_integer(&value)
            }
            Term::Text(symbol) => Cell::text(symbol),
            Term::Compound(..) => Cell::ground(id),
            // Variables are not ground: whoever has them uses `Heap::build`.
            Term::Variable(_) => self.variable(),
        }
    }

    /// What a term is, one level deep.
    pub(crate) fn view(&mut self, cell: Cell) -> TermView {
        let cell = self.deref(cell);
        let cell = self.expose(cell);
        match cell.tag() {
            REF => TermView::Variable(cell.index()),
            STR => {
                let functor = self.cells[cell.index()];
                TermView::Compound(functor.symbol(), functor.arity(), cell.index() + 1)
            }
            LIST => TermView::Compound(atoms::DOT, 2, cell.index()),
            INT => TermView::Integer(cell.small_value()),
            BIG => match self.integer_value(cell) {
                Some(value) => TermView::Integer(value),
                None => TermView::Big(cell),
            },
            FLOAT => TermView::Float(self.float_value(cell)),
            _ if cell.is_text() => TermView::Text(cell.symbol()),
            _ => TermView::Atom(cell.symbol()),
        }
    }

    /// Name and arity of an atom or compound, without opening it.
    pub(crate) fn functor(&self, cell: Cell) -> Option<(SymbolId, usize)> {
        let cell = self.deref(cell);
        match cell.tag() {
            STR => {
                let functor = self.cells[cell.index()];
                Some((functor.symbol(), functor.arity()))
            }
            LIST => Some((atoms::DOT, 2)),
            GROUND => self
                .store
                .functor(cell.term())
                .map(|functor| (functor.symbol, functor.arity as usize)),
            _ if cell.is_atom() => Some((cell.symbol(), 0)),
            _ => None,
        }
    }

    /// The dereferenced argument cells of a compound; none for all other terms.
    pub(crate) fn arguments(&mut self, cell: Cell) -> Vec<Cell> {
        if let TermView::Compound(_, arity, first) = self.view(cell) {
            (first..first + arity)
                .map(|index| self.deref(self.cells[index]))
                .collect()
        } else {
            Vec::new()
        }
    }

    /// The arguments if the term is `name` with two of them.
    pub(crate) fn binary(&mut self, cell: Cell, name: SymbolId) -> Option<(Cell, Cell)> {
        if self.functor(cell) != Some((name, 2)) {
            return None;
        }
        let TermView::Compound(_, _, first) = self.view(cell) else {
            return None;
        };
        Some((
            self.deref(self.cells[first]),
            self.deref(self.cells[first + 1]),
        ))
    }

    /// The argument if the term is `name` with one.
    pub(crate) fn unary(&mut self, cell: Cell, name: SymbolId) -> Option<Cell> {
        if self.functor(cell) != Some((name, 1)) {
            return None;
        }
        let TermView::Compound(_, _, first) = self.view(cell) else {
            return None;
        };
        Some(self.deref(self.cells[first]))
    }

    /// Reads a list: its elements and what stands behind them: `[]` for a proper list, a list again for a cyclic one.
    pub(crate) fn read_list(&mut self, cell: Cell) -> (Vec<Cell>, Cell) {
        let mut elements = Vec::new();
        let mut rest = self.deref(cell);
        loop {
            rest = self.expose(rest);
            // A list on the heap has at most as many elements as the heap has cells, unless it comes round.
            let is_cyclic = elements.len() > self.cells.len();
            if rest.tag() != LIST
                || is_cyclic
                || !self.may_go_on(elements.len() * size_of::<Cell>())
            {
                return (elements, rest);
            }
            elements.push(self.deref(self.cells[rest.index()]));
            rest = self.deref(self.cells[rest.index() + 1]);
        }
    }

    /// The heap index of an argument list's cells when a compound is known to be one.
    #[inline]
    pub(crate) fn argument(&self, first: usize, position: usize) -> Cell {
        self.deref(self.cells[first + position])
    }
}

/// Header and digits of an integer that does not fit a cell.
pub(in crate::prolog) fn digits_at(cells: &[Cell], cell: Cell) -> &[Cell] {
    let start = cell.index();
    &cells[start..=start + cells[start].digit_count()]
}

/// The integer of these digits behind their header.
pub(in crate::prolog) fn value_of_digits(cells: &[Cell]) -> BigInt {
    let (header, digits) = (cells[0], &cells[1..]);
    let sign = if header.is_negative() {
        Sign::Minus
    } else {
        Sign::Plus
    };
    let digits = digits.iter().map(|digit| digit.small_value() as u32);
    BigInt::new(sign, digits.collect())
}

/// The same if it fits 64 bits, as two digits may.
fn word_of_digits(cells: &[Cell]) -> Option<i64> {
    let [header, low, high] = *cells else {
        return None;
    };
    // Two digits of 32 bits and a sign: up to 2^64 - 1 either way, of which those in the range of a word fit.
    let magnitude = i128::from(high.small_value()) << 32 | i128::from(low.small_value());
    let value = if header.is_negative() {
        -magnitude
    } else {
        magnitude
    };
    i64::try_from(value).ok()
}
