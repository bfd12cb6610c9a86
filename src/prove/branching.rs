//! Formulas over all plays or some, decided where all states are known.
//!
//! Sets of states are fixpoints: what some play comes to is the least set that has it and whatever leads into the
//! set; what some play keeps is the greatest one. A play that ends keeps what it has.
//!
//! Source: Clarke, Emerson, Sistla, Automatic Verification of Finite-State Concurrent Systems Using Temporal Logic
//! Specifications, TOPLAS 8(2), 1986.

use crate::circuit::{Circuit, Signal};
use crate::prove::formula::{PathOperator, Subformula};
use crate::prove::graph::Graph;

/// A formula whose parts about states are signals that were watched, by place.
#[derive(Clone, Debug)]
pub(super) enum WatchedFormula {
    Signal(usize),
    Not(Box<WatchedFormula>),
    And(Vec<WatchedFormula>),
    Or(Vec<WatchedFormula>),
    Path(bool, PathOperator, Vec<WatchedFormula>),
}

impl WatchedFormula {
    /// The formula, given what finds a place for a signal.
    pub(super) fn of(
        part: &Subformula,
        circuit: &mut Circuit,
        place: &mut dyn FnMut(Signal) -> usize,
    ) -> Self {
        // The largest parts that speak of a state alone are a signal each: only operators over plays stay formulas.
        if let Some(signal) = part.signal(circuit) {
            return WatchedFormula::Signal(place(signal));
        }
        if let Subformula::Not(part) = part {
            return WatchedFormula::Not(Box::new(WatchedFormula::of(part, circuit, place)));
        }
        let mut all = |parts: &[Subformula]| -> Vec<WatchedFormula> {
            let parts = parts.iter();
            parts
                .map(|part| WatchedFormula::of(part, circuit, place))
                .collect()
        };
        match part {
            Subformula::And(parts) => WatchedFormula::And(all(parts)),
            Subformula::Or(parts) => WatchedFormula::Or(all(parts)),
            Subformula::Path(is_all, operator, parts) => {
                WatchedFormula::Path(*is_all, *operator, all(parts))
            }
            Subformula::Atom(_) | Subformula::Not(_) => unreachable!("an atom is about a state"),
        }
    }
}

/// By state, whether a formula holds. The graph is complete.
pub(super) fn holding(graph: &Graph, formula: &WatchedFormula) -> Vec<bool> {
    let states = 0..graph.len();
    match formula {
        WatchedFormula::Signal(place) => states.map(|state| graph.has(state, *place)).collect(),
        WatchedFormula::Not(part) => inverted(holding(graph, part)),
        WatchedFormula::And(parts) => {
            let sets = each_holding(graph, parts);
            states.map(|at| sets.iter().all(|set| set[at])).collect()
        }
        WatchedFormula::Or(parts) => {
            let sets = each_holding(graph, parts);
            states.map(|at| sets.iter().any(|set| set[at])).collect()
        }
        WatchedFormula::Path(is_all, operator, parts) => {
            path(graph, *is_all, *operator, each_holding(graph, parts))
        }
    }
}

fn each_holding(graph: &Graph, formulas: &[WatchedFormula]) -> Vec<Vec<bool>> {
    let formulas = formulas.iter();
    formulas.map(|formula| holding(graph, formula)).collect()
}

fn inverted(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|is| !is).collect()
}

/// What holds of all plays is what fails of none.
fn path(
    graph: &Graph,
    is_all: bool,
    operator: PathOperator,
    mut parts: Vec<Vec<bool>>,
) -> Vec<bool> {
    let last = parts.pop().unwrap_or_default();
    let anywhere = vec![true; graph.len()];
    // AX p = ¬EX ¬p, AF p = ¬EG ¬p, AG p = ¬EF ¬p, where EF p = E(true U p).
    match (operator, is_all) {
        (PathOperator::Next, false) => some_next(graph, &last),
        (PathOperator::Next, true) => inverted(some_next(graph, &inverted(last))),
        (PathOperator::Eventually, false) => some_until(graph, &anywhere, last),
        (PathOperator::Eventually, true) => inverted(some_always(graph, inverted(last))),
        (PathOperator::Always, false) => some_always(graph, last),
        (PathOperator::Always, true) => inverted(some_until(graph, &anywhere, inverted(last))),
        (PathOperator::Until, false) => {
            let first = parts.pop().unwrap_or(anywhere);
            some_until(graph, &first, last)
        }
        (PathOperator::Until, true) => {
            // A(p U q) = ¬(E(¬q U ¬p ∧ ¬q) ∨ EG ¬q): it fails where the second part never comes, or not before the
            // first one fails.
            let first = parts.pop().unwrap_or(anywhere);
            let not_last = inverted(last);
            let neither = first
                .iter()
                .zip(&not_last)
                .map(|(first, not)| !first && *not);
            let too_late = some_until(graph, &not_last, neither.collect());
            let never = some_always(graph, not_last);
            let fails = too_late
                .iter()
                .zip(&never)
                .map(|(one, other)| *one || *other);
            inverted(fails.collect())
        }
    }
}

fn leads_into(graph: &Graph, state: usize, set: &[bool]) -> bool {
    graph.successors(state).iter().any(|&to| set[to as usize])
}

fn some_next(graph: &Graph, set: &[bool]) -> Vec<bool> {
    (0..graph.len())
        .map(|state| leads_into(graph, state, set))
        .collect()
}

/// Where some play has the first set until it comes to the second one.
fn some_until(graph: &Graph, first: &[bool], mut set: Vec<bool>) -> Vec<bool> {
    // Backwards by number: later states come first, and few sweeps are enough where moves lead to later states.
    loop {
        let mut changes = false;
        for state in (0..graph.len()).rev() {
            if !set[state] && first[state] && leads_into(graph, state, &set) {
                set[state] = true;
                changes = true;
            }
        }
        if !changes {
            return set;
        }
    }
}

/// Where some play never leaves a set.
fn some_always(graph: &Graph, mut set: Vec<bool>) -> Vec<bool> {
    loop {
        let mut changes = false;
        for state in (0..graph.len()).rev() {
            // A play that ends in the set never leaves it.
            let is_end = graph.successors(state).is_empty();
            if set[state] && !is_end && !leads_into(graph, state, &set) {
                set[state] = false;
                changes = true;
            }
        }
        if !changes {
            return set;
        }
    }
}
