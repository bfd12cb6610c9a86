//! Whether plays reach a target: frames are added until one excludes it for good, or a play is found.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::circuit::sat::{LinearEquation, Literal};
use crate::circuit::{Gate, Signal};
use crate::prove::invariant::{Cube, contains};
use crate::prove::reachability::frames::{Reachability, WithinSteps, asked};
use crate::prove::reachability::obligations::Obligation;
use crate::prove::target::Target;

/// What is found out about a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::prove) enum Reach {
    /// No play reaches it: what is known of all states excludes it.
    Never,
    /// A play does: joint moves, by place.
    Play(Vec<Vec<usize>>),
    /// No play does in so many moves.
    Open(u64),
}

/// Frames within which it should turn out that plays do not reach a state.
const MAX_FRAMES: usize = 12;

/// Cases of a target that are looked at one by one.
const MAX_CASES: usize = 64;

/// What is bad, as literals of the three solvers.
struct BadStates {
    /// In the solver in which it is looked for.
    looked: Literal,
    lifted: Literal,
    is_step: bool,
}

impl Reachability {
    /// Whether a play reaches a target, as far as so many assignments tell. What is found by clauses that are not
    /// exact, where atoms depend on each other, has to be replayed.
    pub(in crate::prove) fn reach(&mut self, target: &Target, steps: u64) -> Reach {
        self.account.steps = steps;
        let bad = self.bad(target);
        let state = match target {
            Target::State(signal) => Some(*signal),
            Target::Move(_) | Target::Step(_) => None,
        };
        let mut depth = 0;
        self.decide(&bad, state, &mut depth)
            .unwrap_or(Reach::Open(depth))
    }

    /// Whether a move in some play changes a sum, as far as so many assignments tell.
    pub(in crate::prove) fn reach_change(
        &mut self,
        equation: &LinearEquation,
        steps: u64,
    ) -> Reach {
        self.account.steps = steps;
        let bad = BadStates {
            looked: self.step.change(equation),
            lifted: self.lift.change(equation),
            is_step: true,
        };
        let mut depth = 0;
        self.decide(&bad, None, &mut depth)
            .unwrap_or(Reach::Open(depth))
    }

