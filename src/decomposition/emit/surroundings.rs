//! What is constant in the sheet of a part: the state of everything else, and which move stands for which.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{Plays, Row, options};
use crate::circuit::lanes::{and, any, bit, count, inverted_if, lanes, none, or, without};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::composition::OutcomeForm;
use crate::decomposition::emit::divided::DividedGame;
use crate::decomposition::emit::rules::{of_signal, values};
use crate::decomposition::local::LocalMoves;
use crate::decomposition::whole::Decomposition;

/// Seed of the plays in which phases and ends are looked for.
const SEED: u64 = 1;

/// Times of plays at which it is looked at what is legal.
const MAX_TIMES: usize = 64;

/// What is around a part.
pub(super) struct Surroundings {
    /// By fluent, whether it holds when the part begins.
    pub(super) state: Vec<bool>,
    /// The same for the end of the game, if all parts are needed for it.
    pub(super) at_end: Option<Vec<bool>>,
    /// By role.
    pub(super) choices: Vec<Choices>,
}

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

/// The surroundings of each part.
pub(super) fn of_parts(game: &DividedGame<'_>) -> Vec<Surroundings> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut probe = Probe::new(game.circuit, &mut random);
    let mut played = Played {
        plays: Plays::record(game.circuit, &mut probe),
        found: game.found,
        probe,
    };
    let composition = &game.found.composition;
    let needs_all = composition.termination == OutcomeForm::Conjunctive
        || composition.goals.contains(&OutcomeForm::Conjunctive);
    let at_end = needs_all.then(|| played.ended()).flatten();
    let parts = 0..game.found.parts.len();
    let parts = parts.map(|part| {
        let phase = game.found.parts[part].phase;
        let begun = match phase {
            None | Some(0) => None,
            Some(_) => played.begun(part),
        };
        let state = begun.unwrap_or_else(|| initial(game.circuit));
        let around = Around::of(game, &mut played, part, &state);
        let roles = 0..game.circuit.moves.len();
        let choices = roles.map(|role| {
            let is_in_phase = phase.map(|phase| {
                let played = &mut played;
                move |&mv: &usize| played.is_legal_in(phase, role, mv)
            });
            around.choices(&game.found.parts[part].moves[role], role, is_in_phase)
        });
        Surroundings {
            choices: choices.collect(),
            at_end: at_end.clone(),
            state,
        }
    });
    parts.collect()
}

/// The surroundings of what runs by itself: no move matters, and any stands for all.
pub(super) fn of_context(circuit: &Circuit) -> Surroundings {
    let roles = circuit.moves.iter();
    let choices = roles.map(|moves| Choices {
        waits: (!moves.is_empty()).then(|| LocalMove {
            moves: (0..moves.len()).collect(),
            representatives: vec![0],
        }),
        ..Choices::default()
    });
    Surroundings {
        state: initial(circuit),
        at_end: None,
        choices: choices.collect(),
    }
}

fn initial(circuit: &Circuit) -> Vec<bool> {
    let fluents = circuit.fluents.iter();
    fluents.map(|fluent| fluent.initial).collect()
}

/// What is legal where all other parts are as when a part begins.
struct Around {
    /// By role and move, whether it is legal whatever the part and what runs by itself are in, as far as constants tell.
    always: Vec<Vec<Option<bool>>>,
    /// The same at times of plays, in lanes of them.
    legal: Vec<Vec<Vec<Row>>>,
}

impl Around {
    fn of(game: &DividedGame<'_>, played: &mut Played<'_>, part: usize, state: &[bool]) -> Self {
        let is_open = |owner: Option<usize>| owner.is_none_or(|owner| owner == part);
        let values = values(game.circuit, &game.stands(state, is_open));
        let roles = game.circuit.moves.iter();
        let always = roles.map(|moves| {
            let legal = moves.iter().map(|mv| of_signal(&values, mv.legal));
            legal.collect()
        });
        let length = played.plays.goes_on.len();
        let times = (0..length).step_by(length.div_ceil(MAX_TIMES).max(1));
        let legal = times.map(|time| {
            let rows = played.plays.states[time].iter().enumerate();
            let rows = rows.map(|(place, &row)| {
                if is_open(game.owners[place]) {
                    row
                } else {
                    inverted_if(none(), state[place])
                }
            });
            let rows: Vec<Row> = rows.collect();
            let (_, mut legal) = options(game.circuit, &mut played.probe, &rows);
            for row in legal.iter_mut().flatten() {
                *row = and(*row, played.plays.goes_on[time]);
            }
            legal
        });
        Self {
            always: always.collect(),
            legal: legal.collect(),
        }
    }

    /// The local moves of a role. Moves of other phases are no waiting, and what waits in its own phase is a move.
    fn choices(
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

/// Plays of a game, in which phases and ends are looked for.
struct Played<'p> {
    found: &'p Decomposition,
    plays: Plays,
    probe: Probe,
}

impl Played<'_> {
    /// The state of a play in a lane at a time.
    fn state_of(&self, time: usize, lane: usize) -> Vec<bool> {
        let rows = self.plays.states[time].iter();
        rows.map(|row| bit(row, lane)).collect()
    }

    /// The first state of plays in which a part can be moved in.
    fn begun(&mut self, part: usize) -> Option<Vec<bool>> {
        for time in 0..self.plays.goes_on.len() {
            self.probe.enter(&self.plays.states[time]);
            for (role, own) in self.found.parts[part].moves.iter().enumerate() {
                for &mv in own.classes.iter().flatten() {
                    let open = and(self.probe.legal(role, mv), self.plays.goes_on[time]);
                    if let Some(lane) = lanes(open).next() {
                        return Some(self.state_of(time, lane));
                    }
                }
            }
        }
        None
    }

    /// Whether a move of a role can be made in some phase of plays: where a local move of the phase is legal, too, of any
    /// role.
    fn is_legal_in(&mut self, phase: usize, role: usize, mv: usize) -> bool {
        let parts = self.found.parts.iter();
        let of_phase = parts.filter(|part| part.phase == Some(phase));
        let moves = of_phase.flat_map(|part| {
            let roles = part.moves.iter().enumerate();
            roles.flat_map(|(role, own)| own.classes.iter().flatten().map(move |&mv| (role, mv)))
        });
        let moves: Vec<(usize, usize)> = moves.collect();
        let (plays, probe) = (&self.plays, &mut self.probe);
        (0..plays.goes_on.len()).any(|time| {
            probe.enter(&plays.states[time]);
            let legal = and(probe.legal(role, mv), plays.goes_on[time]);
            let mut together = moves
                .iter()
                .map(|&(role, own)| and(probe.legal(role, own), legal));
            together.any(any)
        })
    }

    /// The last state of a play that came to an end.
    fn ended(&mut self) -> Option<Vec<bool>> {
        (0..self.plays.states.len()).rev().find_map(|time| {
            self.probe.enter(&self.plays.states[time]);
            let over = and(self.probe.terminal(), self.plays.reached[time]);
            let lane = lanes(over).next()?;
            Some(self.state_of(time, lane))
        })
    }
}
