//! Solvers that know frames: of states, and of states with a move and what comes after.

use fixedbitset::FixedBitSet;

use crate::circuit::sat::{Encoding, LinearEquation, Literal, Requirement, Solver};
use crate::circuit::{Circuit, Signal};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, literals};

/// A solver with the clauses of frames.
pub(super) struct Side {
    pub(super) solver: Solver,
    pub(super) encoding: Encoding,
    pub(super) now: Vec<Literal>,
    /// By frame, what is assumed for its cubes to be excluded.
    pub(super) frames: Vec<Literal>,
}

impl Side {
    pub(super) fn new(circuit: &Circuit, requirements: &[Requirement], stop: &StopFlag) -> Self {
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let mut encoding = Encoding::new(&circuit.gates);
        let fluents = circuit.fluents.iter();
        let now = fluents.map(|fluent| encoding.literal(&mut solver, &circuit.gates, fluent.holds));
        let now: Vec<Literal> = now.collect();
        let mut side = Self {
            solver,
            encoding,
            now,
            frames: Vec::new(),
        };
        side.require(requirements);
        side
    }

    /// Requires something of the state, whatever the frame.
    pub(super) fn require(&mut self, requirements: &[Requirement]) {
        let always = self.solver.truth();
        for requirement in requirements {
            requirement.require(&mut self.solver, always, &self.now);
        }
    }

    /// The literal of a signal in the state.
    pub(super) fn literal(&mut self, circuit: &Circuit, signal: Signal) -> Literal {
        self.encoding
            .literal(&mut self.solver, &circuit.gates, signal)
    }

    /// Adds a frame. States of frame i satisfy the clauses of frames i and above; what is assumed is all of them.
    pub(super) fn add_frame(&mut self) {
        let frame = self.solver.choice();
        self.frames.push(frame);
    }

    /// The first frame is the start.
    pub(super) fn start(&mut self, start: &FixedBitSet) {
        self.add_frame();
        for (place, &literal) in self.now.iter().enumerate() {
            let literal = literal.negated_if(!start.contains(place));
            self.solver.require([!self.frames[0], literal]);
        }
    }

    /// Excludes a cube from a frame and those before it, or from all.
    pub(super) fn exclude(&mut self, cube: &Cube, frame: Option<usize>) {
        let clause = literals(cube, &self.now)
            .into_iter()
            .map(|literal| !literal);
        // A clause of frame i holds where the literal of frame i is assumed, which is so for all frames up to i.
        let condition = frame.map(|frame| !self.frames[frame]);
        self.solver.require(clause.chain(condition));
    }

    /// What is assumed of states of a frame.
    pub(super) fn of_frame(&self, frame: usize) -> Vec<Literal> {
        self.frames[frame..].to_vec()
    }

    /// All fluents of the state found last.
    pub(super) fn state(&self) -> FixedBitSet {
        self.solver.held(&self.now)
    }
}

/// A solver with the clauses of a state, a joint move and the next state.
pub(super) struct StepSide {
    pub(super) side: Side,
    /// By fluent, whether it holds next.
    pub(super) next: Vec<Literal>,
    /// By role and move.
    pub(super) made: Vec<Vec<Literal>>,
    /// Fluents of the next state as those of a state of which signals are asked.
    after: Encoding,
}

impl StepSide {
    /// Joint moves are required of the solver already, as far as they are.
    pub(super) fn of(mut side: Side, circuit: &Circuit) -> Self {
        let mut literal = |signal| side.literal(circuit, signal);
        let next: Vec<Literal> = circuit.fluents.iter().map(|f| literal(f.next)).collect();
        let moves = circuit.moves.iter();
        let made = moves.map(|own| own.iter().map(|mv| literal(mv.made)).collect());
        let made = made.collect();
        let mut after = Encoding::new(&circuit.gates);
        for (fluent, &next) in circuit.fluents.iter().zip(&next) {
            after.bind(fluent.holds, next);
        }
        Self {
            side,
            next,
            made,
            after,
        }
    }

    /// The literal of a signal in the state, or of one that depends on the joint move.
    pub(super) fn now(&mut self, circuit: &Circuit, signal: Signal) -> Literal {
        self.side.literal(circuit, signal)
    }

    /// The literal of a signal in the next state.
    pub(super) fn later(&mut self, circuit: &Circuit, signal: Signal) -> Literal {
        let solver = &mut self.side.solver;
        self.after.literal(solver, &circuit.gates, signal)
    }

    /// A literal that says whether a move changes a sum.
    pub(super) fn change(&mut self, equation: &LinearEquation) -> Literal {
        let Side { solver, now, .. } = &mut self.side;
        equation.change(solver, [now, &self.next])
    }

    /// A literal that implies one of some pairs of signals, now and next, and is implied by each.
    pub(super) fn some_pair(&mut self, circuit: &Circuit, pairs: &[[Signal; 2]]) -> Literal {
        let some = self.side.solver.variable();
        let mut clause = vec![!some];
        for &[before, next] in pairs {
            let before = self.now(circuit, before);
            let next = self.later(circuit, next);
            let solver = &mut self.side.solver;
            // In both directions: lifting asks for states in which no pair is true.
            let both = solver.variable();
            solver.require([!both, before]);
            solver.require([!both, next]);
            solver.require([both, !before, !next]);
            solver.require([some, !both]);
            clause.push(both);
        }
        self.side.solver.require(clause);
        some
    }
}
