//! Two states side by side that agree in some variables: what a claim of independence is proved with.
//!
//! A part is independent of the rest if two states that agree in it and in its context, after joint moves
//! that are alike for it, agree in it again. Two copies of the circuit and a solver decide that for all
//! states that satisfy the invariants: no answer is a proof, an answer is a pair of states that refute it.

use crate::circuit::invariants::Account;
use crate::circuit::sat::{
    Answer, Literal, Requirement, Solver, require_legal_moves, require_one_move,
};
use crate::circuit::{Circuit, Signal};
use crate::decomposition::copies::{CircuitCopy, fluents};
use crate::decomposition::local::LocalMoves;
use crate::decomposition::phases::Phases;
use crate::limits::{StopFlag, StopReason};

/// Two copies of a circuit.
pub(super) struct Twin<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    copies: [CircuitCopy; 2],
}

/// Literals that, when assumed, have the two states differ.
pub(super) struct Differences {
    /// In whether the game is over.
    pub(super) end: Literal,
    /// In a payoff where both are over.
    pub(super) payoffs: Literal,
    /// In the phase, if there are several.
    pub(super) phase: Option<Literal>,
}

impl<'c> Twin<'c> {
    /// Two states that satisfy the invariants and have the fluents in common that are said to be.
    pub(super) fn new(
        circuit: &'c Circuit,
        invariants: &[Requirement],
        is_common: impl Fn(usize) -> bool,
        stop: &StopFlag,
    ) -> Self {
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        // What is common is one literal in both, and no pair of equal ones: gates above it are encoded for each copy,
        // but the solver need not learn that they have the same inputs.
        let one = fluents(circuit, &mut solver, |_| None);
        let other = fluents(circuit, &mut solver, |place| {
            is_common(place).then(|| one[place])
        });
        let copies =
            [one, other].map(|fluents| CircuitCopy::new(circuit, invariants, &mut solver, fluents));
        Self {
            circuit,
            solver,
            copies,
        }
    }

    /// Requires that each role makes exactly one move in both.
    pub(super) fn require_one_move(&mut self) {
        for copy in &mut self.copies {
            require_one_move(self.circuit, &mut self.solver, &mut copy.encoding);
        }
    }

    /// Requires that both games go on, and that the moves are legal.
    pub(super) fn require_legal_moves(&mut self) {
        for copy in &mut self.copies {
            require_legal_moves(self.circuit, &mut self.solver, &mut copy.encoding);
        }
    }

    /// The literals of a signal in both.
    fn both(&mut self, signal: Signal) -> [Literal; 2] {
        let copies = self.copies.each_mut();
        copies.map(|copy| copy.literal(self.circuit, &mut self.solver, signal))
    }

    /// The literals in both of whether one of some signals is true.
    fn any(&mut self, signals: &[Signal]) -> [Literal; 2] {
        let copies = self.copies.each_mut();
        copies.map(|copy| copy.any(self.circuit, &mut self.solver, signals.iter().copied()))
    }

    fn require_equal(&mut self, [one, other]: [Literal; 2]) {
        self.solver.require([one, !other]);
        self.solver.require([!one, other]);
    }

    /// A literal that is true only if two literals differ.
    fn differ(&mut self, [one, other]: [Literal; 2]) -> Literal {
        let differ = self.solver.variable();
        self.solver.require([!differ, one, other]);
        self.solver.require([!differ, !one, !other]);
        differ
    }

    /// Requires that the local moves of each role are the same.
    pub(super) fn require_like_moves(&mut self, moves: &[LocalMoves]) {
        // A class is made as a whole: which of its moves is made may differ.
        for (role, moves) in moves.iter().enumerate() {
            for class in moves.all() {
                let made = class.iter().map(|&mv| self.circuit.moves[role][mv].made);
                let made = self.any(&made.collect::<Vec<_>>());
                self.require_equal(made);
            }
        }
    }

    /// Requires that both are in the same phase.
    pub(super) fn require_same_phase(&mut self, phases: &Phases) {
        for phase in 0..phases.len() - 1 {
            let legal = phases.signals(self.circuit, phase);
            let legal = self.any(&legal);
            self.require_equal(legal);
        }
    }

    /// A literal that, when assumed, has the copies agree in some fluents.
    pub(super) fn agreement(&mut self, fluents: impl Iterator<Item = usize>) -> Literal {
        let agree = self.solver.variable();
        for place in fluents {
            let [one, other] = [0, 1].map(|at| self.copies[at].fluents[place]);
            self.solver.require([!agree, one, !other]);
            self.solver.require([!agree, !one, other]);
        }
        agree
    }

