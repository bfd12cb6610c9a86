//! Gates as clauses: every gate that a question reaches gets a variable that equals its output.
//!
//! ```text
//! g = a ∧ ¬b        (¬g ∨ a) (¬g ∨ ¬b) (g ∨ ¬a ∨ b)
//! ```
//!
//! The variables of a loop equal their definitions. That is less than what they are, the least values that
//! do; so what is found to be impossible is impossible, and what is found to be possible has to be evaluated.
//!
//! Source: Tseitin, On the Complexity of Derivation in Propositional Calculus, 1968.

use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::sat::solver::{Literal, Solver};

/// The literals of the gates that were reached.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    literals: Vec<Option<Literal>>,
    /// The loops that were reached.
    loops: Vec<bool>,
}

impl Encoding {
    /// Nothing is encoded yet.
    pub(crate) fn new(gates: &Gates) -> Self {
        Self {
            literals: vec![None; gates.len()],
            loops: vec![false; gates.loops().len()],
        }
    }

    /// Gives the gate of a signal, which no question has reached yet, a literal that there is.
    pub(crate) fn bind(&mut self, signal: Signal, literal: Literal) {
        self.literals[signal.gate()] = Some(literal.negated_if(signal.is_inverted()));
    }

    /// The literal of a signal, if its gate was reached or is constant.
    pub(crate) fn known(&self, solver: &Solver, signal: Signal) -> Option<Literal> {
        let literal = match signal.gate() {
            0 => Some(!solver.truth()),
            gate => self.literals[gate],
        };
        literal.map(|literal| literal.negated_if(signal.is_inverted()))
    }

    /// The literal of a signal.
    pub(crate) fn literal(
        &mut self,
        solver: &mut Solver,
        gates: &Gates,
        signal: Signal,
    ) -> Literal {
        let mut reached = Vec::new();
        // Loops that are met are put aside, as their definitions may reach their variables.
        let literal = self.reach(solver, gates, signal, &mut reached);
        while let Some(number) = reached.pop() {
            let variables = &gates.loops()[number].variables;
            let definitions = &gates.loops()[number].definitions;
            for (&variable, &definition) in variables.iter().zip(definitions) {
                let one = self.reach(solver, gates, Signal::of(variable), &mut reached);
                let other = self.reach(solver, gates, definition, &mut reached);
                solver.require([!one, other]);
                solver.require([one, !other]);
            }
        }
        literal
    }

    /// The same without the definitions of the loops that are reached for the first time.
    fn reach(
        &mut self,
        solver: &mut Solver,
        gates: &Gates,
        signal: Signal,
        reached: &mut Vec<usize>,
    ) -> Literal {
        // Depth first with an explicit stack: a gate is defined when all its inputs are, on the second visit.
        let mut pending = vec![signal.gate()];
        while let Some(&gate) = pending.last() {
            let before = pending.len();
            if self.literals[gate].is_none() {
                let missing = gates.inputs(gate).iter().map(|input| input.gate());
                pending.extend(missing.filter(|&input| self.literals[input].is_none()));
            }
            if pending.len() == before {
                pending.pop();
                if self.literals[gate].is_none() {
                    self.literals[gate] = Some(self.define(solver, gates, gate, reached));
                }
            }
        }
        match self.known(solver, signal) {
            Some(literal) => literal,
            None => unreachable!("the gate was reached"),
        }
    }

