//! What changes by itself: the states of the action-independent subgames, move by move.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::halt::Halt;
use crate::search::plan::parts::{Evaluation, Owner, Parts};
use crate::search::plan::problem::{Problem, Scope};

/// The times up to which a clock is followed.
const MAX_TIME: usize = 100_000;

/// The times up to which an end is looked for.
const MAX_DEADLINE: usize = 1_000;

/// The concepts of what changes by itself, by the number of moves made.
pub(super) struct Clock {
    states: IndexSet<State, FxBuildHasher>,
    evaluations: Vec<Evaluation>,
    /// Where the states begin to repeat themselves, if that is known.
    repeats_from: Option<usize>,
    /// A move that is legal initially.
    mv: Option<MoveId>,
    /// A move that changes nothing and is legal initially.
    waiting: Option<MoveId>,
    /// Goal values and end do not depend on it.
    is_idle: bool,
}

impl Clock {
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
    ) -> Result<Self, Halt> {
        let (initial, nobody) = (parts.initial().clone(), parts.nobody());
        let mut moves = Vec::new();
        // Any legal move will do: what changes by itself does so whatever is done.
        problem.legal_moves(&initial, &mut moves)?;
        let mv = moves.first().copied();
        parts.moves_of(problem, &initial, Owner::Nobody, &mut moves)?;
        let (evaluation, _) = parts.look_at(problem.vocabulary_mut(), &initial, nobody)?;
        let local = parts.local(problem.vocabulary(), &initial, nobody);
        Ok(Self {
            states: IndexSet::from_iter([local]),
            evaluations: vec![evaluation],
            repeats_from: None,
            mv,
            waiting: moves.first().copied(),
            is_idle: parts.concepts(nobody).is_clear(),
        })
    }

    /// Goal values and end do not depend on the time.
    pub(super) fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// A move that only lets time pass.
    pub(super) fn waiting(&self) -> Option<MoveId> {
        self.waiting
    }

    /// Which concepts of nobody hold after so many moves.
    pub(super) fn at<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        time: usize,
    ) -> Result<&Evaluation, Halt> {
        while self.evaluations.len() <= time && self.repeats_from.is_none() && !self.is_idle {
            self.go_on(problem, parts)?;
        }
        let last = self.evaluations.len() - 1;
        let phase = match self.repeats_from {
            _ if self.is_idle => 0,
            // Beyond the last time the states go round: time 9 with 7 times, of which the last is followed by
            // number 3, is time 5.
            Some(from) if time > last => from + (time - from) % (last + 1 - from),
            Some(_) | None => time,
        };
        Ok(&self.evaluations[phase])
    }

    /// The time at which the game is over whatever is done, if there is one that is not too late.
    pub(super) fn deadline<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
    ) -> Result<Option<usize>, Halt> {
        let mut time = 0;
        while time < MAX_DEADLINE
            && self
                .repeats_from
                .is_none_or(|_| time < self.evaluations.len())
        {
            let held = self.at(problem, parts, time)?;
            let truths = parts.truths_of_part(parts.nobody(), held);
            // Whatever holds of the subgames, the concepts of the clock alone say that the game is over.
            if truths.of(parts.conditions.end()) == Some(true) {
                return Ok(Some(time));
            }
            if self.is_idle {
                break;
            }
            time += 1;
        }
        Ok(None)
    }

    /// The number of different times, and the one that follows the last; nothing if there are too
    /// many.
    pub(super) fn period<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
    ) -> Result<Option<(usize, usize)>, Halt> {
        if self.is_idle {
            return Ok(Some((1, 0)));
        }
        while self.repeats_from.is_none() && self.evaluations.len() < MAX_TIME {
            self.go_on(problem, parts)?;
        }
        Ok(self.repeats_from.map(|from| (self.evaluations.len(), from)))
    }

    fn go_on<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
    ) -> Result<(), Halt> {
        let (last, nobody) = (self.evaluations.len() - 1, parts.nobody());
        // Without a move the state stays as it is.
        let (Some(mv), Some(local)) = (self.mv, self.states.get_index(last)) else {
            self.repeats_from = Some(last);
            return Ok(());
        };
        // The local state of nobody, set into the initial state of everything else.
        let state = parts.whole(problem.vocabulary(), local, nobody);
        let next = problem.successor(&state, mv, Scope::Local)?;
        let local = parts.local(problem.vocabulary(), &next, nobody);
        let (place, is_new) = self.states.insert_full(local);
        if is_new {
            let (evaluation, _) = parts.look_at(problem.vocabulary_mut(), &next, nobody)?;
            self.evaluations.push(evaluation);
        } else {
            self.repeats_from = Some(place);
        }
        Ok(())
    }
}
