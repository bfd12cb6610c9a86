//! What is constant in the sheet of a part: the state of everything else, and which move stands for which.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::circuit::invariants::Plays;
use crate::circuit::lanes::{and, lanes};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::composition::OutcomeForm;
use crate::decomposition::emit::rules::{Stand, Stands, of_signal, values};
use crate::decomposition::report::DecomposedGame;

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
pub(super) fn of_parts(
    subject: &DecomposedGame<'_>,
    owners: &[Option<usize>],
) -> Vec<Surroundings> {
    let (circuit, found) = (subject.circuit, subject.found);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut probe = Probe::new(circuit, &mut random);
    let plays = Plays::record(circuit, &mut probe);
    let composition = &found.composition;
    let needs_all = composition.termination == OutcomeForm::Conjunctive
        || composition.goals.contains(&OutcomeForm::Conjunctive);
    let at_end = needs_all
        .then(|| ended(&plays, circuit, &mut probe))
        .flatten();
    let parts = 0..found.parts.len();
    let parts = parts.map(|part| {
        let state = match found.parts[part].phase {
            None | Some(0) => initial(circuit),
            Some(_) => begun(subject, &plays, &mut probe, part).unwrap_or_else(|| initial(circuit)),
        };
        let roles = 0..circuit.moves.len();
        let choices = roles.map(|role| {
            let mut choices = choices(subject, owners, &state, part, role);
            if let Some(phase) = found.parts[part].phase {
                let is_in = |mv: &usize| is_legal_in(subject, &plays, &mut probe, phase, role, *mv);
                choices.stand_still(is_in);
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
pub(super) fn of_context(subject: &DecomposedGame<'_>) -> Surroundings {
    let roles = subject.circuit.moves.iter();
    let choices = roles.map(|moves| Choices {
        waits: (!moves.is_empty()).then(|| ((0..moves.len()).collect(), 0)),
        ..Choices::default()
    });
    Surroundings {
        state: initial(subject.circuit),
        at_end: None,
        choices: choices.collect(),
    }
}

impl Surroundings {
    /// What stands for fluents and moves in the next state of a part: `is_kept` are the fluents of the sheet.
    pub(super) fn stands(
        &self,
        state: &[bool],
        is_kept: &dyn Fn(usize) -> bool,
        fluent: &dyn Fn(usize) -> String,
        made: &dyn Fn(usize, usize) -> Option<String>,
        circuit: &Circuit,
    ) -> Stands {
        let fluents = state.iter().enumerate().map(|(place, &holds)| {
            if is_kept(place) && circuit.fluents[place].holds.constant().is_none() {
                Stand::Literal(fluent(place))
            } else {
                Stand::Constant(holds)
            }
        });
        let mut moves = FxHashMap::default();
        for (role, own) in circuit.moves.iter().enumerate() {
            for (place, mv) in own.iter().enumerate() {
                if let Some(literal) = made(role, place) {
                    moves.insert(mv.made.gate(), Stand::Literal(literal));
                }
            }
        }
        Stands {
            fluents: fluents.collect(),
            moves: Some(moves),
        }
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
fn choices(
    subject: &DecomposedGame<'_>,
    owners: &[Option<usize>],
    state: &[bool],
    part: usize,
    role: usize,
) -> Choices {
    let (circuit, found) = (subject.circuit, subject.found);
    let own = &found.parts[part].moves[role];
    // Whether a move is legal around, or may be for some state of the part.
    let stands = Stands {
        fluents: state
            .iter()
            .enumerate()
            .map(|(place, &holds)| {
                if owners[place] == Some(part) {
                    Stand::Literal(String::new())
                } else {
                    Stand::Constant(holds)
                }
            })
            .collect(),
        moves: None,
    };
    let values = values(circuit, &stands);
    let may_be_legal =
        |mv: &usize| of_signal(&values, circuit.moves[role][*mv].legal) != Some(false);
    let stands_for = |moves: &[usize]| {
        let legal = moves.iter().copied().find(may_be_legal);
        legal.or(moves.first().copied()).unwrap_or(0)
    };
    let everything: Vec<usize> = (0..circuit.moves[role].len()).collect();
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

/// The state of a play in a lane at a time.
fn state_of(plays: &Plays, time: usize, lane: usize) -> Vec<bool> {
    let rows = plays.states[time].iter();
    rows.map(|row| row[lane / 64] >> (lane % 64) & 1 == 1)
        .collect()
}

/// The first state of plays in which a part can be moved in.
fn begun(
    subject: &DecomposedGame<'_>,
    plays: &Plays,
    probe: &mut Probe,
    part: usize,
) -> Option<Vec<bool>> {
    for time in 0..plays.goes_on.len() {
        probe.enter(&plays.states[time]);
        for (role, own) in subject.found.parts[part].moves.iter().enumerate() {
            for &mv in own.classes.iter().flatten() {
                let open = and(probe.legal(role, mv), plays.goes_on[time]);
                if let Some(lane) = lanes(open).next() {
                    return Some(state_of(plays, time, lane));
                }
            }
        }
    }
    None
}

/// Whether a move of a role can be made in some phase of plays.
fn is_legal_in(
    subject: &DecomposedGame<'_>,
    plays: &Plays,
    probe: &mut Probe,
    phase: usize,
    role: usize,
    mv: usize,
) -> bool {
    let parts = subject.found.parts.iter();
    let of_phase = parts.filter(|part| part.phase == Some(phase));
    let moves: Vec<usize> = of_phase
        .flat_map(|part| part.moves[role].classes.iter().flatten().copied())
        .collect();
    (0..plays.goes_on.len()).any(|time| {
        probe.enter(&plays.states[time]);
        let legal = and(probe.legal(role, mv), plays.goes_on[time]);
        let together = moves.iter().map(|&own| and(probe.legal(role, own), legal));
        together.into_iter().any(|row| lanes(row).next().is_some())
    })
}

/// The last state of a play that came to an end.
fn ended(plays: &Plays, circuit: &Circuit, probe: &mut Probe) -> Option<Vec<bool>> {
    debug_assert!(!circuit.fluents.is_empty());
    (0..plays.states.len()).rev().find_map(|time| {
        probe.enter(&plays.states[time]);
        let over = and(probe.terminal(), plays.reached[time]);
        let lane = lanes(over).next()?;
        Some(state_of(plays, time, lane))
    })
}
