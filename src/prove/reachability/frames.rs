//! Frames: what each excludes, how cubes move on to later ones, and when they become an invariant.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::Account;
use crate::circuit::sat::{
    Answer, Literal, Requirement, Solver, require_legal_moves, require_one_move,
};
use crate::circuit::{Circuit, Signal};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, contains, literals};
use crate::prove::reachability::side::{Side, StepSide};

/// Literals of a blocked cube that it is tried to do without, in vain, before it is left as it is.
const MAX_FAILURES: usize = 4;

/// Assignments for one question.
const MAX_ASSIGNMENTS: u64 = 4_000_000;

/// Finds out what plays reach.
pub(in crate::prove) struct Reachability {
    pub(super) circuit: Arc<Circuit>,
    pub(super) start: FixedBitSet,
    /// A state, a legal joint move, the next state.
    pub(super) step: StepSide,
    /// A state.
    pub(super) look: Side,
    /// A state, a joint move, legal or not, and the next state.
    pub(super) lift: StepSide,
    /// By frame, the cubes that it excludes and later ones do not.
    pub(super) cubes: Vec<Vec<Cube>>,
    /// Cubes that no state that plays reach is in.
    pub(in crate::prove) excluded: Vec<Cube>,
    /// Signals that are true in no state that plays reach.
    pub(in crate::prove) never: Vec<Signal>,
    /// Fluents, by place, that say whose turn it is where numbers of others depend on it.
    clocks: Vec<usize>,
    pub(super) account: Account,
}

/// The account is empty, or somebody raised a stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutOfSteps;

/// What is found out while the account lasts.
pub(super) type WithinSteps<T> = Result<T, OutOfSteps>;

impl Reachability {
    /// Knows what is required of all states.
    pub(in crate::prove) fn new(
        circuit: Arc<Circuit>,
        requirements: &[Requirement],
        stop: &StopFlag,
    ) -> Self {
        let fluents = circuit.fluents.iter().enumerate();
        let initial = fluents.filter(|(_, fluent)| fluent.initial);
        let start: FixedBitSet = initial.map(|(place, _)| place).collect();
        let [mut step, look, mut lift] = [(); 3].map(|()| {
            let mut side = Side::new(&circuit, requirements, stop);
            side.start(&start);
            side
        });
        require_one_move(&circuit, &mut step.solver, &mut step.encoding);
        require_legal_moves(&circuit, &mut step.solver, &mut step.encoding);
        require_one_move(&circuit, &mut lift.solver, &mut lift.encoding);
        Self {
            step: StepSide::of(step, &circuit),
            lift: StepSide::of(lift, &circuit),
            circuit,
            start,
            look,
            cubes: vec![Vec::new()],
            excluded: Vec::new(),
            never: Vec::new(),
            clocks: Vec::new(),
            account: Account {
                steps: 0,
                questions: 0,
            },
        }
    }

    /// Learns a requirement on all states, in which some fluents, by place, say whose turn it is.
    pub(in crate::prove) fn require(&mut self, requirement: &Requirement, clocks: &[usize]) {
        for side in [&mut self.step.side, &mut self.look, &mut self.lift.side] {
            side.require(std::slice::from_ref(requirement));
        }
        self.clocks.extend(clocks);
        self.clocks.sort_unstable();
        self.clocks.dedup();
    }

    /// A cube with the clocks that follow from it, as in one of its states. On a full board it follows from the number of stones
    /// whose turn it is; that this one has no line then is said of that turn and the line, and not of each full board.
    pub(super) fn with_clocks(&mut self, mut cube: Cube, state: &FixedBitSet) -> WithinSteps<Cube> {
        for &place in &self.clocks {
            if cube.iter().any(|&(other, _)| other == place) {
                continue;
            }
            let holds = state.contains(place);
            let mut assumed = literals(&cube, &self.look.now);
            assumed.push(self.look.now[place].negated_if(holds));
            if !asked(&mut self.account, &mut self.look.solver, &assumed)? {
                cube.push((place, holds));
            }
        }
        cube.sort_unstable();
        Ok(cube)
    }

    /// Adds the frame of all states that are known to be possible.
    pub(super) fn add_frame(&mut self) {
        self.cubes.push(Vec::new());
        for side in [&mut self.step.side, &mut self.look, &mut self.lift.side] {
            side.add_frame();
        }
    }

    /// The joint move found last.
    pub(super) fn moves(&self) -> Vec<usize> {
        let made = self.step.made.iter();
        let places = made.map(|own| {
            own.iter()
                .position(|&made| self.step.side.solver.value(made))
        });
        places.map(Option::unwrap_or_default).collect()
    }

