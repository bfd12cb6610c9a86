//! Property-directed reachability: what no play reaches in so many moves, as clauses that are found when they are
//! needed.
//!
//! Frame i is a set of states that has all those that plays reach in at most i moves: states without any of the cubes
//! of frames i and above. A state of the last frame that is bad is an obligation: either its cube has no predecessor
//! in the frame before, and is blocked by as few of its literals as that takes, or a predecessor is the next
//! obligation. An obligation that contains the start is a play. When a frame equals the next one it is an
//! invariant, which from then on holds of all questions: frames do not depend on what is asked.
//!
//! ```text
//! start = F0 ⊆ F1 ⊆ F2 ⊆ … ⊆ Fk       T(Fi) ⊆ Fi+1       bad ∩ Fi = ∅ for i < k
//! ```
//!
//! Source: Bradley, SAT-Based Model Checking without Unrolling, VMCAI 2011; lifting by unsatisfiable cores is that of
//! Chockler, Ivrii, Matsliah, Moran, Nevo, Incremental Formal Verification of Hardware, FMCAD 2011.
//! DIVERGENCE: invariants of groups of fluents, which are proved before, hold in all frames, infinite ones included.

mod side;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::Account;
use crate::circuit::sat::{
    Answer, Encoding, Literal, Requirement, Solver, require_legal_moves, require_one_move,
};
use crate::circuit::{Circuit, Signal};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, contains, literals};
use crate::prove::reachability::side::Side;
use crate::prove::target::Target;

/// What is found out about a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// No play reaches it: what is known of all states excludes it.
    Never,
    /// A play does: joint moves, by place.
    Play(Vec<Vec<usize>>),
    /// No play does in so many moves.
    Open(u64),
}

/// Literals of a blocked cube that it is tried to do without, in vain, before it is left as it is.
const MAX_FAILURES: usize = 4;

/// Frames within which it should turn out that plays do not reach a state.
const MAX_FRAMES: usize = 12;

/// Assignments for one question.
const MAX_ASSIGNMENTS: u64 = 4_000_000;

/// A cube that leads to a target.
struct Obligation {
    cube: Cube,
    /// The joint move that is made in all of its states, by place.
    moves: Vec<usize>,
    /// Where the move leads; the target if there is none.
    after: Option<usize>,
}

/// Finds out what plays reach.
pub(super) struct Reachability {
    circuit: Arc<Circuit>,
    start: FixedBitSet,
    /// A state, a legal joint move, the next state.
    step: Side,
    next: Vec<Literal>,
    made: Vec<Vec<Literal>>,
    /// Fluents of the next state as those of a state of which signals are asked.
    after: Encoding,
    /// A state.
    look: Side,
    /// A state, a joint move, legal or not, and the next state.
    lift: Side,
    lifted_next: Vec<Literal>,
    lifted_made: Vec<Vec<Literal>>,
    lifted_after: Encoding,
    /// By frame, the cubes that it excludes and later ones do not.
    cubes: Vec<Vec<Cube>>,
    /// Cubes that no state that plays reach is in.
    pub(super) excluded: Vec<Cube>,
    /// Signals that are true in no state that plays reach.
    pub(super) never: Vec<Signal>,
    account: Account,
}

/// What is bad, as literals of the three solvers.
struct Bad {
    /// In the solver in which it is looked for.
    looked: Literal,
    lifted: Literal,
    is_step: bool,
}

/// The account is empty, or somebody raised a stop.
#[derive(Clone, Copy, Debug)]
struct OutOfSteps;

type WithinSteps<T> = Result<T, OutOfSteps>;

