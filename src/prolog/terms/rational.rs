//! Cyclic terms: rational trees, which have infinitely many nodes and finitely many different subterms.
//!
//! Unification makes them (`X = f(X)`), as it does without the occurs check; the standard leaves them undefined
//! [ISO 7.3.2]. Here, as in most systems, unification, comparison, copies and output are defined for them and end.
//! What must be finite (clauses, goals, tabled calls and answers) is refused with `representation_error(cyclic_term)`.
//!
//! Most walks pay for this with a counter alone. A term without shared subterms has at most as many parts as the heap
//! has cells; so the first so many rounds of a walk go by without a note, and from then on what was
//! visited is remembered (Colmerauer 1982, "Prolog and infinite trees": two subterms that are being unified may be
//! taken for equal when they are met again). Terms that share much, and would take exponential time, gain by it too.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, LIST, STR};
use crate::prolog::terms::heap::Heap;

/// What a walk has visited, once it is longer than a tree in this heap can be.
#[derive(Debug)]
pub(in crate::prolog) struct Visited<K> {
    /// Rounds that go by without a note.
    left: usize,
    seen: FxHashSet<K>,
}

impl<K: Hash + Eq> Visited<K> {
    #[cold]
    #[inline(never)]
    fn is_noted(&mut self, item: K) -> bool {
        !self.seen.insert(item)
    }

    /// Whether a walk need not take this item: it did so before. Counts as a round.
    #[inline(always)]
    pub(in crate::prolog) fn has(&mut self, item: K) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.is_noted(item)
    }
}

/// Rounds of a walk whose result must be finite.
#[derive(Debug)]
pub(in crate::prolog) struct Rounds {
    left: usize,
    is_known_finite: bool,
}

impl Heap {
    /// The notes of a walk that begins here.
    #[inline]
    pub(in crate::prolog) fn visited<K>(&self) -> Visited<K> {
        Visited {
            left: self.cells.len(),
            seen: FxHashSet::default(),
        }
    }

    /// The rounds of a walk that begins here. It may itself make the heap larger.
    pub(in crate::prolog) fn rounds(&self) -> Rounds {
        Rounds {
            left: self.cells.len(),
            is_known_finite: false,
        }
    }

    /// Counts a round of a walk over all of a term; whether it would never end.
    #[inline]
    pub(in crate::prolog) fn is_endless(&mut self, rounds: &mut Rounds, root: Cell) -> bool {
        if rounds.left > 0 {
            rounds.left -= 1;
            return false;
        }
        if rounds.is_known_finite {
            return false;
        }
        rounds.is_known_finite = self.is_acyclic(root);
        !rounds.is_known_finite
    }

    /// Whether a term is finite: no compound is a part of itself.
    pub(crate) fn is_acyclic(&mut self, root: Cell) -> bool {
        self.is_small_tree(root) || self.cycles(root).is_empty()
    }

    /// Whether a walk without notes ends within as many rounds as there are cells.
    fn is_small_tree(&mut self, root: Cell) -> bool {
        let mut stack = vec![root];
        let mut rounds = 0;
        while let Some(cell) = stack.pop() {
            rounds += 1;
            // A tree without shared parts has no more parts than the heap has cells.
            if rounds > self.cells.len() {
                return false;
            }
            stack.extend_from_slice(self.parts(cell));
        }
        true
    }

    /// The arguments of a compound on the heap. Ground terms of the store are finite, and have none here.
    fn parts(&self, cell: Cell) -> &[Cell] {
        let cell = self.deref(cell);
        let start = cell.index();
        match cell.tag() {
            LIST => &self.cells[start..start + 2],
            STR => &self.cells[start + 1..=start + self.cells[start].arity()],
            _ => &[],
        }
    }

