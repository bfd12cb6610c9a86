//! Two states in a solver, and what can be said of both.

use crate::circuit::invariants::Account;
use crate::circuit::sat::{
    Answer, Encoding, Literal, Requirement, Solver, Transition, require_move,
};
use crate::circuit::{Circuit, Signal};
use crate::decomposition::certify::claim::CertificateVerdict;
use crate::limits::StopFlag;

/// Two states: side by side, or one after the other.
pub(super) struct Worlds<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    encodings: [Encoding; 2],
}

impl<'c> Worlds<'c> {
    /// Two states that satisfy invariants and agree in some fluents, by place.
    pub(super) fn two(
        circuit: &'c Circuit,
        invariants: &[Requirement],
        agree: &[bool],
        stop: &StopFlag,
    ) -> Self {
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let free: Vec<[Literal; 2]> = (agree.iter())
            .map(|&agrees| {
                let one = solver.variable();
                [one, if agrees { one } else { solver.variable() }]
            })
            .collect();
        let states = [0, 1].map(|world| free.iter().map(|pair| pair[world]).collect());
        Self::of(circuit, solver, states, invariants)
    }

    /// A state that satisfies invariants, and the one after a legal move.
    pub(super) fn step(circuit: &'c Circuit, invariants: &[Requirement], stop: &StopFlag) -> Self {
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let Transition { now, next } = Transition::new(circuit, invariants, &mut solver);
        Self::of(circuit, solver, [now, next], &[])
    }

    fn of(
        circuit: &'c Circuit,
        mut solver: Solver,
        states: [Vec<Literal>; 2],
        invariants: &[Requirement],
    ) -> Self {
        let encodings = states.map(|mut state| {
            let mut encoding = Encoding::new(&circuit.gates);
            for (fluent, literal) in circuit.fluents.iter().zip(&mut state) {
                match fluent.holds.constant() {
                    Some(value) => *literal = solver.truth().negated_if(!value),
                    None => encoding.bind(fluent.holds, *literal),
                }
            }
            let always = solver.truth();
            for invariant in invariants {
                invariant.require(&mut solver, always, &state);
            }
            encoding
        });
        Self {
            circuit,
            solver,
            encodings,
        }
    }

    /// Requires that a legal move is made in each.
    pub(super) fn require_moves(&mut self) {
        for encoding in &mut self.encodings {
            require_move(self.circuit, &mut self.solver, encoding);
        }
    }

    /// In each, whether one of some signals is true.
    pub(super) fn any(&mut self, signals: &[Signal]) -> [Literal; 2] {
        let (circuit, solver) = (self.circuit, &mut self.solver);
        self.encodings.each_mut().map(|encoding| {
            let literals: Vec<Literal> = (signals.iter())
                .map(|&signal| encoding.literal(solver, &circuit.gates, signal))
                .collect();
            let some = solver.variable();
            for &literal in &literals {
                solver.require([!literal, some]);
            }
            solver.require(literals.into_iter().chain([!some]));
            some
        })
    }

    pub(super) fn require_equal(&mut self, [one, other]: [Literal; 2]) {
        self.solver.require([one, !other]);
        self.solver.require([!one, other]);
    }

    /// A literal that is true only if two are not equal.
    pub(super) fn different(&mut self, [one, other]: [Literal; 2]) -> Literal {
        let different = self.solver.variable();
        self.solver.require([!different, one, other]);
        self.solver.require([!different, !one, !other]);
        different
    }

    /// A literal that is true if two are not equal.
    pub(super) fn unequal(&mut self, [one, other]: [Literal; 2]) -> Literal {
        let unequal = self.solver.variable();
        self.solver.require([unequal, one, !other]);
        self.solver.require([unequal, !one, other]);
        unequal
    }

    /// A literal that is true only if a signal differs.
    pub(super) fn differs(&mut self, signal: Signal) -> Literal {
        let both = self.any(&[signal]);
        self.different(both)
    }

    /// A literal that is true only if two are.
    pub(super) fn both(&mut self, one: Literal, other: Literal) -> Literal {
        let both = self.solver.variable();
        self.solver.require([!both, one]);
        self.solver.require([!both, other]);
        both
    }

    /// A literal that is true only if none of some is.
    pub(super) fn none_of(&mut self, literals: Vec<Literal>) -> Literal {
        let none = self.solver.variable();
        for literal in literals {
            self.solver.require([!none, !literal]);
        }
        none
    }

    pub(super) fn require_one(&mut self, literals: Vec<Literal>) {
        self.solver.require(literals);
    }

    /// Whether there are no such states.
    pub(super) fn verdict(mut self, account: &mut Account) -> CertificateVerdict {
        match account.ask(&mut self.solver, &[], u64::MAX) {
            Answer::Unsatisfiable => CertificateVerdict::Holds,
            Answer::Satisfiable => CertificateVerdict::Fails,
            Answer::Stopped(_) => CertificateVerdict::Open,
        }
    }
}
