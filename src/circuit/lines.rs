//! What a role needs: the smallest sets of fluents one of which has to hold for a signal to be true.
//!
//! ```text
//! goal(o, 100) = line(o) = cell(1,1,o) ∧ cell(1,2,o) ∧ cell(1,3,o)  ∨  cell(2,1,o) ∧ …
//! ```
//!
//! Fluents that must not hold are left out, so that the signal may be false where some set holds, but is never true where
//! none does.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::circuit::{Circuit, Gate, Gates, Signal};

/// Products that are taken apart before lines are given up.
const MOST_PRODUCTS: usize = 50_000;

/// Sets of fluents, at most.
const MOST_LINES: usize = 2_000;

/// A product that is not taken apart yet.
#[derive(Clone)]
struct Product {
    /// All factors, those that are taken apart among them.
    factors: BTreeSet<Signal>,
    open: Vec<Signal>,
    fluents: FixedBitSet,
}

/// The smallest sets of fluents one of which holds at each end where a signal is true; none if there are too many, or loops.
pub(crate) fn lines(circuit: &Circuit, signal: Signal) -> Option<Vec<FixedBitSet>> {
    let gates = &circuit.gates;
    if !gates.loops().is_empty() {
        return None;
    }
    let needs = needs(gates, circuit.terminal);
    let mut products = vec![Product {
        factors: BTreeSet::from([circuit.terminal]),
        open: vec![signal],
        fluents: FixedBitSet::with_capacity(circuit.fluents.len()),
    }];
    let mut lines: Vec<FixedBitSet> = Vec::new();
    let mut taken = 0;
    while let Some(product) = products.pop() {
        taken += 1;
        if taken > MOST_PRODUCTS || lines.len() > MOST_LINES {
            return None;
        }
        let Some((product, sum)) = product.multiplied(gates, &needs) else {
            continue;
        };
        match sum {
            None if product.is_false(gates)
                || lines.iter().any(|line| line.is_subset(&product.fluents)) => {}
            None => {
                lines.retain(|line| !product.fluents.is_subset(line));
                lines.push(product.fluents);
            }
            Some(sum) => {
                for &term in gates.inputs(sum.gate()).iter().rev() {
                    let mut product = product.clone();
                    product.open.push(!term);
                    products.push(product);
                }
            }
        }
    }
    Some(lines)
}

/// By gate: whether it is true, and whether it is false, at ends only if some fluent holds.
fn needs(gates: &Gates, terminal: Signal) -> Vec<[bool; 2]> {
    let mut needs: Vec<[bool; 2]> = Vec::with_capacity(gates.len());
    for gate in 0..gates.len() {
        let inputs = gates.inputs(gate);
        let of = |signal: Signal| needs[signal.gate()][usize::from(signal.is_inverted())];
        let mut own = match gates.gate(gate) {
            Gate::False | Gate::Move(..) | Gate::Variable(..) => [false, false],
            Gate::Fluent(_) => [true, false],
            Gate::And => [
                inputs.iter().any(|&input| of(input)),
                inputs.iter().all(|&input| of(!input)),
            ],
        };
        if gate == terminal.gate() {
            // That the game goes on is never so.
            own[usize::from(!terminal.is_inverted())] = true;
        }
        needs.push(own);
    }
    needs
}

impl Product {
    /// Whether factors rule out all terms of a sum among them: that the game is over, for one, though a cell is free and nobody
    /// has a line.
    fn is_false(&self, gates: &Gates) -> bool {
        let mut sums = self.factors.iter().filter(|factor| factor.is_inverted());
        sums.any(|sum| {
            let inputs = gates.inputs(sum.gate());
            !inputs.is_empty() && inputs.iter().all(|input| self.factors.contains(input))
        })
    }

    /// Takes products in the product apart; none if it is false. Tells a sum in it that needs fluents, if there is one.
    fn multiplied(mut self, gates: &Gates, needs: &[[bool; 2]]) -> Option<(Self, Option<Signal>)> {
        let mut sums = Vec::new();
        while let Some(factor) = self.open.pop() {
            if factor == Signal::FALSE || self.factors.contains(&!factor) {
                return None;
            }
            if !self.factors.insert(factor) {
                continue;
            }
            match (gates.gate(factor.gate()), factor.is_inverted()) {
                (Gate::Fluent(place), false) => self.fluents.insert(place as usize),
                (Gate::And, false) => self.open.extend(gates.inputs(factor.gate())),
                // What needs no fluent to hold says nothing of those that do, but contradicts other factors.
                (Gate::And, true) if needs[factor.gate()][1] => sums.push(factor),
                (Gate::And, true)
                | (Gate::Fluent(_), true)
                | (Gate::False | Gate::Move(..) | Gate::Variable(..), _) => {}
            }
        }
        let sum = sums.pop();
        // The other sums are taken apart later.
        for &sum in &sums {
            self.factors.remove(&sum);
        }
        self.open = sums;
        Some((self, sum))
    }
}
