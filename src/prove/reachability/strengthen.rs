//! Conjectures about all states, proved together: those that a move may break are dropped until none is.
//!
//! Source: Flanagan, Leino, Houdini, an Annotation Assistant for ESC/Java, FME 2001.

use fixedbitset::FixedBitSet;

use crate::circuit::sat::Literal;
use crate::prove::invariant::{Cube, contains, literals};
use crate::prove::reachability::frames::{Reachability, WithinSteps, asked};

/// A conjecture: no state is in its cube.
struct Conjecture {
    cube: Cube,
    /// Assumed of a state, it says that the state is not in the cube.
    holds: Literal,
    /// Implies that the next state is in the cube.
    is_broken: Literal,
}

impl Reachability {
    /// Excludes those of some cubes that no play leads into, as far as so many assignments tell.
    pub(in crate::prove) fn strengthen(&mut self, cubes: Vec<Cube>, steps: u64) {
        self.account.steps = steps;
        // Without an answer none of them is known.
        let Ok(proved) = self.inductive(cubes) else {
            return;
        };
        for cube in proved {
            for side in [&mut self.step.side, &mut self.look, &mut self.lift.side] {
                side.exclude(&cube, None);
            }
            self.excluded.push(cube);
        }
    }

    /// The largest part of some conjectures that no move breaks where all of it holds, and that holds at the start.
    fn inductive(&mut self, mut cubes: Vec<Cube>) -> WithinSteps<Vec<Cube>> {
        cubes.retain(|cube| !contains(cube, &self.start));
        let conjectures = cubes.into_iter();
        let mut left: Vec<Conjecture> = conjectures.map(|cube| self.conjecture(cube)).collect();
        loop {
            let solver = &mut self.step.side.solver;
            let some = solver.variable();
            let broken = left.iter().map(|one| one.is_broken);
            solver.require(broken.chain([!some]));
            let mut assumed: Vec<Literal> = left.iter().map(|one| one.holds).collect();
            assumed.push(some);
            if !asked(&mut self.account, solver, &assumed)? {
                return Ok(left.into_iter().map(|one| one.cube).collect());
            }
            let next: FixedBitSet = solver.held(&self.step.next);
            left.retain(|one| !contains(&one.cube, &next));
        }
    }

    fn conjecture(&mut self, cube: Cube) -> Conjecture {
        let solver = &mut self.step.side.solver;
        let (holds, is_broken) = (solver.variable(), solver.variable());
        let now = literals(&cube, &self.step.side.now).into_iter();
        solver.require(now.map(|literal| !literal).chain([!holds]));
        for literal in literals(&cube, &self.step.next) {
            solver.require([!is_broken, literal]);
        }
        Conjecture {
            cube,
            holds,
            is_broken,
        }
    }
}
