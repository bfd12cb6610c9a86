//! A solver that knows frames.

use fixedbitset::FixedBitSet;

use crate::circuit::Circuit;
use crate::circuit::sat::{Encoding, Literal, Requirement, Solver};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, literals};

/// A solver that knows frames.
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
        let always = solver.truth();
        for requirement in requirements {
            requirement.require(&mut solver, always, &now);
        }
        Self {
            solver,
            encoding,
            now,
            frames: Vec::new(),
        }
    }

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
