//! The solver: clauses are added, questions are asked under assumptions.
//!
//! It is `batsat`, which learns clauses from conflicts as MiniSat does; only this file uses it.
//! Effort is counted in assignments that follow from others, so that the same questions end in the same way
//! on every machine; a stop from outside is looked for at every decision.

use std::cell::Cell;
use std::ops::Not;

use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, lbool};
use fixedbitset::FixedBitSet;

use crate::limits::{StopFlag, StopReason};

/// A variable of the solver or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal(Lit);

impl Literal {
    /// The same literal, negated if a condition holds.
    #[must_use]
    pub(crate) fn negated_if(self, condition: bool) -> Self {
        Self(self.0.apply_sign(!condition))
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(!self.0)
    }
}

/// What is said of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There are such values; [`Solver::value`] tells them.
    Satisfiable,
    /// There are none; [`Solver::is_blamed`] tells because of what.
    Unsatisfiable,
    /// It ended before it was known.
    Stopped(StopReason),
}

/// Clauses, and what was learned of them.
pub(crate) struct Solver {
    solver: batsat::Solver<Budget>,
    truth: Literal,
    /// Assignments that may be inferred for all questions together.
    steps: u64,
    /// Conflicts between two checks of the effort.
    conflicts: u64,
}

/// Ends the search.
struct Budget {
    stop: StopFlag,
    /// Decisions after which the effort is checked.
    left: Cell<u64>,
    /// What a conflict counts for, in decisions.
    conflict: u64,
}

/// Decisions between two checks of the effort, beside some for every variable: a search that is begun anew
/// must be able to come to an end.
const DECISIONS: u64 = 20_000;

/// Conflicts between two checks of the effort.
const CONFLICTS: u64 = 1_000;

impl Callbacks for Budget {
    /// Is asked at every decision, and counts them.
    fn stop(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0 || self.stop.raised().is_some()
    }

    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        // A conflict takes as long as many decisions.
        if kind == batsat::ClauseKind::Learnt {
            let left = self.left.get();
            self.left.set(left.saturating_sub(self.conflict));
        }
    }
}

impl Solver {
    /// A solver without clauses, which may infer so many assignments.
    pub(crate) fn new(stop: StopFlag, steps: u64) -> Self {
        Self::with_options(stop, steps, SolverOpts::default())
    }

    /// The same for conflicts in which most of a large circuit takes part, as those between two states of a game
    /// do: what is learned is made smaller only as far as that is cheap. In proofs about checkers that takes a
    /// fifth of the time; where conflicts are small, up to twice the time.
    pub(crate) fn for_large_conflicts(stop: StopFlag, steps: u64) -> Self {
        let options = SolverOpts {
            ccmin_mode: 1,
            ..SolverOpts::default()
        };
        Self::with_options(stop, steps, options)
    }

    fn with_options(stop: StopFlag, steps: u64, options: SolverOpts) -> Self {
        let budget = Budget {
            stop,
            left: Cell::new(0),
            conflict: 0,
        };
        let mut solver = batsat::Solver::new(options, budget);
        // A constant as a literal: callers need not tell signals that are known from others.
        let truth = Literal(Lit::new(solver.new_var_default(), true));
        solver.add_clause_reuse(&mut vec![truth.0]);
        Self {
            solver,
            truth,
            steps,
            conflicts: CONFLICTS,
        }
    }

    /// Has the effort checked after so many conflicts, at least one, instead of a thousand: small grants are kept to then.
    pub(crate) fn check_after(&mut self, conflicts: u64) {
        self.conflicts = conflicts.clamp(1, CONFLICTS);
    }

    /// Allows for so many more assignments.
    pub(crate) fn grant(&mut self, steps: u64) {
        let inferred = self.solver.num_propagations();
        self.steps = inferred.saturating_add(steps);
    }

    /// Assignments that were inferred so far.
    pub(crate) fn spent(&self) -> u64 {
        self.solver.num_propagations()
    }

    /// The literal that is true.
    pub(crate) fn truth(&self) -> Literal {
        self.truth
    }

