//! `setup_call_cleanup/3`: a goal that runs when another one is finished, however that ends.
//!
//! The call leaves a choice point below the goal. The goal is finished when it is left without choice points, when it
//! fails back to that choice point, or when a cut or an exception takes it away. The first two come by themselves; a
//! cut looks for such choice points among those it removes, if there are any at all.
//!
//! Cleanups run in a nested run of the machine, so that the interrupted computation does not notice.
//!
//! Source: setup_call_cleanup/3 as proposed for \[ISO\] (N215, Neumerkel, 2012).

use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::state::choice::{Alternative, ChoicePoint};
use crate::prolog::state::frame::{FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;

impl Machine {
    /// `$call_cleanup(Goal, Cleanup)`
    pub(in crate::prolog) fn start_cleanup(&mut self) -> Result<Pc, Interruption> {
        let (goal, cleanup) = (self.x[0], self.x[1]);
        let height = Cell::mark(self.choices.len() as u64);
        // The cleanup goal is saved below the goal that it belongs to: whatever ends the goal passes here.
        self.push_choice_saving(Alternative::Cleanup, &[cleanup]);
        self.cleanups.waiting += 1;
        self.allocate(1, FrameKind::Plain);
        self.set_slot(0, height);
        self.cp = stub::CLEANUP;
        self.opaque_goal(goal)
    }

    /// The goal has succeeded. If nothing is left to try in it, it is finished.
    #[inline(never)]
    pub(in crate::prolog) fn cleanup_goal_succeeded(&mut self) -> Result<Pc, Interruption> {
        let height = self.slot(0).mark_value() as usize;
        let is_last = height + 1 == self.choices.len();
        // No choice point of the goal is left, so that it cannot be re-entered.
        let is_finished = is_last && self.choices[height].alternative == Alternative::Cleanup;
        self.deallocate();
        let next = self.cp;
        if is_finished {
            self.cut_to(height);
            self.run_due_cleanups()?;
        }
        Ok(next)
    }

    /// The goal has failed.
    pub(in crate::prolog) fn cleanup_goal_failed(&mut self) -> Result<Pc, Interruption> {
        self.cut_to(self.choices.len() - 1);
        self.run_due_cleanups()?;
        Ok(BACKTRACK)
    }

    /// Notes the cleanups of the choice points from a height on, which are about to be cut.
    #[cold]
    pub(in crate::prolog) fn note_cut_cleanups(&mut self, height: usize) {
        let cut = self.choices[height..].iter().rev();
        let cut = cut.filter(|choice| choice.alternative == Alternative::Cleanup);
        let goals: Vec<Cell> = cut
            .map(|choice| self.saved[choice.saved as usize])
            .collect();
        // Each choice point is cut once; the counter says whether the next cut has to look at all.
        self.cleanups.waiting -= goals.len();
        self.cleanups.due.extend(goals);
        // Where a cut is no instruction of a clause, the next call runs them.
        self.next_poll = 0;
    }

    /// Goes on behind an instruction that cuts.
    #[cold]
    pub(in crate::prolog) fn after_cut(&mut self, next: Pc) -> Result<Pc, Interruption> {
        self.run_due_cleanups()?;
        Ok(next)
    }

    /// Runs the cleanups that a cut has made due.
    ///
    /// # Errors
    /// The exception of the first cleanup that throws, after all have run; what ended one by halting or a limit.
    #[cold]
    pub(in crate::prolog) fn run_due_cleanups(&mut self) -> Result<(), Interruption> {
        let due = std::mem::take(&mut self.cleanups.due);
        let goals = self.heap.list(&due);
        self.run_cleanups(goals)
    }

    /// An exception unwinds the choice points from a height on: runs their cleanups, innermost first, each in the state
    /// of its call. Exceptions of cleanups are dropped, since the one that unwinds comes first.
    pub(in crate::prolog) fn unwind_cleanups(&mut self, height: usize) -> Result<(), Interruption> {
        while self.cleanups.are_waiting() {
            let mut above = self.choices[height..].iter();
            let innermost = above.rposition(|choice| choice.alternative == Alternative::Cleanup);
            let Some(position) = innermost else {
                break;
            };
            self.abandon_tables(height + position);
            let choice: ChoicePoint = self.choices[height + position];
            self.cut_to(height + position);
            self.restore(&choice);
            match self.run_due_cleanups() {
                Ok(()) | Err(Interruption::Throw(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    fn run_cleanups(&mut self, goals: Cell) -> Result<(), Interruption> {
        let name = self.heap.store.symbol("$run_cleanups");
        let goal = self.heap.compound(name, &[goals]);
        self.run_nested(goal).map(|_| ())
    }
}
