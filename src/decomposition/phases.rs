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

/// Moves, by role.
type Moves = Vec<Vec<usize>>;

/// The phases that plays show for a partition; none if all parts are moved in from the start.
pub(super) fn conjecture(model: &mut Model, parts: &[Vec<usize>]) -> Option<Phases> {
    let parts: Vec<Moves> = parts.iter().map(|part| active_moves(model, part)).collect();
    let idle = idle_moves(model, &parts);
    let sets: Vec<Moves> = parts.iter().chain(&idle).cloned().collect();
    let mut spans = spans(model, &sets);
    let of_idle = spans.split_off(parts.len());
    let phases = in_order(&spans);
    if phases.len() < 2 {
        return None;
    }
    let mut sets: Vec<Vec<&Moves>> = Vec::new();
    for phase in &phases {
        sets.push(phase.iter().map(|&part| &parts[part]).collect());
    }
    // A move that does nothing is of the last phase before those that begin after it. That of a full board, on which
    // nobody has won, keeps the phase of the board going.
    for (idle, span) in idle.iter().zip(&of_idle).filter(|(_, span)| span.is_some()) {
        let later = phases.iter().rev().take_while(|phase| {
            let mut phase = phase.iter();
            phase.all(|&part| ends_before(span.as_ref(), spans[part].as_ref()))
        });
        let phase = phases.len() - later.count();
        sets[phase.saturating_sub(1)].push(idle);
    }
    let moves = sets.into_iter().map(|phase| united(phase.into_iter()));
    Some(Phases {
        moves: moves.collect(),
    })
}

/// Parts by their first move, with phases that end where all that began has ended in all plays.
fn in_order(spans: &[Option<MovingTimes>]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..spans.len())
        .filter(|&part| spans[part].is_some())
        .collect();
    // Spans 0–4, 2–5, 6–9 make two phases: the first two overlap, the third begins after both have ended.
    order.sort_by_key(|&part| spans[part].as_ref().map(MovingTimes::first));
    let mut phases: Vec<Vec<usize>> = Vec::new();
    for part in order {
        let is_later = phases.last().is_some_and(|last| {
            let mut last = last.iter();
            last.all(|&earlier| ends_before(spans[earlier].as_ref(), spans[part].as_ref()))
        });
        match phases.last_mut() {
            Some(last) if !is_later => last.push(part),
            Some(_) | None => phases.push(vec![part]),
        }
    }
    phases
}

fn ends_before(one: Option<&MovingTimes>, other: Option<&MovingTimes>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| one.ends_before(other))
}

/// The moves that are active in a part.
fn active_moves(model: &Model, part: &[usize]) -> Moves {
    let classes = of_roles(model, part).into_iter();
    let active = classes.map(|classes| match classes.count {
        0 | 1 => Vec::new(),
        _ => (0..classes.of.len())
            .filter(|&mv| classes.is_active(mv))
            .collect(),
    });
    active.collect()
}

/// The moves that are active in no part, each by itself.
fn idle_moves(model: &Model, parts: &[Moves]) -> Vec<Moves> {
    let active = united(parts.iter());
    let mut idle = Vec::new();
    for (role, own) in model.circuit.moves.iter().enumerate() {
        let of_role = active.get(role).map_or(&[][..], Vec::as_slice);
        for mv in (0..own.len()).filter(|mv| of_role.binary_search(mv).is_err()) {
            let mut moves = vec![Vec::new(); model.roles()];
            moves[role].push(mv);
            idle.push(moves);
        }
    }
    idle
}

/// All moves of some sets, ascending.
fn united<'m>(sets: impl Iterator<Item = &'m Moves>) -> Moves {
    let mut all = Moves::new();
    for set in sets {
        all.resize(all.len().max(set.len()), Vec::new());
        for (all, own) in all.iter_mut().zip(set) {
            all.extend(own);
        }
    }
    for own in &mut all {
        own.sort_unstable();
        own.dedup();
    }
    all
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

/// When moves of some sets are legal in plays; none of a set if they never are.
fn spans(model: &mut Model, sets: &[Moves]) -> Vec<Option<MovingTimes>> {
    let mut spans: Vec<Vec<Option<(usize, usize)>>> = vec![vec![None; LANES]; sets.len()];
    for time in 0..model.plays.len() {
        let going = model.plays.goes_on.get(time).copied().unwrap_or(none());
        if !any(going) {
            continue;
        }
        model.probe.enter(&model.plays.states[time]);
        for (set, spans) in sets.iter().zip(&mut spans) {
            let mut movable = none();
            for (role, moves) in set.iter().enumerate() {
                for &mv in moves {
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