impl Reachability {
    /// Knows what is required of all states.
    pub(super) fn new(
        circuit: Arc<Circuit>,
        requirements: &[Requirement],
        stop: &StopFlag,
    ) -> Self {
        let gates = &circuit.gates;
        let mut sides = [(); 3].map(|()| Side::new(&circuit, requirements, stop));
        let start = circuit.fluents.iter().enumerate();
        let start = start.filter(|(_, fluent)| fluent.initial);
        let start: FixedBitSet = start.map(|(place, _)| place).collect();
        for side in &mut sides {
            side.start(&start);
        }
        let [mut step, look, mut lift] = sides;
        require_one_move(&circuit, &mut step.solver, &mut step.encoding);
        require_legal_moves(&circuit, &mut step.solver, &mut step.encoding);
        require_one_move(&circuit, &mut lift.solver, &mut lift.encoding);
        let all = |side: &mut Side| {
            let mut literal = |signal| side.encoding.literal(&mut side.solver, gates, signal);
            let next: Vec<Literal> = circuit.fluents.iter().map(|f| literal(f.next)).collect();
            let moves = circuit.moves.iter();
            let made = moves.map(|own| own.iter().map(|mv| literal(mv.made)).collect());
            let made: Vec<Vec<Literal>> = made.collect();
            let mut after = Encoding::new(gates);
            for (fluent, &next) in circuit.fluents.iter().zip(&next) {
                after.bind(fluent.holds, next);
            }
            (next, made, after)
        };
        let (next, made, after) = all(&mut step);
        let (lifted_next, lifted_made, lifted_after) = all(&mut lift);
        Self {
            circuit,
            start,
            step,
            next,
            made,
            after,
            look,
            lift,
            lifted_next,
            lifted_made,
            lifted_after,
            cubes: vec![Vec::new()],
            excluded: Vec::new(),
            never: Vec::new(),
            account: Account {
                steps: 0,
                questions: 0,
            },
        }
    }

    /// Whether a play reaches a target, as far as so many assignments tell. What is found by clauses that are not
    /// exact, where atoms depend on each other, has to be replayed.
    pub(super) fn reach(&mut self, target: &Target, steps: u64) -> Reach {
        self.account.steps = steps;
        let bad = self.bad(target);
        let mut depth = 0;
        self.decide(&bad, target, &mut depth)
            .unwrap_or(Reach::Open(depth))
    }

    /// Sets of states that plays do not reach, one of them with this state, as far as so many assignments tell.
    pub(super) fn avoid(&mut self, state: &FixedBitSet, steps: u64) -> Option<Vec<Cube>> {
        self.account.steps = steps;
        let known = self.excluded.len();
        let cube: Cube = (0..self.step.now.len())
            .map(|place| (place, state.contains(place)))
            .collect();
        for last in 1..=MAX_FRAMES {
            while last >= self.cubes.len() {
                self.add_frame();
            }
            let obligation = Obligation {
                cube: cube.clone(),
                moves: Vec::new(),
                after: None,
            };
            if self.block(obligation, last).ok()?.is_some() {
                return None;
            }
            self.propagate(last).ok()?;
            let new = &self.excluded[known..];
            if new.iter().any(|cube| contains(cube, state)) {
                return Some(new.to_vec());
            }
        }
        None
    }

    /// Assignments that are left of those that the last question was granted.
    pub(super) fn left(&self) -> u64 {
        self.account.steps
    }

    fn decide(&mut self, bad: &Bad, target: &Target, depth: &mut u64) -> WithinSteps<Reach> {
        if self.bad_state(bad, None)?.is_none() || self.is_inductive(bad, target)? {
            return Ok(Reach::Never);
        }
        for last in 0.. {
            if last == self.cubes.len() {
                self.add_frame();
            }
            while let Some(obligation) = self.bad_state(bad, Some(last))? {
                if let Some(play) = self.block(obligation, last)? {
                    return Ok(Reach::Play(play));
                }
            }
            *depth = last as u64;
            if last > 0 && self.propagate(last)? && self.bad_state(bad, None)?.is_none() {
                return Ok(Reach::Never);
            }
        }
        unreachable!("frames have no end")
    }

