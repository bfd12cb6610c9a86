//! States that differ in one part, in the others, or in both: what the form of a function is asked with.
//!
//! With `f(a, b)` for a part in state *a*, the others in *b*, and what runs by itself common to all:
//!
//! | form | there are no states with |
//! |---|---|
//! | `f = g(a) ∨ h(b)` | `f(a,b) ∧ ¬f(a′,b) ∧ ¬f(a,b′)` |
//! | `f = g(a) ∧ h(b)` | `¬f(a,b) ∧ f(a′,b) ∧ f(a,b′)` |
//! | `f = g(a) + h(b)` | `f(a,b) + f(a′,b′) ≠ f(a′,b) + f(a,b′)` |
//! | *a* before *b* | `f(a,b) > f(a′,b) ∧ f(a,b′) ≤ f(a′,b″)` |
//!
//! For the first: with `g(a) = ∀b f(a,b)` and `h(b) = ∀a f(a,b)`, a state with `f` but neither of them is
//! what the row forbids. A goal value is the largest of its parts if each `f ≥ t` is disjunctive.

use std::collections::BTreeMap;

use crate::circuit::Signal;
use crate::circuit::sat::{Answer, Literal, Solver};
use crate::decomposition::certificate::IndependenceProver;
use crate::decomposition::composition::form::OutcomeForm;
use crate::decomposition::copies::{CircuitCopy, fluents};
use crate::decomposition::part::Part;

/// Assignments that the solver may infer for a question.
const MAX_ASSIGNMENTS: u64 = 10_000_000;

/// Goal values that are added up: their number to the third is that of the clauses.
const MAX_ADDED: usize = 24;

/// Parts whose order is asked for: their number to the second is that of the questions.
const MAX_ORDERED: usize = 8;

/// What function of the parts is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// Whether the game is over.
    End,
    /// The goal value of a role where the game is over.
    Goal(usize),
}

/// Whether a function depends on a part; so it is said to, where the solver gives up.
pub(super) fn depends(
    prover: &mut IndependenceProver<'_>,
    parts: &[Part],
    part: usize,
    function: Function,
) -> bool {
    let sides = Sides::of(prover, parts, part, None);
    // f(a,b) ∧ ¬f(a′,b) for some level; the opposite is the same with a and a′ exchanged.
    let mut square = Square::new(prover, &sides, &[(0, 0), (1, 0)]);
    square.require_pattern(function, &[true, false]);
    square.is_possible() != Some(false)
}

/// Whether a part can be split off a function in some form; none if the solver gives up.
pub(super) fn splits_off(
    prover: &mut IndependenceProver<'_>,
    parts: &[Part],
    part: usize,
    (function, form): (Function, &OutcomeForm),
) -> Option<bool> {
    let sides = Sides::of(prover, parts, part, None);
    // f(a,b), f(a′,b), f(a,b′), f(a′,b′); the last one is for sums only.
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
    let possible = match (form, function) {
        (OutcomeForm::Additive, Function::Goal(role)) => {
            let mut square = Square::new(prover, &sides, &corners);
            square.require_no_sum(role).then(|| square.is_possible())?
        }
        _ => {
            // Disjunctive unless 1,0,0 is possible, conjunctive unless 0,1,1 is.
            let mut square = Square::new(prover, &sides, &corners[..3]);
            let is_any = *form == OutcomeForm::Disjunctive;
            square.require_pattern(function, &[is_any, !is_any, !is_any]);
            square.is_possible()
        }
    };
    possible.map(|is_possible| !is_possible)
}

/// The parts in an order such that a goal value is decided by the first that makes a difference, if there is
/// one.
pub(super) fn order(
    prover: &mut IndependenceProver<'_>,
    parts: &[Part],
    relevant: &[usize],
    role: usize,
) -> Option<Vec<usize>> {
    if relevant.len() > MAX_ORDERED {
        return None;
    }
    // By part, how many it comes before; in an order of three these are 2, 1, 0. Parts with the same number replace
    // each other in the map, which is then too small.
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    for &one in relevant {
        let mut others = relevant.iter().filter(|&&other| other != one);
        let count = others.try_fold(0, |count, &other| {
            // f(a,b), f(a′,b), f(a,b′), f(a′,b″): what a decides, no state of the other part may undo.
            let sides = Sides::of(prover, parts, one, Some(other));
            let mut square = Square::new(prover, &sides, &[(0, 0), (1, 0), (0, 1), (1, 2)]);
            square.require_overruled(role);
            square
                .is_possible()
                .map(|is_possible| count + usize::from(!is_possible))
        });
        before.insert(count?, one);
    }
    let order: Vec<usize> = before.into_values().rev().collect();
    (order.len() == relevant.len()).then_some(order)
}

/// On which side a fluent is, by place; none if it is common to all states.
struct Sides(Vec<Option<Side>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Part,
    Others,
}

impl Sides {
    /// A part, and one other part or all else but the context.
    fn of(
        prover: &IndependenceProver<'_>,
        parts: &[Part],
        part: usize,
        other: Option<usize>,
    ) -> Self {
        let elsewhere = match other {
            None => Some(Side::Others),
            Some(_) => None,
        };
        let mut sides = vec![elsewhere; prover.circuit.fluents.len()];
        let own = [(Some(part), Side::Part), (other, Side::Others)];
        for (part, side) in own {
            for fluent in part.map_or_else(Vec::new, |part| prover.fluents(&parts[part].variables))
            {
                sides[fluent] = Some(side);
            }
        }
        for (side, &is_context) in sides.iter_mut().zip(prover.is_context) {
            if is_context {
                *side = None;
            }
        }
        Self(sides)
    }
}