    /// A new variable.
    pub(crate) fn variable(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var_default(), true))
    }

    /// A new variable that is tried with the value true first.
    pub(crate) fn choice(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var(lbool::TRUE, true), true))
    }

    /// Number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.solver.num_vars() as usize
    }

    /// Requires that one of the literals is true.
    pub(crate) fn require(&mut self, clause: impl IntoIterator<Item = Literal>) {
        let mut clause: Vec<Lit> = clause.into_iter().map(|literal| literal.0).collect();
        // That no values are left is seen by the next question.
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Whether all clauses and assumptions can be true together.
    pub(crate) fn ask(&mut self, assumptions: &[Literal]) -> Answer {
        let assumptions: Vec<Lit> = assumptions.iter().map(|literal| literal.0).collect();
        // The library has no budget of its own. It is stopped every so many decisions, keeps what it learned, and
        // is asked again until the propagations are used up.
        while self.solver.num_propagations() < self.steps {
            let decisions = DECISIONS + 2 * u64::from(self.solver.num_vars());
            self.solver.cb_mut().conflict = decisions / self.conflicts;
            self.solver.cb().left.set(decisions);
            let answer = self.solver.solve_limited(&assumptions);
            if answer == lbool::TRUE {
                return Answer::Satisfiable;
            }
            if answer == lbool::FALSE {
                return Answer::Unsatisfiable;
            }
            if let Some(reason) = self.solver.cb().stop.raised() {
                return Answer::Stopped(reason);
            }
        }
        Answer::Stopped(StopReason::StepLimit(self.steps))
    }

    /// Whether a literal is true in the values found last.
    pub(crate) fn value(&self, literal: Literal) -> bool {
        self.solver.value_lit(literal.0) == lbool::TRUE
    }

    /// The places of the literals that are true in the values found last.
    pub(crate) fn held(&self, literals: &[Literal]) -> FixedBitSet {
        let mut held = FixedBitSet::with_capacity(literals.len());
        let places = (0..literals.len()).filter(|&place| self.value(literals[place]));
        held.extend(places);
        held
    }

    /// Whether an assumption had a part in it that the last question has no answer.
    pub(crate) fn is_blamed(&self, assumption: Literal) -> bool {
        self.solver.unsat_core_contains_var(assumption.0.var())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_blamed_and_forgotten() {
        let mut solver = Solver::new(StopFlag::default(), 1_000);
        let [a, b, c] = [(); 3].map(|()| solver.variable());
        solver.require([!a, b]);
        assert_eq!(solver.ask(&[c, a, !b]), Answer::Unsatisfiable);
        assert!(solver.is_blamed(a) && solver.is_blamed(b) && !solver.is_blamed(c));
        assert_eq!(solver.ask(&[a]), Answer::Satisfiable);
        assert!(solver.value(a) && solver.value(b) && solver.value(solver.truth()));
        solver.require([!b]);
        assert_eq!(solver.ask(&[]), Answer::Satisfiable);
        assert!(!solver.value(a));
        solver.require([a]);
        assert_eq!(solver.ask(&[]), Answer::Unsatisfiable);
    }

    #[test]
    fn it_ends_at_limits() {
        let mut solver = pigeons(StopFlag::default(), 5_000);
        let reason = StopReason::StepLimit(5_000);
        assert_eq!(solver.ask(&[]), Answer::Stopped(reason));
        let stop = StopFlag::default();
        let mut solver = pigeons(stop.clone(), u64::MAX);
        stop.raise(StopReason::TimeLimit);
        assert_eq!(solver.ask(&[]), Answer::Stopped(StopReason::TimeLimit));
    }

    /// Ten pigeons in nine holes: there is no short proof that two share one.
    fn pigeons(stop: StopFlag, steps: u64) -> Solver {
        let mut solver = Solver::new(stop, steps);
        let pigeons: Vec<[Literal; 9]> =
            (0..10).map(|_| [(); 9].map(|()| solver.choice())).collect();
        for (at, one) in pigeons.iter().enumerate() {
            solver.require(one.iter().copied());
            for other in &pigeons[at + 1..] {
                for (&here, &there) in one.iter().zip(other) {
                    solver.require([!here, !there]);
                }
            }
        }
        solver
    }
}