    /// Requires that one of some fluents is different next.
    pub(super) fn require_different_next(&mut self, fluents: impl Iterator<Item = usize>) {
        let mut differences = Vec::new();
        for place in fluents {
            let next = self.both(self.circuit.fluents[place].next);
            differences.push(self.differ(next));
        }
        self.solver.require(differences);
    }

    /// Whether a fluent is different next in the states found last.
    pub(super) fn differs_next(&mut self, place: usize) -> bool {
        let [one, other] = self.next(&[place]);
        one != other
    }

    /// Whether some fluents hold after the states found last.
    pub(super) fn next(&mut self, places: &[usize]) -> [Vec<bool>; 2] {
        let literals: Vec<[Literal; 2]> = places
            .iter()
            .map(|&place| self.both(self.circuit.fluents[place].next))
            .collect();
        [0, 1].map(|at| {
            let own = literals.iter().map(|both| self.solver.value(both[at]));
            own.collect()
        })
    }

    /// Requires that the same moves are made in both.
    pub(super) fn require_same_moves(&mut self) {
        for mv in self.circuit.moves.iter().flatten() {
            let made = self.both(mv.made);
            self.require_equal(made);
        }
    }

    /// The joint move in the first of the states found last, by role.
    pub(super) fn joint_move(&mut self) -> Vec<usize> {
        let roles = self.circuit.moves.iter();
        let made = roles.map(|own| {
            let made = own.iter().position(|mv| {
                let [one, _] = self.both(mv.made);
                self.solver.value(one)
            });
            made.unwrap_or(0)
        });
        made.collect()
    }

    /// Requires that some fluents are in each copy as said.
    pub(super) fn require_states(&mut self, fluents: &[usize], states: &[Vec<bool>; 2]) {
        for (copy, state) in self.copies.iter().zip(states) {
            for (&place, &holds) in fluents.iter().zip(state) {
                self.solver
                    .require([copy.fluents[place].negated_if(!holds)]);
            }
        }
    }

    /// The states found last: by fluent, whether it holds.
    pub(super) fn states(&self) -> [Vec<bool>; 2] {
        self.copies.each_ref().map(|copy| copy.state(&self.solver))
    }

    /// Requires that one of the local moves is legal in one copy only.
    pub(super) fn require_different_offer(&mut self, moves: &[LocalMoves]) {
        let mut differences = Vec::new();
        for (role, moves) in moves.iter().enumerate() {
            for class in &moves.classes {
                let legal = class.iter().map(|&mv| self.circuit.moves[role][mv].legal);
                let legal = self.any(&legal.collect::<Vec<_>>());
                differences.push(self.differ(legal));
            }
        }
        self.solver.require(differences);
    }

    /// What may differ in the two states.
    pub(super) fn differences(&mut self, phases: Option<&Phases>) -> Differences {
        Differences {
            end: self.different_end(),
            payoffs: self.different_payoffs(),
            phase: phases.map(|phases| self.different_phase(phases)),
        }
    }

    /// A literal that, when assumed, has the end differ.
    fn different_end(&mut self) -> Literal {
        let terminal = self.both(self.circuit.terminal);
        self.differ(terminal)
    }

    /// A literal that, when assumed, has a payoff differ where both are over.
    fn different_payoffs(&mut self) -> Literal {
        // Goal values before the end count for nothing; that only one state is an end is a difference of ends.
        let terminal = self.both(self.circuit.terminal);
        let mut differences = Vec::new();
        for payoff in self.circuit.goals.iter().flatten() {
            let had = self.both(payoff.signal);
            let differ = self.differ(had);
            // One direction is enough, as with all differences: they are assumed or required, never denied.
            let counts = self.solver.variable();
            self.solver.require([!counts, differ]);
            self.solver.require([!counts, terminal[0]]);
            self.solver.require([!counts, terminal[1]]);
            differences.push(counts);
        }
        self.one_of(differences)
    }

    /// A literal that, when assumed, has the phase differ.
    fn different_phase(&mut self, phases: &Phases) -> Literal {
        let mut differences = Vec::new();
        for phase in 0..phases.len() - 1 {
            let legal = phases.signals(self.circuit, phase);
            let legal = self.any(&legal);
            differences.push(self.differ(legal));
        }
        self.one_of(differences)
    }

    /// A literal that is true only if one of some is.
    fn one_of(&mut self, literals: Vec<Literal>) -> Literal {
        let some = self.solver.variable();
        self.solver.require(literals.into_iter().chain([!some]));
        some
    }

    /// Whether there are such states.
    ///
    /// # Errors
    /// [`StopReason`] if the solver may infer no more before it is known.
    pub(super) fn exists(
        &mut self,
        assumed: &[Literal],
        account: &mut Account,
    ) -> Result<bool, StopReason> {
        match account.ask(&mut self.solver, assumed, account.share()) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped(reason) => Err(reason),
        }
    }
}