    /// Whether no move leads from states in which a signal is false to one in which it is true, and the start is
    /// none; then no state has it.
    fn is_inductive(&mut self, bad: &Bad, target: &Target) -> WithinSteps<bool> {
        let Target::State(signal) = target else {
            return Ok(false);
        };
        let circuit = Arc::clone(&self.circuit);
        let step = &mut self.step;
        let now = step
            .encoding
            .literal(&mut step.solver, &circuit.gates, *signal);
        let later = self
            .after
            .literal(&mut step.solver, &circuit.gates, *signal);
        let start = [self.look.frames[0], bad.looked];
        if asked(&mut self.account, &mut step.solver, &[!now, later])?
            || asked(&mut self.account, &mut self.look.solver, &start)?
        {
            return Ok(false);
        }
        step.solver.require([!now]);
        self.look.solver.require([!bad.looked]);
        self.lift.solver.require([!bad.lifted]);
        self.never.push(*signal);
        Ok(true)
    }

    fn add_frame(&mut self) {
        self.cubes.push(Vec::new());
        for side in [&mut self.step, &mut self.look, &mut self.lift] {
            side.add_frame();
        }
    }

    /// The literals of a target.
    fn bad(&mut self, target: &Target) -> Bad {
        let circuit = Arc::clone(&self.circuit);
        let gates = &circuit.gates;
        match target {
            Target::State(signal) => Bad {
                looked: self
                    .look
                    .encoding
                    .literal(&mut self.look.solver, gates, *signal),
                lifted: self
                    .lift
                    .encoding
                    .literal(&mut self.lift.solver, gates, *signal),
                is_step: false,
            },
            Target::Move(signal) => {
                let (step, lift) = (&mut self.step, &mut self.lift);
                Bad {
                    looked: step.encoding.literal(&mut step.solver, gates, *signal),
                    lifted: lift.encoding.literal(&mut lift.solver, gates, *signal),
                    is_step: true,
                }
            }
            Target::Step(pairs) => Bad {
                looked: some_pair(&circuit, &mut self.step, &mut self.after, pairs),
                lifted: some_pair(&circuit, &mut self.lift, &mut self.lifted_after, pairs),
                is_step: true,
            },
        }
    }

    /// States of a frame, or of all, that are bad; lifted from one.
    fn bad_state(&mut self, bad: &Bad, frame: Option<usize>) -> WithinSteps<Option<Obligation>> {
        let side = if bad.is_step {
            &mut self.step
        } else {
            &mut self.look
        };
        let mut assumed = frame.map_or(Vec::new(), |frame| side.of_frame(frame));
        assumed.push(bad.looked);
        if !asked(&mut self.account, &mut side.solver, &assumed)? {
            return Ok(None);
        }
        let state = side.state();
        let moves = if bad.is_step {
            self.moves()
        } else {
            Vec::new()
        };
        if frame.is_none() {
            let cube = Vec::new();
            let after = None;
            return Ok(Some(Obligation { cube, moves, after }));
        }
        let cube = self.lifted(&state, &moves, &[!bad.lifted])?;
        let after = None;
        Ok(Some(Obligation { cube, moves, after }))
    }

    /// The joint move found last.
    fn moves(&self) -> Vec<usize> {
        let made = self.made.iter();
        let places = made.map(|own| own.iter().position(|&made| self.step.solver.value(made)));
        places.map(Option::unwrap_or_default).collect()
    }

