//! Serial games: phases, one after the other, in each of which only some parts can be moved in.
//!
//! A phase lasts while some move is legal that is active in one of its parts. Phases are guessed from plays
//! (the last such move of one part comes before the first of another) and used as context: dependencies are
//! between states of the same phase. That a phase that is over never comes back is proved by induction.
//! Hufschmitt, Vittaut, Méhat 2016, section on serial games, have two phases and find a pivot; here there are
//! any number, and the condition is semantic.

use crate::circuit::invariants::ALL;
use crate::circuit::invariants::{LANES, Row};
use crate::circuit::lanes::{and, any, inverted_if, lanes, none, or, xor};
use crate::circuit::{Circuit, Signal};
use crate::decomposition::classes::{Classes, of_part};
use crate::decomposition::model::Model;

/// The phases of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phases {
    /// For each phase, by role, the moves that are active in one of its parts.
    pub(super) moves: Vec<Vec<Vec<usize>>>,
}

impl Phases {
    /// Number of phases.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The signals of which one is true while a phase, or one before, goes on.
    pub(super) fn signals(&self, circuit: &Circuit, phase: usize) -> Vec<Signal> {
        let moves = self.moves[..=phase].iter();
        let mut signals: Vec<Signal> = moves
            .flat_map(|by_role| by_role.iter().zip(&circuit.moves))
            .flat_map(|(moves, own)| moves.iter().map(|&mv| own[mv].legal))
            .collect();
        signals.sort_unstable();
        signals.dedup();
        signals
    }

    /// Where some move of a phase, or of one before, is legal.
    fn goes_on(&self, phase: usize, legal: &[Vec<Row>]) -> Row {
        let moves = self.moves[..=phase].iter();
        moves.fold(none(), |all, by_role| {
            by_role.iter().zip(legal).fold(all, |all, (moves, legal)| {
                moves.iter().fold(all, |all, &mv| or(all, legal[mv]))
            })
        })
    }

    /// For each phase but the last, where it, or one before, goes on.
    pub(super) fn conditions(&self, legal: &[Vec<Row>]) -> Vec<Row> {
        (0..self.len() - 1)
            .map(|phase| self.goes_on(phase, legal))
            .collect()
    }

    /// Lanes in which two lists of states are in the same phase.
    pub(super) fn agree(&self, one: &[Vec<Row>], other: &[Vec<Row>]) -> Row {
        let pairs = self.conditions(one).into_iter().zip(self.conditions(other));
        pairs.fold(ALL, |all, (one, other)| and(all, equal(one, other)))
    }
}

/// Lanes in which two rows are equal.
fn equal(one: Row, other: Row) -> Row {
    inverted_if(xor(one, other), true)
}

/// The phases that plays show for a partition; none if all parts are moved in from the start.
pub(super) fn conjecture(model: &mut Model, parts: &[Vec<usize>]) -> Option<Phases> {
    let classes: Vec<Vec<Classes>> = parts.iter().map(|part| of_roles(model, part)).collect();
    let has_moves = |classes: &Vec<Classes>| classes.iter().any(|classes| classes.count > 1);
    let parts: Vec<&Vec<Classes>> = classes
        .iter()
        .filter(|classes| has_moves(classes))
        .collect();
    let spans = spans(model, &parts);
    // Parts by their first move; a phase ends where all that began has ended in all plays.
    let mut order: Vec<usize> = (0..parts.len())
        .filter(|&part| spans[part].is_some())
        .collect();
    let before = |one: usize, other: usize| match (&spans[one], &spans[other]) {
        (Some(one), Some(other)) => one.ends_before(other),
        _ => false,
    };
    // Spans 0–4, 2–5, 6–9 make two phases: the first two overlap, the third begins after both have ended.
    order.sort_by_key(|&part| spans[part].as_ref().map(MovingTimes::first));
    let mut phases: Vec<Vec<usize>> = Vec::new();
    for part in order {
        let is_later = phases
            .last()
            .is_some_and(|last| last.iter().all(|&earlier| before(earlier, part)));
        match phases.last_mut() {
            Some(last) if !is_later => last.push(part),
            Some(_) | None => phases.push(vec![part]),
        }
    }
    if phases.len() < 2 {
        return None;
    }
    let moves = phases.iter().map(|phase| {
        (0..model.roles())
            .map(|role| {
                let moves = 0..model.circuit.moves[role].len();
                moves
                    .filter(|&mv| phase.iter().any(|&part| parts[part][role].is_active(mv)))
                    .collect()
            })
            .collect()
    });
    let moves: Vec<Vec<Vec<usize>>> = moves.collect();
    Some(Phases { moves })
}

/// The classes of all roles for a part.
pub(super) fn of_roles(model: &Model, part: &[usize]) -> Vec<Classes> {
    model
        .classes
        .iter()
        .map(|classes| of_part(classes, part))
        .collect()
}

/// When a part is moved in, play by play.
struct MovingTimes {
    /// The first and the last time at which a move in the part is legal; none in plays without such moves.
    by_play: Vec<Option<(usize, usize)>>,
}

impl MovingTimes {
    /// The time of the first move in any play.
    fn first(&self) -> usize {
        let firsts = self.by_play.iter().flatten().map(|span| span.0);
        firsts.min().unwrap_or(usize::MAX)
    }

    /// Whether no play has a move of the other one before the last move of this one.
    fn ends_before(&self, other: &MovingTimes) -> bool {
        let plays = self.by_play.iter().zip(&other.by_play);
        plays.into_iter().all(|(one, other)| match (one, other) {
            (Some((_, last)), Some((first, _))) => last < first,
            _ => true,
        })
    }
}

/// By part, when it is moved in; none if it never is.
fn spans(model: &mut Model, parts: &[&Vec<Classes>]) -> Vec<Option<MovingTimes>> {
    let mut spans: Vec<Vec<Option<(usize, usize)>>> = vec![vec![None; LANES]; parts.len()];
    for time in 0..model.plays.len() {
        let going = model.plays.goes_on.get(time).copied().unwrap_or(none());
        if !any(going) {
            continue;
        }
        model.probe.enter(&model.plays.states[time]);
        for (part, spans) in parts.iter().zip(&mut spans) {
            let mut movable = none();
            for (role, classes) in part.iter().enumerate() {
                for mv in (0..classes.of.len()).filter(|&mv| classes.is_active(mv)) {
                    movable = or(movable, model.probe.legal(role, mv));
                }
            }
            for lane in lanes(and(movable, going)) {
                let (_, last) = spans[lane].get_or_insert((time, time));
                *last = time;
            }
        }
    }
    let spans = spans.into_iter().map(|by_play| {
        by_play
            .iter()
            .any(Option::is_some)
            .then_some(MovingTimes { by_play })
    });
    spans.collect()
}
