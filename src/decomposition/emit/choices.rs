//! The local moves of a sheet, and which moves of the whole game stand for them.
//!
//! Moves that are alike for a part are so where they are legal. In nim a role whose turn it is makes a move in another
//! heap, and one whose turn it is not waits: for a heap both are one local move, but each stands for it in its turn only.

use crate::circuit::Probe;
use crate::circuit::invariants::{Plays, Row, options};
use crate::circuit::lanes::{and, any, count, inverted_if, none, or, without};
use crate::decomposition::emit::divided::DividedGame;
use crate::decomposition::emit::rules::{of_signal, values};
use crate::decomposition::local::LocalMoves;

/// Times of plays at which it is looked at what is legal.
const MAX_TIMES: usize = 64;

/// The local moves of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    pub(super) own: Vec<LocalMove>,
    /// What is made elsewhere while the part waits.
    pub(super) waits: Option<LocalMove>,
    /// Moves of other phases, in which the part stands still.
    pub(super) still: Vec<usize>,
}

/// Moves that are alike for a part.
#[derive(Clone, Debug)]
pub(super) struct LocalMove {
    pub(super) moves: Vec<usize>,
    /// Those that stand for them all: of these the first that is legal around the part, or else the last one. At least
    /// one.
    pub(super) representatives: Vec<usize>,
}

impl Choices {
    /// The local moves, and what is made elsewhere.
    pub(super) fn all(&self) -> impl Iterator<Item = &LocalMove> {
        self.own.iter().chain(&self.waits)
    }
}

impl LocalMove {
    /// What it is called in sheets.
    pub(super) fn name(&self, game: &DividedGame<'_>, role: usize) -> String {
        let named = self.representatives.first();
        named.map_or_else(String::new, |&mv| game.mv(role, mv))
    }
}

/// What is legal where all other parts are as when a part begins.
pub(super) struct LegalAround {
    /// By role and move, whether it is legal whatever the part and what runs by itself are in, as far as constants tell.
    always: Vec<Vec<Option<bool>>>,
    /// The same at times of plays, in lanes of them.
    legal: Vec<Vec<Vec<Row>>>,
}

impl LegalAround {
    /// With the others in a state, as far as plays show the part in its states.
    pub(super) fn of(
        game: &DividedGame<'_>,
        (plays, probe): (&Plays, &mut Probe),
        part: usize,
        state: &[bool],
    ) -> Self {
        let is_open = |owner: Option<usize>| owner.is_none_or(|owner| owner == part);
        let values = values(game.circuit, &game.stands(state, is_open));
        let roles = game.circuit.moves.iter();
        let always = roles.map(|moves| {
            let legal = moves.iter().map(|mv| of_signal(&values, mv.legal));
            legal.collect()
        });
        let length = plays.goes_on.len();
        let times = (0..length).step_by(length.div_ceil(MAX_TIMES).max(1));
        let legal = times.map(|time| {
            let rows = plays.states[time].iter().enumerate();
            let rows = rows.map(|(place, &row)| {
                if is_open(game.owners[place]) {
                    row
                } else {
                    inverted_if(none(), state[place])
                }
            });
            let rows: Vec<Row> = rows.collect();
            let (_, mut legal) = options(game.circuit, probe, &rows);
            for row in legal.iter_mut().flatten() {
                *row = and(*row, plays.goes_on[time]);
            }
            legal
        });
        Self {
            always: always.collect(),
            legal: legal.collect(),
        }
    }

    /// The local moves of a role. Moves of other phases are no waiting, and what waits in its own phase is a move.
    pub(super) fn choices(
        &self,
        local: &LocalMoves,
        role: usize,
        is_in_phase: Option<impl FnMut(&usize) -> bool>,
    ) -> Choices {
        let own = local.classes.iter().cloned();
        let mut own: Vec<LocalMove> = own.map(|moves| self.alike(role, moves)).collect();
        // A role without local moves waits with all that it can do.
        let waiting = if own.is_empty() {
            (0..self.always[role].len()).collect()
        } else {
            local.elsewhere.clone()
        };
        let of_some = |moves: Vec<usize>| (!moves.is_empty()).then(|| self.alike(role, moves));
        let Some(is_in_phase) = is_in_phase else {
            return Choices {
                own,
                waits: of_some(waiting),
                still: Vec::new(),
            };
        };
        let (idle, still) = waiting.into_iter().partition(is_in_phase);
        own.extend(of_some(idle));
        Choices {
            own,
            waits: None,
            still,
        }
    }

    fn alike(&self, role: usize, moves: Vec<usize>) -> LocalMove {
        LocalMove {
            representatives: self.representatives(role, &moves),
            moves,
        }
    }

    /// Of moves that are alike, one that is always legal, else some of which one is legal wherever any is, as far as
    /// plays show.
    fn representatives(&self, role: usize, moves: &[usize]) -> Vec<usize> {
        let always = &self.always[role];
        if let Some(&mv) = moves.iter().find(|&&mv| always[mv] == Some(true)) {
            return vec![mv];
        }
        let legal = |time: usize, mv: usize| self.legal[time][role][mv];
        let times = 0..self.legal.len();
        let mut uncovered: Vec<Row> = times
            .clone()
            .map(|time| {
                moves
                    .iter()
                    .fold(none(), |some, &mv| or(some, legal(time, mv)))
            })
            .collect();
        let mut representatives = Vec::new();
        // Greedy set cover: next is the move that is legal in the most states in which none so far is.
        while uncovered.iter().any(|&row| any(row)) {
            let covered = |mv: usize| {
                let rows = uncovered.iter().enumerate();
                let rows = rows.map(|(time, &row)| count(and(row, legal(time, mv))));
                rows.sum::<u64>()
            };
            // Of equally good ones the first.
            let Some(&best) = moves.iter().rev().max_by_key(|&&mv| covered(mv)) else {
                break;
            };
            for (time, row) in uncovered.iter_mut().enumerate() {
                *row = without(*row, legal(time, best));
            }
            representatives.push(best);
        }
        if representatives.is_empty() {
            let possible = moves.iter().find(|&&mv| always[mv] != Some(false));
            representatives.extend(possible.or(moves.first()));
        }
        representatives
    }
}
