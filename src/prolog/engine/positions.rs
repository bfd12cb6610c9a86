//! Solutions of `arg/3` where the position is unbound, as SWI-Prolog has them.
//!
//! The built-in stands in the middle of a clause, whose registers are alive behind it. A choice point keeps them all, and
//! the address at which the clause goes on: so calls with a position, which are nearly all, cost what they did.

use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption};
use crate::prolog::terms::heap::TermView;

impl Machine {
    /// `arg(Position, Term, Argument)` of the argument registers, which goes on at an address.
    #[cold]
    pub(in crate::prolog) fn start_positions(&mut self, next: Pc) -> Result<Pc, Interruption> {
        let term = self.heap.deref(self.x[1]);
        let TermView::Compound(_, arity, _) = self.heap.view(term) else {
            return Err(if term.tag() == REF {
                error::instantiation(&mut self.heap)
            } else {
                error::type_error(&mut self.heap, "compound", term)
            });
        };
        if arity > 1 {
            let registers = self.x.len();
            self.push_choice(Alternative::Argument(2, next));
            self.save_arguments(registers);
        }
        Ok(self.unify_position(1, next))
    }

    /// The solution at a position, whose choice point goes with the last one.
    #[cold]
    pub(in crate::prolog) fn next_position(&mut self, position: u32, next: Pc, saved: usize) -> Pc {
        self.restore_arguments(saved);
        let term = self.heap.deref(self.x[1]);
        let is_last = !matches!(self.heap.view(term), TermView::Compound(_, arity, _) if (position as usize) < arity);
        match self.choices.last_mut() {
            Some(top) if !is_last => top.alternative = Alternative::Argument(position + 1, next),
            _ => self.pop_choice(),
        }
        self.unify_position(position, next)
    }

    fn unify_position(&mut self, position: u32, next: Pc) -> Pc {
        let term = self.heap.deref(self.x[1]);
        let TermView::Compound(_, _, first) = self.heap.view(term) else {
            return BACKTRACK;
        };
        let value = self.heap.argument(first, position as usize - 1);
        let unifies = self.heap.unify(self.x[0], Cell::small(i64::from(position)))
            && self.heap.unify(self.x[2], value);
        if unifies { next } else { BACKTRACK }
    }
}