    /// A literal that equals the output of a gate whose inputs were reached.
    fn define(
        &mut self,
        solver: &mut Solver,
        gates: &Gates,
        gate: usize,
        reached: &mut Vec<usize>,
    ) -> Literal {
        match gates.gate(gate) {
            Gate::False => !solver.truth(),
            Gate::Fluent(_) => solver.variable(),
            // A move that is made decides much, one that is not made little.
            Gate::Move(..) => solver.choice(),
            Gate::Variable(number, _) => {
                let number = number as usize;
                if !std::mem::replace(&mut self.loops[number], true) {
                    reached.push(number);
                }
                solver.variable()
            }
            Gate::And => {
                let truth = solver.truth();
                let signals = gates.inputs(gate).iter();
                let inputs: Vec<Literal> = signals
                    .filter_map(|&signal| self.known(solver, signal))
                    .filter(|&input| input != truth)
                    .collect();
                // Constant inputs simplify the gate before it gets a variable: a state with known fluents folds
                // most of the circuit.
                match inputs[..] {
                    [] => return truth,
                    [input] => return input,
                    _ if inputs.contains(&!truth) => return !truth,
                    _ => {}
                }
                let output = solver.variable();
                // g → each input; all inputs → g.
                for &input in &inputs {
                    solver.require([!output, input]);
                }
                let otherwise = inputs.iter().map(|&input| !input);
                solver.require(otherwise.chain([output]));
                output
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::gates::Loop;
    use crate::circuit::sat::solver::Answer;
    use crate::limits::StopFlag;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const SOURCES: usize = 6;

    /// Gates at random over a few fluents.
    fn random_gates(random: &mut Xoshiro256PlusPlus) -> (Gates, Vec<Signal>) {
        let mut gates = Gates::default();
        let mut signals: Vec<Signal> = (0..SOURCES as u32)
            .map(|place| gates.source(Gate::Fluent(place)))
            .collect();
        for _ in 0..12 {
            let mut inputs: Vec<Signal> = Vec::new();
            for _ in 0..random.random_range(2..4) {
                let input = signals[random.random_range(0..signals.len())];
                inputs.push(input.inverted_if(random.random()));
            }
            let signal = gates.and(&mut inputs);
            signals.push(signal.inverted_if(random.random()));
        }
        (gates, signals)
    }

    /// The outputs of all gates for one choice of fluents.
    fn outputs(gates: &Gates, choice: u32) -> Vec<bool> {
        let mut outputs: Vec<bool> = Vec::new();
        for gate in 0..gates.len() {
            let of = |input: &Signal| outputs[input.gate()] != input.is_inverted();
            outputs.push(match gates.gate(gate) {
                Gate::Fluent(place) => choice >> place & 1 == 1,
                Gate::And => gates.inputs(gate).iter().all(of),
                Gate::False | Gate::Move(..) | Gate::Variable(..) => false,
            });
        }
        outputs
    }

    #[test]
    fn answers_are_what_enumeration_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut possible, mut impossible) = (0, 0);
        for _ in 0..40 {
            let (gates, signals) = random_gates(&mut random);
            let all: Vec<Vec<bool>> = (0..1 << SOURCES).map(|c| outputs(&gates, c)).collect();
            let mut solver = Solver::new(StopFlag::default(), u64::MAX);
            let mut encoding = Encoding::new(&gates);
            for &one in &signals {
                for &other in &signals {
                    let literals = [one, !other].map(|signal| {
                        let literal = encoding.literal(&mut solver, &gates, signal);
                        (signal, literal)
                    });
                    let is = |values: &Vec<bool>| {
                        literals
                            .iter()
                            .all(|(signal, _)| values[signal.gate()] != signal.is_inverted())
                    };
                    let answer = solver.ask(&literals.map(|(_, literal)| literal));
                    if all.iter().any(is) {
                        assert_eq!(answer, Answer::Satisfiable);
                        possible += 1;
                    } else {
                        assert_eq!(answer, Answer::Unsatisfiable);
                        impossible += 1;
                    }
                }
            }
        }
        assert!(
            possible > 100 && impossible > 100,
            "{possible}, {impossible}"
        );
    }

    /// a ↔ f ∨ b and b ↔ a: what follows from the fluent does, and without it both may be true.
    #[test]
    fn variables_of_loops_equal_their_definitions() {
        let mut gates = Gates::default();
        let fluent = gates.source(Gate::Fluent(0));
        let [a, b] = [0, 1].map(|at| gates.source(Gate::Variable(0, at)));
        let either = gates.or(&mut vec![fluent, b]);
        gates.loops.push(Loop {
            variables: vec![a.gate(), b.gate()],
            definitions: vec![either, a],
        });
        let mut solver = Solver::new(StopFlag::default(), u64::MAX);
        let mut encoding = Encoding::new(&gates);
        let mut literal = |signal| encoding.literal(&mut solver, &gates, signal);
        let [f, a, b] = [fluent, a, b].map(&mut literal);
        for (assumed, answer) in [
            ([f, !a], Answer::Unsatisfiable),
            ([f, !b], Answer::Unsatisfiable),
            ([a, !b], Answer::Unsatisfiable),
            ([!f, !a], Answer::Satisfiable),
            ([!f, a], Answer::Satisfiable),
        ] {
            assert_eq!(solver.ask(&assumed), answer);
        }
    }
}
