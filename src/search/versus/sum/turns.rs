//! Whose turn it is, and all else that belongs to no part: what it is after each number of moves.

use crate::circuit::Probe;
use crate::circuit::lanes::{and, any, first};
use crate::search::versus::sum::rows::{Row, enter};
use crate::search::versus::sum::split::Split;

/// Different turns at most; a step counter has as many as it has steps.
const MOST: usize = 256;

/// What belongs to no part at some time, and what there is to choose then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// By fluent outside of the parts, whether it holds.
    pub(super) holds: Vec<bool>,
    /// The role that moves in the parts.
    pub(super) mover: usize,
    /// The only move of the other role, by place.
    pub(super) pass: usize,
    /// The turn after this one, by number.
    pub(super) next: usize,
}

/// All turns from the start, which all parts are left in, on; none if it is not one role after the other that moves,
/// while the other one passes.
pub(super) fn turns(split: &Split<'_>, probe: &mut Probe, start: &[bool]) -> Option<Vec<Turn>> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut state = start.to_vec();
    let lane: Row = first(1);
    loop {
        let holds: Vec<bool> = split.outside.iter().map(|&place| state[place]).collect();
        if let Some(known) = turns.iter().position(|turn| turn.holds == holds) {
            turns.last_mut()?.next = known;
            // Once the turns repeat, movers must alternate all the way round: values of games are for play in turn.
            let alternates = |turn: &Turn| turns[turn.next].mover != turn.mover;
            return turns.iter().all(alternates).then_some(turns);
        }
        if turns.len() == MOST {
            return None;
        }
        enter(probe, &state);
        let is_legal = |role: usize, mv: &usize| any(probe.legal(role, *mv));
        let owned = |role: usize| {
            let parts = 0..split.parts.len();
            let mut moves = parts.flat_map(|part| split.moves(role, part));
            moves.find(|mv| is_legal(role, mv))
        };
        let (mover, mv) = match (owned(0), owned(1)) {
            (Some(mv), None) => (0, mv),
            (None, Some(mv)) => (1, mv),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let mut passes = split.passes(1 - mover).filter(|mv| is_legal(1 - mover, mv));
        let (pass, None) = (passes.next()?, passes.next()) else {
            return None;
        };
        for role in 0..2 {
            probe.clear(role);
        }
        probe.make(mover, mv, lane);
        probe.make(1 - mover, pass, lane);
        probe.step();
        for &place in &split.outside {
            state[place] = any(and(probe.next(place), lane));
        }
        let next = turns.len() + 1;
        turns.push(Turn {
            holds,
            mover,
            pass,
            next,
        });
    }
}
