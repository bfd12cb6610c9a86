//! Conditional compilation: `if/1`, `elif/1`, `else/0`, `endif/0`.
//!
//! Conditions nest, so the loader keeps a stack of them; what is read while the innermost is not in
//! the branch that holds is dropped, faults included:
//!
//! ```text
//! :- if(a).    Taken        :- if(fail).   Before      reads on, drops
//! :- else.     Behind       :- else.       Taken
//! :- endif.                 :- endif.
//! ```
//!
//! Source: SWI-Prolog 9, section 4.3.1.

use crate::limits::Limits;
use crate::prolog::consult::load::{Branch, DIRECTIVE_RAISED, Load};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::Cell;
use crate::syntax::{Diagnostic, Span};

impl Machine {
    /// Obeys a directive of conditional compilation; false if it is another directive.
    pub(super) fn condition(
        &mut self,
        load: &mut Load<'_>,
        directive: Cell,
        span: Span,
        limits: &Limits,
    ) -> bool {
        let Some((name, arity)) = self.heap.functor(directive) else {
            return false;
        };
        let name = self.heap.name(name).to_owned();
        let open = load.branches.last().copied();
        let next = match (name.as_str(), arity, open) {
            ("if", 1, _) => {
                let branch = if load.is_skipping() {
                    Branch::Behind
                } else {
                    self.branch(load, directive, span, limits)
                };
                load.branches.push(branch);
                return true;
            }
            ("endif", 0, Some(_)) => {
                load.branches.pop();
                return true;
            }
            ("elif", 1, Some(Branch::Before)) => {
                // The condition belongs to what surrounds this one, which is not skipped.
                self.branch(load, directive, span, limits)
            }
            ("else", 0, Some(Branch::Before)) => Branch::Taken,
            ("elif", 1, Some(_)) | ("else", 0, Some(_)) => Branch::Behind,
            ("elif", 1, None) | ("else" | "endif", 0, None) => {
                let message = format!("`{name}` without `if`");
                load.diagnostics
                    .push(Diagnostic::error(DIRECTIVE_RAISED, span, message));
                return true;
            }
            _ => return false,
        };
        if let Some(last) = load.branches.last_mut() {
            *last = next;
        }
        true
    }

    fn branch(
        &mut self,
        load: &mut Load<'_>,
        directive: Cell,
        span: Span,
        limits: &Limits,
    ) -> Branch {
        let goal = self.heap.arguments(directive)[0];
        match self.solve_once(goal, limits) {
            Ok(true) => Branch::Taken,
            Ok(false) => Branch::Before,
            Err(fault) => {
                self.report(load, span, &fault);
                Branch::Before
            }
        }
    }
}
