//! Between the heap and the store: terms as ids, with variables numbered by first occurrence, so
//! that variants have the same id.

use num_bigint::BigInt;

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::terms::heap::Heap;
use crate::prolog::terms::workspace::{Interning, InterningStep};
use crate::term::{Store, Term, TermId};

/// Set in the marks that stand for numbered variables while a term is interned.
const NUMBERED: u64 = 1 << 51;

impl Heap {
    /// The id of a term. Its variables are numbered from `variables.len()` in order of first
    /// occurrence and appended there; those that are in it already keep their numbers. Cyclic terms have none: the
    /// store is a set of finite terms.
    pub(crate) fn intern(&mut self, term: Cell, variables: &mut Vec<Cell>) -> TermId {
        for (number, cell) in variables.iter().enumerate() {
            self.cells[cell.index()] = Cell::mark(NUMBERED | number as u64);
        }
        // Numbered variables are marked in place of being looked up: each meeting costs a load. The marks are taken back
        // below.
        let id = self.intern_marked(term, variables);
        for &cell in variables.iter() {
            self.cells[cell.index()] = cell;
        }
        id
    }

    fn intern_marked(&mut self, term: Cell, variables: &mut Vec<Cell>) -> TermId {
        let term = self.deref(term);
        if !matches!(term.tag(), STR | LIST) {
            return self.intern_leaf(term, variables);
        }
        let mut stacks = std::mem::take(&mut self.workspace.interning);
        let id = self.intern_deep(term, variables, &mut stacks);
        stacks.clear();
        self.workspace.interning = stacks;
        id
    }

    fn intern_deep(
        &mut self,
        term: Cell,
        variables: &mut Vec<Cell>,
        Interning { steps, built }: &mut Interning,
    ) -> TermId {
        self.intern_compound(term, steps);
        let mut rounds = self.rounds();
        while let Some(step) = steps.pop() {
            if self.is_endless(&mut rounds, term) {
                self.refuse_cycle();
                return self.store.integer(0);
            }
            if !self.may_go_on(steps.len() * size_of::<InterningStep>()) {
                return self.store.integer(0);
            }
            match step {
                InterningStep::Build(name, arity) => {
                    // Its arguments are the last ids, in their order.
                    let start = built.len() - arity;
                    let id = self.store.compound(name, &built[start..]);
                    built.truncate(start);
                    built.push(id);
                }
                InterningStep::Visit(cell) => {
                    let cell = self.deref(cell);
                    match cell.tag() {
                        STR | LIST => self.intern_compound(cell, steps),
                        _ => {
                            let id = self.intern_leaf(cell, variables);
                            built.push(id);
                        }
                    }
                }
            }
        }
        built.pop().unwrap_or_else(|| self.store.integer(0))
    }

    fn intern_compound(&self, cell: Cell, steps: &mut Vec<InterningStep>) {
        let start = cell.index();
        let (name, arity, first) = if cell.tag() == LIST {
            (atoms::DOT, 2, start)
        } else {
            let functor = self.cells[start];
            (functor.symbol(), functor.arity(), start + 1)
        };
        // The compound is built when all that is pushed above it is done.
        steps.push(InterningStep::Build(name, arity));
        for &argument in self.cells[first..first + arity].iter().rev() {
            steps.push(InterningStep::Visit(argument));
        }
    }

    fn intern_leaf(&mut self, cell: Cell, variables: &mut Vec<Cell>) -> TermId {
        match cell.tag() {
            REF => {
                let number = variables.len();
                variables.push(cell);
                self.cells[cell.index()] = Cell::mark(NUMBERED | number as u64);
                self.store.variable(number as u32)
            }
            INT => self.store.integer(cell.small_value()),
            BIG => {
                let value = self.big_value(cell);
                intern_integer(&mut self.store, &value)
            }
            FLOAT => {
                let value = self.float_value(cell);
                self.store.float(value)
            }
            GROUND => cell.term(),
            _ if cell.is_text() => self.store.text(cell.symbol()),
            _ if cell.is_mark() => {
                let number = cell.mark_value() & !NUMBERED;
                self.store.variable(number as u32)
            }
            _ => self.store.atom(cell.symbol()),
        }
    }

    /// Puts a term of the store on the heap. Its variable `n` is `variables[n]`; missing ones are
    /// made and appended.
    pub(crate) fn build(&mut self, id: TermId, variables: &mut Vec<Cell>) -> Cell {
        if self.store.is_ground(id) {
            return self.cell_of(id);
        }
        while variables.len() < self.store.variable_bound(id) as usize {
            let variable = self.variable();
            variables.push(variable);
        }
        if let Term::Variable(number) = self.store.view(id) {
            return variables[number as usize];
        }
        let root = self.build_level(id);
        // Cells of the levels built so far whose argument is still an id.
        let mut open = vec![(id, root)];
        while let Some((id, cell)) = open.pop() {
            if !self.may_go_on(open.len() * size_of::<(TermId, Cell)>()) {
                break;
            }
            let first = cell.index() + usize::from(cell.tag() == STR);
            for position in 0..self.store.arguments(id).len() {
                let argument = self.store.arguments(id)[position];
                let value = if self.store.is_ground(argument) {
                    self.cell_of(argument)
                } else if let Term::Variable(number) = self.store.view(argument) {
                    variables[number as usize]
                } else {
                    let inner = self.build_level(argument);
                    open.push((argument, inner));
                    inner
                };
                self.cells[first + position] = value;
            }
        }
        root
    }

    /// Room for a compound of the store, its arguments not filled in yet.
    fn build_level(&mut self, id: TermId) -> Cell {
        let start = self.cells.len();
        let (name, arity) = self.store.functor(id).map_or((atoms::NIL, 0), |functor| {
            (functor.symbol, functor.arity as usize)
        });
        if name == atoms::DOT && arity == 2 {
            self.cells.resize(start + 2, Cell::ZERO);
            return Cell::list(start);
        }
        self.cells.push(Cell::functor(name, arity));
        self.cells.resize(start + 1 + arity, Cell::ZERO);
        Cell::structure(start)
    }
}

/// The term of an integer of any size.
pub(in crate::prolog) fn intern_integer(store: &mut Store, value: &BigInt) -> TermId {
    match i64::try_from(value) {
        Ok(value) => store.integer(value),
        Err(_) => {
            let digits = store.symbol(&value.to_string());
            store.big_integer(digits)
        }
    }
}
