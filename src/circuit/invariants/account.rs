//! What questions to a solver may cost, over several solvers.

use crate::circuit::sat::{Answer, Literal, Solver};

/// Assignments that a conflict takes, about.
const ASSIGNMENTS_OF_CONFLICT: u64 = 1_000;

/// Conflicts at least before a question is given up.
const MIN_CONFLICTS: u64 = 20;

/// What the solver has done, and what it may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    /// Assignments that it may infer yet.
    pub(crate) steps: u64,
    /// Questions that it was asked.
    pub(crate) questions: usize,
}

impl Account {
    /// What a question may take if others are to follow: three quarters of what is left, so that there is always something.
    pub(crate) fn share(&self) -> u64 {
        self.steps - self.steps / 4
    }

    /// Asks a question that may take so many assignments at most, and counts what it takes.
    pub(crate) fn ask(&mut self, solver: &mut Solver, assumed: &[Literal], most: u64) -> Answer {
        let before = solver.spent();
        let granted = self.steps.min(most);
        solver.check_after((granted / ASSIGNMENTS_OF_CONFLICT).max(MIN_CONFLICTS));
        solver.grant(granted);
        let answer = solver.ask(assumed);
        self.questions += 1;
        self.steps = self.steps.saturating_sub(solver.spent() - before);
        answer
    }
}