    /// Fluents of a state that are enough for the joint move to be legal and lead to where none of some literals is
    /// true; without a joint move, for them not to be true.
    fn lifted(
        &mut self,
        state: &FixedBitSet,
        moves: &[usize],
        none: &[Literal],
    ) -> WithinSteps<Cube> {
        let lift = &mut self.lift;
        let gates = &self.circuit.gates;
        let condition = lift.solver.variable();
        let mut clause = vec![!condition];
        clause.extend_from_slice(none);
        let mut assumed = vec![condition];
        for (role, &mv) in moves.iter().enumerate() {
            let legal = self.circuit.moves[role][mv].legal;
            clause.push(!lift.encoding.literal(&mut lift.solver, gates, legal));
            assumed.push(self.lifted_made[role][mv]);
        }
        if !moves.is_empty() {
            clause.push(
                lift.encoding
                    .literal(&mut lift.solver, gates, self.circuit.terminal),
            );
        }
        lift.solver.require(clause);
        let all: Cube = (0..lift.now.len())
            .map(|place| (place, state.contains(place)))
            .collect();
        let held = literals(&all, &lift.now);
        assumed.extend_from_slice(&held);
        let is_possible = asked(&mut self.account, &mut lift.solver, &assumed)?;
        let cube = if is_possible {
            // Where atoms depend on each other, more than one set of values may be right.
            all
        } else {
            let kept = all.into_iter().zip(held);
            let kept = kept.filter(|&(_, literal)| lift.solver.is_blamed(literal));
            kept.map(|(literal, _)| literal).collect()
        };
        lift.solver.require([!condition]);
        Ok(cube)
    }

