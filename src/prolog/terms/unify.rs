//! Unification, with an explicit stack of the arguments that are left to do; it ends on cyclic terms, too (see
//! [`super::rational`]).

use crate::prolog::terms::cell::{BIG, CONST, Cell, FLOAT, GROUND, INT, LIST, REF, STR};
use crate::prolog::terms::heap::Heap;
use crate::prolog::terms::workspace::Parts;

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
        self.unify_parts(left, right, |heap, left, right| {
            heap.bind_pair(left, right);
            true
        })
    }

    /// Unification that refuses to bind a variable to a term in which it occurs: before each binding the variable is
    /// searched for in the term, so that no cyclic term is ever made and the terms stay finite.
    pub(crate) fn unify_with_occurs_check(&mut self, left: Cell, right: Cell) -> bool {
        let bind = |heap: &mut Self, left: Cell, right: Cell| {
            let is_cyclic = (left.tag() == REF && heap.occurs(left, right))
                || (right.tag() == REF && heap.occurs(right, left));
            if !is_cyclic {
                heap.bind_pair(left, right);
            }
            !is_cyclic
        };
        let (left, right) = (self.deref(left), self.deref(right));
        if left == right {
            return true;
        }
        if left.tag() == REF || right.tag() == REF {
            return bind(self, left, right);
        }
        self.unify_parts(left, right, bind)
    }

    /// Unifies two dereferenced terms that are no variables, depth first from the left. `bind` makes two terms equal of
    /// which at least one is unbound, or refuses to.
    #[inline(always)]
    fn unify_parts(
        &mut self,
        left: Cell,
        right: Cell,
        bind: impl Fn(&mut Self, Cell, Cell) -> bool,
    ) -> bool {
        let Some(mut parts) = self.parts_to_unify(left, right) else {
            return false;
        };
        // A compound counts as so many rounds as it has arguments, all at once.
        if !self.may_go_on_for(parts.count, 0) {
            return false;
        }
        let mut outer = std::mem::take(&mut self.workspace.parts);
        let mut visited = self.visited();
        let equal = loop {
            if parts.count == 0 {
                let Some(next) = outer.pop() else {
                    break true;
                };
                parts = next;
                continue;
            }
            let left = self.deref(self.cells[parts.left]);
            let right = self.deref(self.cells[parts.right]);
            parts.advance();
            if left == right {
                continue;
            }
            if left.tag() == REF || right.tag() == REF {
                if !bind(self, left, right) {
                    break false;
                }
                continue;
            }
            let Some(inner) = self.parts_to_unify(left, right) else {
                break false;
            };
            if inner.count > 0 && !visited.has((left, right)) {
                if !self.may_go_on_for(inner.count, outer.len() * size_of::<Parts>()) {
                    break false;
                }
                // A last argument leaves nothing to come back to: a long list needs no more room than a short one.
                if parts.count > 0 {
                    outer.push(parts);
                }
                parts = inner;
            }
        };
        outer.clear();
        self.workspace.parts = outer;
        equal
    }

    /// What is left to unify of two different dereferenced terms that are no variables; none if they cannot be equal.
    #[inline(always)]
    fn parts_to_unify(&mut self, left: Cell, right: Cell) -> Option<Parts> {
        match (left.tag(), right.tag()) {
            (LIST, LIST) => Some(Parts {
                left: left.index(),
                right: right.index(),
                count: 2,
            }),
            (STR, STR) => {
                let (left, right) = (left.index(), right.index());
                let functor = self.cells[left];
                (functor == self.cells[right]).then(|| Parts {
                    left: left + 1,
                    right: right + 1,
                    count: functor.arity(),
                })
            }
            // Immediate cells are equal if their bits are.
            (CONST | INT, _) | (_, CONST | INT) => None,
            _ => self.rare_parts_to_unify(left, right),
        }
    }

    /// The same where one of the terms is a number that does not fit a cell, or a term of the store.
    #[inline(never)]
    fn rare_parts_to_unify(&mut self, left: Cell, right: Cell) -> Option<Parts> {
        if left.tag() == GROUND || right.tag() == GROUND {
            // Distinct ground terms of the store differ; all others are opened.
            if left.tag() == right.tag() || self.functor(left) != self.functor(right) {
                return None;
            }
            let (left, right) = (self.expose(left), self.expose(right));
            let is_list = left.tag() == LIST;
            return Some(Parts {
                left: left.index() + usize::from(!is_list),
                right: right.index() + usize::from(!is_list),
                count: if is_list {
                    2
                } else {
                    self.cells[left.index()].arity()
                },
            });
        }
        let equal = match (left.tag(), right.tag()) {
            (BIG, BIG) => self.digits_of(left) == self.digits_of(right),
            (FLOAT, FLOAT) => self.float_value(left).to_bits() == self.float_value(right).to_bits(),
            _ => false,
        };
        equal.then_some(Parts {
            left: 0,
            right: 0,
            count: 0,
        })
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