/// States that agree on a side or do not, in one solver.
struct Square<'p, 'm> {
    prover: &'p mut IndependenceProver<'m>,
    solver: Solver,
    corners: Vec<CircuitCopy>,
}

impl<'p, 'm> Square<'p, 'm> {
    /// The states with these versions of the part and of the others, by number.
    fn new(
        prover: &'p mut IndependenceProver<'m>,
        sides: &Sides,
        corners: &[(usize, usize)],
    ) -> Self {
        let circuit = prover.circuit;
        let mut solver = Solver::for_large_conflicts(prover.stop.clone(), 0);
        let versions = 1 + corners
            .iter()
            .map(|&(part, others)| part.max(others))
            .max()
            .unwrap_or(0);
        let mut version = || fluents(circuit, &mut solver, |_| None);
        let versions: Vec<Vec<Literal>> = (0..versions).map(|_| version()).collect();
        let corners = corners.iter().map(|&(part, others)| {
            let places = sides.0.iter().enumerate();
            let state = places.map(|(place, side)| match side {
                None => versions[0][place],
                Some(Side::Part) => versions[part][place],
                Some(Side::Others) => versions[others][place],
            });
            CircuitCopy::new(
                circuit,
                prover.invariants.all(),
                &mut solver,
                state.collect(),
            )
        });
        let corners = corners.collect();
        Self {
            prover,
            solver,
            corners,
        }
    }

    /// By level of a function, by corner, whether it is at least that high. The game is over in all corners if
    /// it is a goal value.
    fn levels(&mut self, function: Function) -> Vec<Vec<Literal>> {
        let Function::Goal(role) = function else {
            return vec![self.at_corners(&[self.prover.circuit.terminal])];
        };
        self.require_ends();
        let values = self.values(role);
        // Values 0, 50, 100 have the levels ≥ 50 and ≥ 100: that it is at least the least value says nothing.
        let levels = (1..values.len()).map(|level| {
            let signals = values[level..].iter().flat_map(|(_, signals)| signals);
            signals.copied().collect::<Vec<Signal>>()
        });
        levels
            .collect::<Vec<_>>()
            .iter()
            .map(|signals| self.at_corners(signals))
            .collect()
    }

    /// Requires that the game is over in all corners.
    fn require_ends(&mut self) {
        for is_over in self.at_corners(&[self.prover.circuit.terminal]) {
            self.solver.require([is_over]);
        }
    }

    /// The goal values of a role, ascending, with the signals of each.
    fn values(&self, role: usize) -> Vec<(i64, Vec<Signal>)> {
        let mut values: BTreeMap<i64, Vec<Signal>> = BTreeMap::new();
        for payoff in &self.prover.circuit.goals[role] {
            if payoff.signal.constant() != Some(false) {
                let value = payoff.value.map_or(0, |value| i64::from(value.0));
                values.entry(value).or_default().push(payoff.signal);
            }
        }
        values.into_iter().collect()
    }

    /// By corner, whether one of some signals is true.
    fn at_corners(&mut self, signals: &[Signal]) -> Vec<Literal> {
        let circuit = self.prover.circuit;
        let corners = self.corners.iter_mut();
        let literals =
            corners.map(|copy| copy.any(circuit, &mut self.solver, signals.iter().copied()));
        literals.collect()
    }

    /// Requires that a function is at least some level in some corners, and not in the others.
    fn require_pattern(&mut self, function: Function, is_reached: &[bool]) {
        let mut some = Vec::new();
        for level in self.levels(function) {
            let chosen = self.solver.variable();
            for (literal, &is_reached) in level.into_iter().zip(is_reached) {
                self.solver
                    .require([!chosen, literal.negated_if(!is_reached)]);
            }
            some.push(chosen);
        }
        self.solver.require(some);
    }

    /// Requires goal values of which those at opposite corners have different sums; whether they are few
    /// enough for that.
    fn require_no_sum(&mut self, role: usize) -> bool {
        let values = self.values(role);
        if values.len() > MAX_ADDED {
            return false;
        }
        self.require_ends();
        let had: BTreeMap<i64, Vec<Literal>> = values
            .iter()
            .map(|(value, signals)| (*value, self.at_corners(signals)))
            .collect();
        for corner in 0..self.corners.len() {
            let some = had.values().map(|literals| literals[corner]);
            self.solver.require(some);
        }
        // f(a,b) + f(a′,b′) = f(a′,b) + f(a,b′) is excluded for each three values that have a fourth one.
        for (one, at_one) in &had {
            for (right, at_right) in &had {
                for (down, at_down) in &had {
                    if let Some(at_other) = had.get(&(right + down - one)) {
                        let sum = [!at_one[0], !at_right[1], !at_down[2], !at_other[3]];
                        self.solver.require(sum);
                    }
                }
            }
        }
        true
    }

    /// Requires that a goal value is higher at the first corner than at the second, and not higher at the
    /// third than at the fourth.
    fn require_overruled(&mut self, role: usize) {
        let mut some = Vec::new();
        // f(a,b) > f(a′,b) at some level; f(a,b′) ≤ f(a′,b″) at each of them.
        for level in self.levels(Function::Goal(role)) {
            let chosen = self.solver.variable();
            self.solver.require([!chosen, level[0]]);
            self.solver.require([!chosen, !level[1]]);
            some.push(chosen);
            self.solver.require([!level[2], level[3]]);
        }
        self.solver.require(some);
    }

    /// Whether there are such states; none if the solver gives up.
    fn is_possible(&mut self) -> Option<bool> {
        let account = &mut self.prover.account;
        match account.ask(&mut self.solver, &[], MAX_ASSIGNMENTS) {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            Answer::Stopped(_) => None,
        }
    }
}
