//! What is constant in the sheet of a part: the state of everything else, and which move stands for which.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::Plays;
use crate::circuit::lanes::{and, any, lanes};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::composition::OutcomeForm;
use crate::decomposition::emit::divided::DividedGame;
use crate::decomposition::emit::rules::{of_signal, values};
use crate::decomposition::whole::Decomposition;

/// Seed of the plays in which phases and ends are looked for.
const SEED: u64 = 1;

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
    /// By local move, the moves of the whole game that are one.
    pub(super) moves: Vec<Vec<usize>>,
    /// By local move, the one that stands for it.
    pub(super) named: Vec<usize>,
    /// Moves that are made elsewhere while the part waits, with the one that stands for it.
    pub(super) waits: Option<(Vec<usize>, usize)>,
    /// Moves of other phases, in which the part stands still.
    pub(super) still: Vec<usize>,
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
        let roles = 0..game.circuit.moves.len();
        let choices = roles.map(|role| {
            let mut choices = choices(game, &state, part, role);
            if let Some(phase) = phase {
                choices.stand_still(|&mv| played.is_legal_in(phase, role, mv));
            }
            choices
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
        waits: (!moves.is_empty()).then(|| ((0..moves.len()).collect(), 0)),
        ..Choices::default()
    });
    Surroundings {
        state: initial(circuit),
        at_end: None,
        choices: choices.collect(),
    }
}

impl Choices {
    /// Moves of other phases are no waiting, and what waits in its own phase is a move.
    fn stand_still(&mut self, mut is_in_phase: impl FnMut(&usize) -> bool) {
        let Some((moves, _)) = self.waits.take() else {
            return;
        };
        let (own, still): (Vec<usize>, Vec<usize>) =
            moves.into_iter().partition(|mv| is_in_phase(mv));
        if let Some(&first) = own.first() {
            self.named.push(first);
            self.moves.push(own);
        }
        self.still = still;
    }
}

fn initial(circuit: &Circuit) -> Vec<bool> {
    let fluents = circuit.fluents.iter();
    fluents.map(|fluent| fluent.initial).collect()
}

/// The local moves of a role in a part. A move stands for those that are alike if all of it that is in other parts
/// is legal around.
fn choices(game: &DividedGame<'_>, state: &[bool], part: usize, role: usize) -> Choices {
    let own = &game.found.parts[part].moves[role];
    // Whether a move is legal around, or may be for some state of the part.
    let stands = game.stands(state, |owner| owner == Some(part));
    let values = values(game.circuit, &stands);
    let may_be_legal =
        |mv: &usize| of_signal(&values, game.circuit.moves[role][*mv].legal) != Some(false);
    let stands_for = |moves: &[usize]| {
        let legal = moves.iter().copied().find(may_be_legal);
        legal.or(moves.first().copied()).unwrap_or(0)
    };
    // A role without local moves waits with all that it can do.
    let everything: Vec<usize> = (0..game.circuit.moves[role].len()).collect();
    let waiting = if own.classes.is_empty() {
        &everything
    } else {
        &own.elsewhere
    };
    Choices {
        named: own.classes.iter().map(|moves| stands_for(moves)).collect(),
        moves: own.classes.clone(),
        waits: (!waiting.is_empty()).then(|| (waiting.clone(), stands_for(waiting))),
        still: Vec::new(),
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
        rows.map(|row| row[lane / 64] >> (lane % 64) & 1 == 1)
            .collect()
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

    /// Whether a move of a role can be made in some phase of plays: where a local move of the phase is legal, too.
    fn is_legal_in(&mut self, phase: usize, role: usize, mv: usize) -> bool {
        let parts = self.found.parts.iter();
        let of_phase = parts.filter(|part| part.phase == Some(phase));
        let moves: Vec<usize> = of_phase
            .flat_map(|part| part.moves[role].classes.iter().flatten().copied())
            .collect();
        let (plays, probe) = (&self.plays, &mut self.probe);
        (0..plays.goes_on.len()).any(|time| {
            probe.enter(&plays.states[time]);
            let legal = and(probe.legal(role, mv), plays.goes_on[time]);
            let mut together = moves.iter().map(|&own| and(probe.legal(role, own), legal));
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