    /// The compounds that are met again below themselves in a depth-first walk: without them the term is finite.
    fn cycles(&mut self, root: Cell) -> Vec<Cell> {
        let mut found = indexmap::IndexSet::<Cell, rustc_hash::FxBuildHasher>::default();
        // Compounds that are entered (true), and those whose arguments are all visited (false).
        let mut open = FxHashMap::<Cell, bool>::default();
        let mut stack = vec![(root, false)];
        while let Some((cell, leaves)) = stack.pop() {
            if !self.may_go_on(stack.len() * size_of::<(Cell, bool)>()) {
                break;
            }
            let cell = self.deref(cell);
            if leaves {
                open.insert(cell, false);
                continue;
            }
            if !matches!(cell.tag(), STR | LIST) {
                continue;
            }
            match open.get(&cell) {
                // Met again while its arguments are being visited: a back edge, which closes a cycle.
                Some(true) => {
                    found.insert(cell);
                }
                // Visited before, and all below it: shared, no cycle.
                Some(false) => {}
                None => {
                    open.insert(cell, true);
                    stack.push((cell, true));
                    let parts = self.parts(cell).iter().rev();
                    stack.extend(parts.map(|&part| (part, false)));
                }
            }
        }
        found.into_iter().collect()
    }

    /// A finite term that says what a cyclic one is, and the variables in it that stand for cycles; other terms stay
    /// as they are. `X = f(X, a)` gives `@(S, [S = f(S, a)])`.
    pub(in crate::prolog) fn factorized(&mut self, root: Cell) -> (Cell, Vec<Cell>) {
        if self.is_small_tree(root) {
            return (root, Vec::new());
        }
        let cycles = self.cycles(root);
        if cycles.is_empty() {
            return (root, Vec::new());
        }
        let variables: Vec<Cell> = cycles.iter().map(|_| self.variable()).collect();
        let mut copies: FxHashMap<Cell, Cell> =
            cycles.iter().copied().zip(variables.clone()).collect();
        // Cyclic compounds are variables in the template; what each stands for is an equation.
        let template = self.finite_copy(root, false, &mut copies);
        let mut equations = Vec::new();
        for (&cycle, &variable) in cycles.iter().zip(&variables) {
            let definition = self.finite_copy(cycle, true, &mut copies);
            equations.push(self.compound(atoms::EQUALS, &[variable, definition]));
        }
        let equations = self.list(&equations);
        let name = self.store.symbol("@");
        (self.compound(name, &[template, equations]), variables)
    }

    /// A copy in which the compounds of `copies` are replaced, but for the root if it is to be opened; those that are
    /// copied are entered there.
    fn finite_copy(
        &mut self,
        root: Cell,
        mut opens: bool,
        copies: &mut FxHashMap<Cell, Cell>,
    ) -> Cell {
        let anchor = self.cells.len();
        self.cells.push(root);
        let mut places = vec![anchor];
        while let Some(place) = places.pop() {
            if !self.may_go_on(places.len() * size_of::<usize>()) {
                break;
            }
            let cell = self.deref(self.cells[place]);
            if !matches!(cell.tag(), STR | LIST) {
                self.cells[place] = cell;
                continue;
            }
            // The definition of a cycle opens its own compound once.
            if !std::mem::take(&mut opens)
                && let Some(&copy) = copies.get(&cell)
            {
                self.cells[place] = copy;
                continue;
            }
            let parts = self.parts(cell).to_vec();
            let start = self.cells.len();
            let copy = if cell.tag() == STR {
                self.cells.push(self.cells[cell.index()]);
                Cell::structure(start)
            } else {
                Cell::list(start)
            };
            places.extend(self.cells.len()..self.cells.len() + parts.len());
            self.cells.extend(parts);
            copies.entry(cell).or_insert(copy);
            self.cells[place] = copy;
        }
        self.cells[anchor]
    }

    /// Has a walk end because its result would be infinite: [`Heap::stopped`] says so next.
    #[cold]
    pub(in crate::prolog) fn refuse_cycle(&mut self) {
        self.meter.met_cycle = true;
    }
}
