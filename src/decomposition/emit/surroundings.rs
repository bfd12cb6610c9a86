//! What is constant in the sheet of a part: the state of everything else.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::Plays;
use crate::circuit::lanes::{and, any, bit, lanes};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::composition::OutcomeForm;
use crate::decomposition::emit::choices::{Choices, LegalAround, LocalMove};
use crate::decomposition::emit::divided::DividedGame;
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
        let around = LegalAround::of(game, (&played.plays, &mut played.probe), part, &state);
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
