//! What questions to a solver may cost, over several solvers.

use crate::circuit::sat::{Answer, Literal, Solver};

/// What the solver has done, and what it may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    /// Assignments that it may infer yet.
    pub(crate) steps: u64,
    /// Questions that it was asked.
    pub(crate) questions: usize,
}

impl Account {
    /// Asks a question that may take so many assignments at most, and counts what it takes.
    pub(crate) fn ask(&mut self, solver: &mut Solver, assumed: &[Literal], most: u64) -> Answer {
        let before = solver.spent();
        solver.grant(self.steps.min(most));
        let answer = solver.ask(assumed);
        self.questions += 1;
        self.steps = self.steps.saturating_sub(solver.spent() - before);
        answer
    }
}