    /// A state of a frame, outside a cube, and a joint move that leads into it.
    pub(super) fn entry(
        &mut self,
        cube: &Cube,
        frame: usize,
    ) -> WithinSteps<Option<(FixedBitSet, Vec<usize>)>> {
        let outside = self.step.side.solver.variable();
        let now = literals(cube, &self.step.side.now)
            .into_iter()
            .map(|literal| !literal);
        // The cube itself need not be excluded from the frame: relative induction, ¬c ∧ F ∧ T → ¬c′.
        self.step.side.solver.require(now.chain([!outside]));
        let mut assumed = self.step.side.of_frame(frame);
        assumed.push(outside);
        // Clocks first: of several cores the first is found, and those without clocks may need all of the cube.
        let (mut ordered, others): (Cube, Cube) = cube
            .iter()
            .partition(|(place, _)| self.clocks.contains(place));
        ordered.extend(others);
        assumed.extend(literals(&ordered, &self.step.next));
        let is_possible = asked(&mut self.account, &mut self.step.side.solver, &assumed);
        let found = |is_possible: bool| is_possible.then(|| (self.step.side.state(), self.moves()));
        is_possible.map(found)
    }

    /// Excludes a cube that nothing leads into, made as large as may be, from a frame, and later ones if they lead
    /// into it no more; gives the last one.
    pub(super) fn exclude(&mut self, cube: &Cube, frame: usize) -> WithinSteps<usize> {
        // The core of the last answer first, then literal by literal: a ∧ ¬b ∧ c may become a ∧ c, then c. Each attempt
        // is a question, and after some failures a smaller cube is not worth more of them ([B11] calls this `MIC`).
        let mut larger = self.blamed(cube);
        let mut failures = 0;
        let mut at = 0;
        while at < larger.len() && failures < MAX_FAILURES && larger.len() > 1 {
            let mut tried = larger.clone();
            tried.remove(at);
            let is_safe =
                !contains(&tried, &self.start) && self.entry(&tried, frame - 1)?.is_none();
            if is_safe {
                // The core may lack literals behind `at` as well; what is now at `at` has not been tried.
                larger = self.blamed(&tried);
                at = at.min(larger.len());
            } else {
                failures += 1;
                at += 1;
            }
        }
        let mut frame = frame;
        while frame + 1 < self.cubes.len() && self.entry(&larger, frame)?.is_none() {
            frame += 1;
        }
        for side in [&mut self.step.side, &mut self.look] {
            side.exclude(&larger, Some(frame));
        }
        self.cubes[frame].push(larger);
        Ok(frame)
    }

    /// The part of a cube because of which nothing leads into it, by the last answer; the start is not in it.
    fn blamed(&self, cube: &Cube) -> Cube {
        let next = cube.iter().zip(literals(cube, &self.step.next));
        let core = next.filter(|&(_, literal)| self.step.side.solver.is_blamed(literal));
        let mut part: Cube = core.map(|(&literal, _)| literal).collect();
        // A core is of the next state and may leave out what keeps the start apart; one literal is enough for that.
        if contains(&part, &self.start) {
            let apart = cube
                .iter()
                .find(|&&(place, holds)| self.start.contains(place) != holds);
            part.extend(apart);
            part.sort_unstable();
        }
        part
    }

    /// Moves cubes to later frames; if a frame is found to be an invariant, excludes its cubes from all states.
    pub(super) fn propagate(&mut self, last: usize) -> WithinSteps<bool> {
        if last + 1 == self.cubes.len() {
            self.add_frame();
        }
        // Frame 0 is the start alone; its cubes are not moved.
        for frame in 1..=last {
            let mut cubes = std::mem::take(&mut self.cubes[frame]).into_iter();
            while let Some(cube) = cubes.next() {
                let to = match self.leads_into(&cube, frame) {
                    Ok(true) => frame,
                    Ok(false) => frame + 1,
                    // The solver excludes the rest as well, so that it stays in the list: only a frame without cubes
                    // of its own is an invariant.
                    Err(lack) => {
                        self.cubes[frame].push(cube);
                        self.cubes[frame].extend(cubes);
                        return Err(lack);
                    }
                };
                if to > frame {
                    for side in [&mut self.step.side, &mut self.look] {
                        side.exclude(&cube, Some(to));
                    }
                }
                self.cubes[to].push(cube);
            }
            // All that this frame excludes the next one excludes, too: they are equal, and no move leads out of them.
            if self.cubes[frame].is_empty() {
                self.keep(frame + 1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a move leads from a frame into a cube that it excludes.
    fn leads_into(&mut self, cube: &Cube, frame: usize) -> WithinSteps<bool> {
        let mut assumed = self.step.side.of_frame(frame);
        assumed.extend(literals(cube, &self.step.next));
        asked(&mut self.account, &mut self.step.side.solver, &assumed)
    }

    /// Excludes the cubes of frames from one on from all states.
    fn keep(&mut self, frame: usize) {
        for cubes in &mut self.cubes[frame..] {
            for cube in std::mem::take(cubes) {
                for side in [&mut self.step.side, &mut self.look, &mut self.lift.side] {
                    side.exclude(&cube, None);
                }
                self.excluded.push(cube);
            }
        }
    }
}

/// Whether the solver has values, as far as the account goes.
pub(super) fn asked(
    account: &mut Account,
    solver: &mut Solver,
    assumed: &[Literal],
) -> WithinSteps<bool> {
    match account.ask(solver, assumed, MAX_ASSIGNMENTS) {
        Answer::Satisfiable => Ok(true),
        Answer::Unsatisfiable => Ok(false),
        Answer::Stopped(_) => Err(OutOfSteps),
    }
}