    /// Blocks an obligation in a frame and what leads to it in those before; gives the play if it cannot be.
    fn block(&mut self, first: Obligation, last: usize) -> WithinSteps<Option<Vec<Vec<usize>>>> {
        let mut obligations = vec![first];
        let mut open = BinaryHeap::from([Reverse((last, 0))]);
        while let Some(Reverse((frame, number))) = open.pop() {
            let cube = obligations[number].cube.clone();
            if contains(&cube, &self.start) {
                return Ok(Some(play(&obligations, number)));
            }
            if frame == 0 {
                continue;
            }
            match self.predecessor(&cube, frame - 1)? {
                Some((cube, moves)) => {
                    let after = Some(number);
                    obligations.push(Obligation { cube, moves, after });
                    open.push(Reverse((frame - 1, obligations.len() - 1)));
                    open.push(Reverse((frame, number)));
                }
                None => {
                    let to = self.exclude(&cube, frame)?;
                    if to < last {
                        open.push(Reverse((to + 1, number)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// States of a frame, outside a cube, from which a joint move leads into it.
    fn predecessor(
        &mut self,
        cube: &Cube,
        frame: usize,
    ) -> WithinSteps<Option<(Cube, Vec<usize>)>> {
        let Some((state, moves)) = self.entry(cube, frame)? else {
            return Ok(None);
        };
        let into = literals(cube, &self.lifted_next);
        let none: Vec<Literal> = into.into_iter().map(|literal| !literal).collect();
        let cube = self.lifted(&state, &moves, &none)?;
        Ok(Some((cube, moves)))
    }

    /// A state of a frame, outside a cube, and a joint move that leads into it.
    fn entry(
        &mut self,
        cube: &Cube,
        frame: usize,
    ) -> WithinSteps<Option<(FixedBitSet, Vec<usize>)>> {
        let outside = self.step.solver.variable();
        let now = literals(cube, &self.step.now)
            .into_iter()
            .map(|literal| !literal);
        self.step.solver.require(now.chain([!outside]));
        let mut assumed = self.step.of_frame(frame);
        assumed.push(outside);
        assumed.extend(literals(cube, &self.next));
        let is_possible = asked(&mut self.account, &mut self.step.solver, &assumed);
        let found = |is_possible: bool| is_possible.then(|| (self.step.state(), self.moves()));
        is_possible.map(found)
    }

    /// Excludes a cube that nothing leads into, made as large as may be, from a frame, and later ones if they lead
    /// into it no more; gives the last one.
    fn exclude(&mut self, cube: &Cube, frame: usize) -> WithinSteps<usize> {
        let mut larger = self.blamed(cube);
        let mut failures = 0;
        let mut at = 0;
        while at < larger.len() && failures < MAX_FAILURES && larger.len() > 1 {
            let mut tried = larger.clone();
            tried.remove(at);
            let is_safe =
                !contains(&tried, &self.start) && self.entry(&tried, frame - 1)?.is_none();
            if is_safe {
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
        for side in [&mut self.step, &mut self.look] {
            side.exclude(&larger, Some(frame));
        }
        self.cubes[frame].push(larger);
        Ok(frame)
    }

    /// The part of a cube because of which nothing leads into it, by the last answer; the start is not in it.
    fn blamed(&self, cube: &Cube) -> Cube {
        let part = cube.iter().zip(literals(cube, &self.next));
        let part = part.filter(|&(_, literal)| self.step.solver.is_blamed(literal));
        let mut part: Cube = part.map(|(&literal, _)| literal).collect();
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
    fn propagate(&mut self, last: usize) -> WithinSteps<bool> {
        if last + 1 == self.cubes.len() {
            self.add_frame();
        }
        for frame in 1..=last {
            for cube in std::mem::take(&mut self.cubes[frame]) {
                let to = match self.leads_into(&cube, frame) {
                    Ok(true) => frame,
                    Ok(false) => frame + 1,
                    Err(lack) => {
                        self.cubes[frame].push(cube);
                        return Err(lack);
                    }
                };
                if to > frame {
                    for side in [&mut self.step, &mut self.look] {
                        side.exclude(&cube, Some(to));
                    }
                }
                self.cubes[to].push(cube);
            }
            if self.cubes[frame].is_empty() {
                self.keep(frame + 1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a move leads from a frame into a cube that it excludes.
    fn leads_into(&mut self, cube: &Cube, frame: usize) -> WithinSteps<bool> {
        let mut assumed = self.step.of_frame(frame);
        assumed.extend(literals(cube, &self.next));
        asked(&mut self.account, &mut self.step.solver, &assumed)
    }

    /// Excludes the cubes of frames from one on from all states.
    fn keep(&mut self, frame: usize) {
        for cubes in &mut self.cubes[frame..] {
            for cube in std::mem::take(cubes) {
                for side in [&mut self.step, &mut self.look, &mut self.lift] {
                    side.exclude(&cube, None);
                }
                self.excluded.push(cube);
            }
        }
    }
}

/// Whether the solver has values, as far as the account goes.
fn asked(account: &mut Account, solver: &mut Solver, assumed: &[Literal]) -> WithinSteps<bool> {
    match account.ask(solver, assumed, MAX_ASSIGNMENTS) {
        Answer::Satisfiable => Ok(true),
        Answer::Unsatisfiable => Ok(false),
        Answer::Stopped(_) => Err(OutOfSteps),
    }
}

/// A literal that implies one of some pairs of signals, now and next, and is implied by each.
fn some_pair(
    circuit: &Circuit,
    side: &mut Side,
    after: &mut Encoding,
    pairs: &[[Signal; 2]],
) -> Literal {
    let some = side.solver.variable();
    let mut clause = vec![!some];
    for &[before, next] in pairs {
        let before = side
            .encoding
            .literal(&mut side.solver, &circuit.gates, before);
        let next = after.literal(&mut side.solver, &circuit.gates, next);
        let both = side.solver.variable();
        side.solver.require([!both, before]);
        side.solver.require([!both, next]);
        side.solver.require([both, !before, !next]);
        side.solver.require([some, !both]);
        clause.push(both);
    }
    side.solver.require(clause);
    some
}

/// The joint moves from an obligation to the target.
fn play(obligations: &[Obligation], from: usize) -> Vec<Vec<usize>> {
    let mut moves = Vec::new();
    let mut at = Some(from);
    while let Some(number) = at {
        let Obligation {
            moves: made, after, ..
        } = &obligations[number];
        if !made.is_empty() {
            moves.push(made.clone());
        }
        at = *after;
    }
    moves
}
