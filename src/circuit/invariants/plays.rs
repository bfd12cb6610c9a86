//! Random plays, state by state: what variables, phases and samples are guessed from.

use crate::circuit::lanes::{Lanes, and, any, count, inverted_if, none, without, xor};
use crate::circuit::{Circuit, Probe};

/// Words of a value.
pub(crate) const WORDS: usize = 4;

/// Plays, or states, that are evaluated at once.
pub(crate) const LANES: usize = WORDS * 64;

/// A truth value in each of 256 plays or states.
pub(crate) type Row = Lanes<WORDS>;

/// Bytes that recorded plays may take, and the histories that are made of them: when each fluent is held, gained, lost.
const MAX_BYTES: usize = 128 << 20;

/// States of a play that are recorded.
const MAX_LENGTH: usize = 400;

/// The fluents, by place, at the start of 256 plays.
pub(crate) fn start(circuit: &Circuit) -> Vec<Row> {
    let fluents = circuit.fluents.iter();
    let rows = fluents.map(|fluent| inverted_if(none(), fluent.initial));
    rows.collect()
}

/// When a play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayEnd {
    /// Where the rules say so.
    Terminal,
    /// Where some role has no legal move.
    Stuck,
}

/// 256 random plays from the start.
pub(crate) struct Plays {
    /// The fluents, by place, of each state of the plays.
    pub(crate) states: Vec<Vec<Row>>,
    /// The plays that reach a state.
    pub(crate) reached: Vec<Row>,
    /// The plays that go on from a state.
    pub(crate) goes_on: Vec<Row>,
}

impl Plays {
    /// Plays until all plays are over, or as many states are recorded as may be.
    pub(crate) fn record(circuit: &Circuit, probe: &mut Probe) -> Self {
        Self::record_until(circuit, probe, PlayEnd::Terminal)
    }

    /// The same without regard to ends: plays go on while every role can move.
    pub(crate) fn record_until_stuck(circuit: &Circuit, probe: &mut Probe) -> Self {
        Self::record_until(circuit, probe, PlayEnd::Stuck)
    }

    fn record_until(circuit: &Circuit, probe: &mut Probe, end: PlayEnd) -> Self {
        let width = 4 * circuit.fluents.len() * size_of::<Row>();
        let most = (MAX_BYTES / width.max(1)).clamp(2, MAX_LENGTH);
        let mut plays = Self {
            states: vec![start(circuit)],
            reached: vec![[u64::MAX; WORDS]],
            goes_on: Vec::new(),
        };
        while let (Some(state), Some(&reached)) = (plays.states.last(), plays.reached.last()) {
            probe.enter(state);
            let mut lanes = match end {
                PlayEnd::Terminal => without(reached, probe.terminal()),
                PlayEnd::Stuck => reached,
            };
            for role in 0..circuit.moves.len() {
                lanes = probe.choose(role, lanes);
            }
            // A role that cannot move ends the play for those that have chosen already.
            plays.goes_on.push(lanes);
            if !any(lanes) || plays.states.len() == most {
                break;
            }
            probe.step();
            let next = (0..circuit.fluents.len()).map(|place| and(probe.next(place), lanes));
            let next = next.collect();
            plays.states.push(next);
            plays.reached.push(lanes);
        }
        plays
    }

    /// In which share of the states a fluent, by place, holds.
    pub(crate) fn share(&self, place: usize) -> f64 {
        let states = self.states.iter().zip(&self.reached);
        let held: u64 = states
            .clone()
            .map(|(state, &reached)| count(and(state[place], reached)))
            .sum();
        let all: u64 = states.map(|(_, &reached)| count(reached)).sum();
        held as f64 / all.max(1) as f64
    }

    /// Whether a fluent, by place, changes after the first move.
    pub(crate) fn changes(&self, place: usize) -> bool {
        let steps = self.states.windows(2).zip(&self.goes_on).skip(1);
        steps.into_iter().any(|(states, &moved)| {
            let changed = xor(states[0][place], states[1][place]);
            any(and(changed, moved))
        })
    }

    /// Whether a fluent, by place, holds in all plays at the same times, as far as they go.
    pub(crate) fn are_alike(&self, place: usize) -> bool {
        let mut states = self.states.iter().zip(&self.reached);
        states.all(|(state, &reached)| {
            let held = and(state[place], reached);
            !any(held) || held == reached
        })
    }

    /// Number of states of the longest play.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }
}
