//! Two states side by side that agree in some variables: what a claim of independence is proved with.
//!
//! A part is independent of the rest if two states that agree in it and in its context, after joint moves
//! that are alike for it, agree in it again. Two copies of the circuit and a solver decide that for all
//! states that satisfy the invariants: no answer is a proof, an answer is a pair of states that refute it.

use crate::circuit::sat::{
    Answer, Encoding, Literal, Requirement, Solver, require_legal_moves, require_one_move,
};
use crate::circuit::{Circuit, Signal};
use crate::decomposition::local::LocalMoves;
use crate::decomposition::phases::Phases;
use crate::limits::{StopFlag, StopReason};

/// Two copies of a circuit.
pub(super) struct Twin<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    copies: [Copy; 2],
}

/// One of the two.
struct Copy {
    encoding: Encoding,
    /// By place.
    fluents: Vec<Literal>,
}

impl<'c> Twin<'c> {
    /// Two states that satisfy the invariants and have the fluents in common that are said to be.
    pub(super) fn new(
        circuit: &'c Circuit,
        invariants: &[Requirement],
        is_common: impl Fn(usize) -> bool,
        stop: &StopFlag,
    ) -> Self {
        let mut solver = Solver::new(stop.clone(), 0);
        let mut one: Vec<Literal> = Vec::new();
        let mut other: Vec<Literal> = Vec::new();
        for (place, fluent) in circuit.fluents.iter().enumerate() {
            let literal = match fluent.holds.constant() {
                Some(value) => solver.truth().negated_if(!value),
                None => solver.variable(),
            };
            one.push(literal);
            other.push(
                match is_common(place) || fluent.holds.constant().is_some() {
                    true => literal,
                    false => solver.variable(),
                },
            );
        }
        let copies = [one, other].map(|fluents| {
            let mut encoding = Encoding::new(&circuit.gates);
            for (fluent, &literal) in circuit.fluents.iter().zip(&fluents) {
                if fluent.holds.constant().is_none() {
                    encoding.bind(fluent.holds, literal);
                }
            }
            let always = solver.truth();
            for invariant in invariants {
                invariant.require(&mut solver, always, &fluents);
            }
            Copy { encoding, fluents }
        });
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
        let [one, other] = &mut self.copies;
        [one, other].map(|copy| {
            copy.encoding
                .literal(&mut self.solver, &self.circuit.gates, signal)
        })
    }

    /// The literals in both of whether one of some signals is true.
    fn any(&mut self, signals: &[Signal]) -> [Literal; 2] {
        let some = [(); 2].map(|()| self.solver.variable());
        let mut inputs: [Vec<Literal>; 2] = [Vec::new(), Vec::new()];
        for &signal in signals {
            let literals = self.both(signal);
            for (at, literal) in literals.into_iter().enumerate() {
                self.solver.require([!literal, some[at]]);
                inputs[at].push(literal);
            }
        }
        for (some, inputs) in some.into_iter().zip(inputs) {
            self.solver.require(inputs.into_iter().chain([!some]));
        }
        some
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

    /// A literal that, when assumed, has the end differ.
    pub(super) fn different_end(&mut self) -> Literal {
        let terminal = self.both(self.circuit.terminal);
        self.differ(terminal)
    }

    /// A literal that, when assumed, has a payoff differ where both are over.
    pub(super) fn different_payoffs(&mut self) -> Literal {
        let terminal = self.both(self.circuit.terminal);
        let mut differences = Vec::new();
        for payoff in self.circuit.goals.iter().flatten() {
            let had = self.both(payoff.signal);
            let differ = self.differ(had);
            let counts = self.solver.variable();
            self.solver.require([!counts, differ]);
            self.solver.require([!counts, terminal[0]]);
            self.solver.require([!counts, terminal[1]]);
            differences.push(counts);
        }
        self.one_of(differences)
    }

    /// A literal that, when assumed, has the phase differ.
    pub(super) fn different_phase(&mut self, phases: &Phases) -> Literal {
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
    pub(super) fn exists(&mut self, assumed: &[Literal], steps: u64) -> Result<bool, StopReason> {
        self.solver.grant(steps);
        match self.solver.ask(assumed) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped(reason) => Err(reason),
        }
    }

    /// Assignments inferred so far.
    pub(super) fn spent(&self) -> u64 {
        self.solver.spent()
    }
}
