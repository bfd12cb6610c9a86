//! Stacks of the walks over terms, kept from one walk to the next: answers are interned and solutions
//! copied by the million, and none of these walks is inside another of its kind.

use crate::prolog::terms::cell::Cell;
use crate::term::{SymbolId, TermId};

/// The stacks of a heap's walks. A walk takes its own out while it runs and puts it back empty.
#[derive(Debug, Default)]
pub(in crate::prolog) struct Workspace {
    /// Arguments of outer compounds that are still to be unified.
    pub(in crate::prolog) parts: Vec<Parts>,
    pub(in crate::prolog) interning: Interning,
    /// Where records are made before they have their size.
    pub(in crate::prolog) copy: Vec<Cell>,
}

/// Arguments that are still to be unified, one by one: where they are, and how many.
#[derive(Clone, Copy, Debug)]
pub(in crate::prolog) struct Parts {
    pub(in crate::prolog) left: usize,
    pub(in crate::prolog) right: usize,
    pub(in crate::prolog) count: usize,
}

impl Parts {
    /// To the next arguments.
    #[inline(always)]
    pub(in crate::prolog) fn advance(&mut self) {
        self.left += 1;
        self.right += 1;
        self.count -= 1;
    }
}

/// What is left to do: intern a cell, or build a compound of the last ids.
#[derive(Debug)]
pub(in crate::prolog) enum InterningStep {
    Visit(Cell),
    Build(SymbolId, usize),
}

/// The stacks of a walk from cells to ids.
#[derive(Debug, Default)]
pub(in crate::prolog) struct Interning {
    pub(in crate::prolog) steps: Vec<InterningStep>,
    /// Ids of the subterms that wait for their compound.
    pub(in crate::prolog) built: Vec<TermId>,
}

impl Interning {
    pub(in crate::prolog) fn clear(&mut self) {
        self.steps.clear();
        self.built.clear();
    }
}
