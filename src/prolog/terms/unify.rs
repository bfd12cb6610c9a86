//! Unification, with an explicit stack of the pairs that are left to do; it ends on cyclic terms, too (see
//! [`super::rational`]).

use crate::prolog::terms::cell::{BIG, CONST, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::terms::heap::Heap;

impl Heap {
    /// Makes two terms equal by binding variables; on failure some may be bound already, which
    /// backtracking undoes.
    #[inline]
    pub(crate) fn unify(&mut self, left: Cell, right: Cell) -> bool {
        let left = self.deref(left);
        let right = self.deref(right);
        if left == right {
            return true;
        }
        if left.tag() == REF || right.tag() == REF {
            self.bind_pair(left, right);
            return true;
        }
        // Immediate cells are equal if their bits are, which was decided above.
        if left.tag() == CONST || right.tag() == CONST || left.tag() == INT || right.tag() == INT {
            return false;
        }
        self.unify_deep(left, right)
    }

    /// Binds the younger of two dereferenced cells, at least one of which is unbound.
    #[inline(always)]
    pub(crate) fn bind_pair(&mut self, left: Cell, right: Cell) {
        // Younger to older: no reference points to a cell that backtracking takes away first, and chains stay short.
        let binds_right = left.tag() != REF || (right.tag() == REF && right.index() > left.index());
        if binds_right {
            self.bind(right.index(), left);
        } else {
            self.bind(left.index(), right);
        }
    }

    fn unify_deep(&mut self, left: Cell, right: Cell) -> bool {
        let mut pairs = std::mem::take(&mut self.workspace.pairs);
        pairs.clear();
        pairs.push((left, right));
        let mut visited = self.visited();
        let mut equal = true;
        while let Some((left, right)) = pairs.pop() {
            if visited.has((left, right)) {
                continue;
            }
            if !self.unify_step(left, right, &mut pairs)
                || !self.may_go_on(pairs.len() * size_of::<(Cell, Cell)>())
            {
                equal = false;
                break;
            }
        }
        self.workspace.pairs = pairs;
        equal
    }

    fn unify_step(&mut self, left: Cell, right: Cell, pairs: &mut Vec<(Cell, Cell)>) -> bool {
        let left = self.deref(left);
        let right = self.deref(right);
        if left == right {
            return true;
        }
        if left.tag() == REF || right.tag() == REF {
            self.bind_pair(left, right);
            return true;
        }
        if left.tag() == GROUND || right.tag() == GROUND {
            // Distinct ground terms of the store differ; all others are opened.
            if left.tag() == right.tag() || self.functor(left) != self.functor(right) {
                return false;
            }
            let left = self.expose(left);
            let right = self.expose(right);
            pairs.push((left, right));
            return true;
        }
        match (left.tag(), right.tag()) {
            (LIST, LIST) => {
                let (l, r) = (left.index(), right.index());
                // Tail first, so that the head is taken first: pairs are a stack, and a long list needs no more room than a short
                // one.
                pairs.push((self.cells[l + 1], self.cells[r + 1]));
                pairs.push((self.cells[l], self.cells[r]));
                true
            }
            (STR, STR) => {
                let (l, r) = (left.index(), right.index());
                let functor = self.cells[l];
                if functor != self.cells[r] {
                    return false;
                }
                for position in (1..=functor.arity()).rev() {
                    pairs.push((self.cells[l + position], self.cells[r + position]));
                }
                true
            }
            (BIG, BIG) => self.digits_of(left) == self.digits_of(right),
            (FLOAT, FLOAT) => self.float_value(left).to_bits() == self.float_value(right).to_bits(),
            _ => false,
        }
    }

    /// Unification that refuses to bind a variable to a term in which it occurs: before each binding the variable is
    /// searched for in the term, so that no cyclic term is ever made and the terms stay finite.
    pub(crate) fn unify_with_occurs_check(&mut self, left: Cell, right: Cell) -> bool {
        let mut pairs = vec![(left, right)];
        let mut visited = self.visited();
        while let Some((left, right)) = pairs.pop() {
            if visited.has((left, right)) {
                continue;
            }
            let (left, right) = (self.deref(left), self.deref(right));
            if (left.tag() == REF && self.occurs(left, right))
                || (right.tag() == REF && self.occurs(right, left))
                || !self.unify_step(left, right, &mut pairs)
                || !self.may_go_on(pairs.len() * size_of::<(Cell, Cell)>())
            {
                return false;
            }
        }
        true
    }

    /// Whether an unbound variable occurs in a term that is not the variable itself.
    fn occurs(&mut self, variable: Cell, term: Cell) -> bool {
        if term == variable {
            return false;
        }
        let mut stack = vec![term];
        // Subterms that are shared are searched once.
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(cell) = stack.pop() {
            let cell = self.deref(cell);
            let (first, count) = match cell.tag() {
                REF if cell == variable => return true,
                LIST => (cell.index(), 2),
                STR => (cell.index() + 1, self.cells[cell.index()].arity()),
                _ => continue,
            };
            // What is shared is searched once, however often it is met.
            if seen.insert(cell) {
                stack.extend_from_slice(&self.cells[first..first + count]);
            }
            if !self.may_go_on(stack.len() * size_of::<Cell>()) {
                return true;
            }
        }
        false
    }
}
