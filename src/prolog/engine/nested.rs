//! Goals that are solved in the middle of an instruction or a built-in: cleanups, goals of `format/2`.
//!
//! They run above all stacks, so that the interrupted computation does not notice: the argument registers are kept in an
//! environment of their own. Such a run may collect garbage: a cell that a built-in holds on to is worth nothing behind it,
//! but for those in argument registers.

use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::{FRAME_HEADER, FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::{self, Interruption};
use crate::prolog::terms::heap::TermView;

/// Runs inside each other: each is a call of Rust.
const MAX_NESTING: u32 = 64;

impl Machine {
    /// What a goal writes to the current output, solved once; none if it fails.
    pub(in crate::prolog) fn text_written_by(
        &mut self,
        goal: Cell,
    ) -> Result<Option<String>, Interruption> {
        let text = self.heap.variable();
        let (sink, collect) = ("string", "with_output_to");
        let (sink, collect) = (
            self.heap.store.symbol(sink),
            self.heap.store.symbol(collect),
        );
        let sink = self.heap.compound(sink, &[text]);
        let goal = self.heap.compound(collect, &[sink, goal]);
        // A register that no built-in has an argument in: there the text is found again.
        let last = self.x.len() - 1;
        self.x[last] = text;
        if !self.run_nested(goal)? {
            return Ok(None);
        }
        let text = self.heap.deref(self.x[last]);
        let text = match self.heap.view(text) {
            TermView::Text(name) => self.heap.name(name).to_owned(),
            // Nothing was written.
            TermView::Variable(_)
            | TermView::Atom(_)
            | TermView::Integer(_)
            | TermView::Big(_)
            | TermView::Float(_)
            | TermView::Compound(..) => String::new(),
        };
        Ok(Some(text))
    }

    /// Solves a goal once on top of all stacks and says whether it holds; its bindings stay.
    ///
    /// # Errors
    /// The exception of the goal; what ended it by halting or a limit.
    pub(in crate::prolog) fn run_nested(&mut self, goal: Cell) -> Result<bool, Interruption> {
        if self.cleanups.nesting >= MAX_NESTING {
            return Err(error::resource_error(&mut self.heap, "nesting"));
        }
        self.cleanups.nesting += 1;
        let outcome = self.run_above(goal);
        self.cleanups.nesting -= 1;
        outcome
    }

    fn run_above(&mut self, goal: Cell) -> Result<bool, Interruption> {
        let (e, cp, b0, delays) = (self.e, self.cp, self.b0, self.delays);
        let height = self.choices.len();
        let registers = self.x.len();
        self.allocate(registers, FrameKind::Plain);
        // The registers of the interrupted clause go into an environment of their own: a cut is an instruction in the
        // middle of a clause, whose registers are alive.
        let kept = self.e + FRAME_HEADER;
        self.stack[kept..kept + registers].copy_from_slice(&self.x[..]);
        let outer = std::mem::take(&mut self.outer);
        let bags = self.bags.len();
        // A query of its own: exceptions and cuts of the cleanup do not pass this choice point.
        self.push_choice(Alternative::Query);
        self.allocate(0, FrameKind::Query);
        self.cp = stub::QUERY_DONE;
        self.pending = (goal, self.choices.len());
        let interruption = self.run(stub::GOAL);
        // Tables begun by the cleanup are incomplete; nothing below waits for them.
        self.abandon_tables(height);
        self.cut_to(height);
        self.outer = outer;
        self.bags.truncate(bags);
        self.x.copy_from_slice(&self.stack[kept..kept + registers]);
        (self.e, self.cp, self.b0, self.delays) = (e, cp, b0, delays);
        match interruption {
            Interruption::Answer => Ok(true),
            Interruption::Exhausted | Interruption::Positions => Ok(false),
            other @ (Interruption::Throw(_) | Interruption::Halt(_) | Interruption::Limit(_)) => {
                Err(other)
            }
        }
    }
}