    /// Sets of states that plays do not reach, one of them with this state, as far as so many assignments tell.
    pub(in crate::prove) fn avoid(&mut self, state: &FixedBitSet, steps: u64) -> Option<Vec<Cube>> {
        self.account.steps = steps;
        let known = self.excluded.len();
        let cube: Cube = (0..self.step.side.now.len())
            .map(|place| (place, state.contains(place)))
            .collect();
        for last in 1..=MAX_FRAMES {
            let mut bad = Some(Obligation {
                cube: cube.clone(),
                moves: Vec::new(),
                after: None,
            });
            if self.close(last, |_| Ok(bad.take())).ok()?.is_some() {
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
    pub(in crate::prove) fn left(&self) -> u64 {
        self.account.steps
    }

    fn decide(
        &mut self,
        bad: &BadStates,
        state: Option<Signal>,
        depth: &mut u64,
    ) -> WithinSteps<Reach> {
        // What is known of all states may exclude it already, or it excludes itself: "both have a line" ends a game, so
        // that no move leads into it from a state without it.
        if self.bad_state(bad, None)?.is_none() {
            return Ok(Reach::Never);
        }
        if let Some(signal) = state {
            self.exclude_cases(signal);
            if self.bad_state(bad, None)?.is_none() || self.is_inductive(signal)? {
                return Ok(Reach::Never);
            }
        }
        for last in 0.. {
            let next = |reachability: &mut Self| reachability.bad_state(bad, Some(last));
            if let Some(play) = self.close(last, next)? {
                return Ok(Reach::Play(play));
            }
            // No play of so many moves reaches it.
            *depth = last as u64;
            if last > 0 && self.propagate(last)? && self.bad_state(bad, None)?.is_none() {
                return Ok(Reach::Never);
            }
        }
        unreachable!("frames have no end")
    }

    /// Blocks the bad states of a frame, one after the other; gives the play if one of them cannot be blocked.
    fn close(
        &mut self,
        last: usize,
        mut next: impl FnMut(&mut Self) -> WithinSteps<Option<Obligation>>,
    ) -> WithinSteps<Option<Vec<Vec<usize>>>> {
        while last >= self.cubes.len() {
            self.add_frame();
        }
        while let Some(obligation) = next(self)? {
            if let Some(play) = self.block(obligation, last)? {
                return Ok(Some(play));
            }
        }
        Ok(None)
    }

    /// Excludes those cases of a signal, of which one has to be true for it, that exclude themselves; half of the assignments
    /// that are left are for them. That a full board has no line is another matter than that two roles have none.
    fn exclude_cases(&mut self, signal: Signal) {
        let circuit = Arc::clone(&self.circuit);
        let cases = match circuit.gates.gate(signal.gate()) {
            Gate::And if signal.is_inverted() => circuit.gates.inputs(signal.gate()),
            Gate::And | Gate::False | Gate::Fluent(_) | Gate::Move(..) | Gate::Variable(..) => &[],
        };
        if cases.len() > MAX_CASES {
            return;
        }
        for case in cases.iter().map(|&case| !case) {
            if self.never.contains(&case) {
                continue;
            }
            let all = self.account.steps;
            let share = all / (2 * cases.len() as u64);
            self.account.steps = share;
            // What is not found out about one case says nothing of the others.
            let _ = self.is_inductive(case);
            self.account.steps += all - share;
        }
    }

    /// Whether no move leads from states in which a signal is false to one in which it is true, and the start is
    /// none; then no state has it.
    fn is_inductive(&mut self, signal: Signal) -> WithinSteps<bool> {
        let circuit = Arc::clone(&self.circuit);
        let [now, later] = [
            self.step.now(&circuit, signal),
            self.step.later(&circuit, signal),
        ];
        let looked = self.look.literal(&circuit, signal);
        let start = [self.look.frames[0], looked];
        if asked(
            &mut self.account,
            &mut self.step.side.solver,
            &[!now, later],
        )? || asked(&mut self.account, &mut self.look.solver, &start)?
        {
            return Ok(false);
        }
        // From here on it is known to all questions, as the requirements are.
        self.step.side.solver.require([!now]);
        self.look.solver.require([!looked]);
        let lifted = self.lift.now(&circuit, signal);
        self.lift.side.solver.require([!lifted]);
        self.never.push(signal);
        Ok(true)
    }

    /// The literals of a target.
    fn bad(&mut self, target: &Target) -> BadStates {
        let circuit = Arc::clone(&self.circuit);
        match target {
            Target::State(signal) => BadStates {
                looked: self.look.literal(&circuit, *signal),
                lifted: self.lift.now(&circuit, *signal),
                is_step: false,
            },
            Target::Move(signal) => BadStates {
                looked: self.step.now(&circuit, *signal),
                lifted: self.lift.now(&circuit, *signal),
                is_step: true,
            },
            Target::Step(pairs) => BadStates {
                looked: self.step.some_pair(&circuit, pairs),
                lifted: self.lift.some_pair(&circuit, pairs),
                is_step: true,
            },
        }
    }

    /// States of a frame, or of all, that are bad; lifted from one.
    fn bad_state(
        &mut self,
        bad: &BadStates,
        frame: Option<usize>,
    ) -> WithinSteps<Option<Obligation>> {
        let side = if bad.is_step {
            &mut self.step.side
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
        // Without a frame it is only asked whether there are such states.
        let cube = match frame {
            Some(_) => {
                let cube = self.lifted(&state, &moves, &[!bad.lifted])?;
                self.with_clocks(cube, &state)?
            }
            None => Cube::new(),
        };
        Ok(Some(Obligation {
            cube,
            moves,
            after: None,
        }))
    }
}
