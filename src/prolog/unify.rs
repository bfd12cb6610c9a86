//! Unification, with an explicit stack of the pairs that are left to do.

use crate::prolog::cell::{BIG, CONST, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::heap::Heap;

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
        if left.tag() == CONST || right.tag() == CONST || left.tag() == INT || right.tag() == INT {
            return false;
        }
        self.unify_deep(left, right)
    }

    /// Binds the younger of two dereferenced cells, at least one of which is unbound.
    #[inline(always)]
    pub(crate) fn bind_pair(&mut self, left: Cell, right: Cell) {
        let binds_right = left.tag() != REF || (right.tag() == REF && right.index() > left.index());
        if binds_right {
            self.bind(right.index(), left);
        } else {
            self.bind(left.index(), right);
        }
    }

    fn unify_deep(&mut self, left: Cell, right: Cell) -> bool {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        pairs.push((left, right));
        let mut equal = true;
        while let Some((left, right)) = pairs.pop() {
            if !self.unify_step(left, right, &mut pairs)
                || !self.may_go_on(pairs.len() * size_of::<(Cell, Cell)>())
            {
                equal = false;
                break;
            }
        }
        self.pairs = pairs;
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
            (BIG, BIG) => self.big_value(left) == self.big_value(right),
            (FLOAT, FLOAT) => self.float_value(left).to_bits() == self.float_value(right).to_bits(),
            _ => false,
        }
    }

    /// Unification that refuses to bind a variable to a term in which it occurs. A cyclic binding
    /// shows after the fact: the variables bound on the way are searched in their values.
    pub(crate) fn unify_with_occurs_check(&mut self, left: Cell, right: Cell) -> bool {
        let mark = self.trail.len();
        let barrier = std::mem::replace(&mut self.barrier, usize::MAX);
        let unified = self.unify(left, right);
        let bound: Vec<usize> = self.trail[mark..]
            .iter()
            .filter_map(|undo| match undo {
                super::heap::Undo::Unbind(index) => Some(*index as usize),
                super::heap::Undo::Restore(..) | super::heap::Undo::Global(..) => None,
            })
            .collect();
        self.barrier = barrier;
        unified && !bound.iter().any(|&index| self.is_cyclic_from(index))
    }

    /// Whether the variable bound at `index` is reached again from its own value.
    fn is_cyclic_from(&self, index: usize) -> bool {
        let mut stack = vec![self.cells[index]];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(mut cell) = stack.pop() {
            loop {
                if cell.tag() == REF {
                    if cell.index() == index {
                        return true;
                    }
                    let next = self.cells[cell.index()];
                    if next == cell {
                        break;
                    }
                    cell = next;
                    continue;
                }
                break;
            }
            if matches!(cell.tag(), STR | LIST) && seen.insert(cell) {
                let (first, count) = if cell.tag() == LIST {
                    (cell.index(), 2)
                } else {
                    (cell.index() + 1, self.cells[cell.index()].arity())
                };
                stack.extend_from_slice(&self.cells[first..first + count]);
            }
        }
        false
    }
}
