//! The standard order of terms, structural equality, variants, and the variables of a term.
//!
//! Order: variables (by age), numbers (by value, a float before the equal integer), atoms,
//! strings, compounds (by arity, name, arguments from left to right). [ISO 7.2; numbers by value
//! and strings behind atoms as in SWI-Prolog.] Two ground terms of the store are compared by id
//! only when they are equal.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::prolog::terms::cell::{Cell, GROUND, REF};
use crate::prolog::terms::heap::{Heap, TermView};
use crate::prolog::terms::number::{Number, compare, compare_mixed};
use crate::term::SymbolId;

impl Heap {
    /// The standard order of two terms.
    pub(crate) fn compare(&mut self, left: Cell, right: Cell) -> Ordering {
        let mut pairs = vec![(left, right)];
        let mut visited = self.visited();
        while let Some((left, right)) = pairs.pop() {
            if visited.has((left, right)) {
                continue;
            }
            let left = self.deref(left);
            let right = self.deref(right);
            if left == right {
                continue;
            }
            if !self.may_go_on(pairs.len() * size_of::<(Cell, Cell)>()) {
                break;
            }
            let order = self.compare_level(left, right, &mut pairs);
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    fn compare_level(
        &mut self,
        left: Cell,
        right: Cell,
        pairs: &mut Vec<(Cell, Cell)>,
    ) -> Ordering {
        let (l, r) = (self.view(left), self.view(right));
        let rank = rank(&l).cmp(&rank(&r));
        if rank != Ordering::Equal {
            return rank;
        }
        match (l, r) {
            (TermView::Variable(a), TermView::Variable(b)) => a.cmp(&b),
            (TermView::Atom(a), TermView::Atom(b)) | (TermView::Text(a), TermView::Text(b)) => {
                self.compare_names(a, b)
            }
            (TermView::Compound(f, n, a), TermView::Compound(g, m, b)) => {
                // Arity before name before arguments [ISO 7.2].
                let order = n.cmp(&m).then_with(|| self.compare_names(f, g));
                if order == Ordering::Equal {
                    for position in (0..n).rev() {
                        // The first argument ends on top, so that the leftmost difference decides.
                        pairs.push((self.cells[a + position], self.cells[b + position]));
                    }
                }
                order
            }
            // Numbers are all that is left of one rank.
            _ => self.compare_numbers(left, right),
        }
    }

    /// Two numbers by value; a float comes before the integer of the same value.
    fn compare_numbers(&self, left: Cell, right: Cell) -> Ordering {
        let (Some(left), Some(right)) = (self.number(left), self.number(right)) else {
            return Ordering::Equal;
        };
        match (&left, &right) {
            (Number::Float(a), Number::Float(b)) => a.total_cmp(b),
            (Number::Float(a), _) => compare_mixed(&right, *a).reverse().then(Ordering::Less),
            (_, Number::Float(b)) => compare_mixed(&left, *b).then(Ordering::Greater),
            _ => compare(&left, &right).unwrap_or(Ordering::Equal),
        }
    }

    fn compare_names(&self, left: SymbolId, right: SymbolId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        self.name(left).cmp(self.name(right))
    }

    /// Whether two terms are the same up to renaming of variables.
    pub(crate) fn is_variant(&mut self, left: Cell, right: Cell) -> bool {
        let mut there: FxHashMap<Cell, Cell> = FxHashMap::default();
        let mut back: FxHashMap<Cell, Cell> = FxHashMap::default();
        let mut pairs = vec![(left, right)];
        let mut visited = self.visited();
        while let Some((left, right)) = pairs.pop() {
            if visited.has((left, right)) {
                continue;
            }
            let left = self.deref(left);
            let right = self.deref(right);
            if left.tag() == REF && right.tag() == REF {
                // The renaming must be one to one: `f(X, Y)` is no variant of `f(Z, Z)`, nor the other way round.
                if *there.entry(left).or_insert(right) != right
                    || *back.entry(right).or_insert(left) != left
                {
                    return false;
                }
                continue;
            }
            if left == right && left.tag() == GROUND {
                continue;
            }
            if !self.may_go_on(pairs.len() * size_of::<(Cell, Cell)>())
                || self.compare_level(left, right, &mut pairs) != Ordering::Equal
            {
                return false;
            }
        }
        true
    }

    /// The variables of terms, in order of first occurrence, each once.
    pub(crate) fn variables(&mut self, roots: &[Cell]) -> Vec<Cell> {
        let mut found = indexmap::IndexSet::<Cell, rustc_hash::FxBuildHasher>::default();
        let mut stack: Vec<Cell> = roots.iter().rev().copied().collect();
        let mut visited = self.visited();
        while let Some(cell) = stack.pop() {
            if visited.has(cell) {
                continue;
            }
            if !self.may_go_on(stack.len() * size_of::<Cell>()) {
                break;
            }
            let cell = self.deref(cell);
            if cell.tag() == REF {
                found.insert(cell);
            } else if cell.tag() != GROUND
                && let TermView::Compound(_, arity, first) = self.view(cell)
            {
                stack.extend(self.cells[first..first + arity].iter().rev());
            }
        }
        found.into_iter().collect()
    }

    /// The variables that occur once in a term.
    pub(crate) fn singletons(&mut self, root: Cell) -> Vec<Cell> {
        let mut counts = indexmap::IndexMap::<Cell, u32, rustc_hash::FxBuildHasher>::default();
        let mut stack = vec![root];
        // A compound that is met twice is walked twice: its variables are no singletons.
        let mut visited = [self.visited(), self.visited()];
        while let Some(cell) = stack.pop() {
            let [first, second] = &mut visited;
            if first.has(cell) && second.has(cell) {
                continue;
            }
            if !self.may_go_on(stack.len() * size_of::<Cell>()) {
                break;
            }
            let cell = self.deref(cell);
            if cell.tag() == REF {
                *counts.entry(cell).or_default() += 1;
            } else if cell.tag() != GROUND
                && let TermView::Compound(_, arity, first) = self.view(cell)
            {
                stack.extend(self.cells[first..first + arity].iter().rev());
            }
        }
        let once = counts.into_iter().filter(|&(_, count)| count == 1);
        once.map(|(variable, _)| variable).collect()
    }

    /// Whether a term has no variable.
    pub(crate) fn is_ground(&mut self, root: Cell) -> bool {
        let mut stack = vec![root];
        let mut visited = self.visited();
        while let Some(cell) = stack.pop() {
            if visited.has(cell) {
                continue;
            }
            let cell = self.deref(cell);
            if cell.tag() == REF || !self.may_go_on(stack.len() * size_of::<Cell>()) {
                return false;
            }
            if cell.tag() != GROUND
                && let TermView::Compound(_, arity, first) = self.view(cell)
            {
                stack.extend(self.cells[first..first + arity].iter().rev());
            }
        }
        true
    }
}

fn rank(view: &TermView) -> u8 {
    match view {
        TermView::Variable(_) => 0,
        TermView::Integer(_) | TermView::Float(_) | TermView::Big(_) => 1,
        TermView::Atom(_) => 3,
        TermView::Text(_) => 4,
        TermView::Compound(..) => 5,
    }
}
