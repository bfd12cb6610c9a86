//! Witnesses among states near plays.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{ALL, Joint, NO_MOVE, Plays, Row, change, options, reached};
use crate::circuit::lanes::{and, bit, lanes, xor};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::differs;
use crate::decomposition::partition::Cause;
use crate::decomposition::whole::Decomposition;
use crate::decomposition::why::{Difference, Influence, Witness};
use crate::limits::{StopFlag, StopReason};

/// Samples of 256 pairs of states in which a witness is looked for.
const SAMPLES: usize = 200;

/// Seed of the samples.
const SEED: u64 = 1;

/// 256 pairs of states, and what is legal in them.
struct Pair<'s> {
    states: [&'s [Row]; 2],
    /// By state of the pair, by role and move.
    legal: [Vec<Vec<Row>>; 2],
    /// Lanes in which both games go on.
    both: Row,
}

/// Looks for witnesses.
pub(super) struct Witnesses<'c> {
    pub(super) circuit: &'c Circuit,
    pub(super) found: &'c Decomposition,
    plays: Plays,
    probe: Probe,
    random: Xoshiro256PlusPlus,
}

impl<'c> Witnesses<'c> {
    pub(super) fn new(circuit: &'c Circuit, found: &'c Decomposition) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut probe = Probe::new(circuit, &mut random);
        Self {
            plays: Plays::record(circuit, &mut probe),
            circuit,
            found,
            probe,
            random,
        }
    }

    /// States in which one variable has an influence on the other, if there are such near plays.
    pub(super) fn find(
        &mut self,
        influence: Influence,
        stop: &StopFlag,
    ) -> Result<Option<Witness>, StopReason> {
        // What end and payoffs need together is shown by no two states.
        if influence.cause == Cause::Concept {
            return Ok(None);
        }
        for _ in 0..SAMPLES {
            stop.poll()?;
            let state = reached(&self.plays, &mut self.random);
            let mut other = state.clone();
            let changed = &self.found.variables[influence.from];
            change(changed, &mut other, ALL, &mut self.random);
            let pair = self.pair([&state, &other]);
            let witness = match influence.cause {
                Cause::Legality(role) => self.offered_in_one(&pair, influence, role),
                Cause::Successor | Cause::Moves(_) | Cause::Refuted | Cause::Concept => {
                    self.different_next(&pair, influence)
                }
            };
            if witness.is_some() {
                return Ok(witness);
            }
        }
        Ok(None)
    }

    fn pair<'s>(&mut self, states: [&'s [Row]; 2]) -> Pair<'s> {
        let [one, other] = states.map(|state| options(self.circuit, &mut self.probe, state));
        Pair {
            states,
            legal: [one.1, other.1],
            both: and(one.0, other.0),
        }
    }

    /// A joint move that is legal in both states, and after which the variable is different.
    fn different_next(&mut self, pair: &Pair<'_>, influence: Influence) -> Option<Witness> {
        let [one, other] = &pair.legal;
        let legal: Vec<Vec<Row>> = (one.iter().zip(other))
            .map(|(one, other)| {
                let moves = one.iter().zip(other);
                moves.map(|(&one, &other)| and(one, other)).collect()
            })
            .collect();
        let joint = Joint::pick(&legal, pair.both, &mut self.random);
        let next = pair.states.map(|state| {
            self.probe.enter(state);
            joint.lead(self.circuit, &mut self.probe)
        });
        let variable = &self.found.variables[influence.to];
        let different = differs(variable, &next[0], &next[1], pair.both);
        // Where no move of some role is legal in both states, none was made.
        let has_moved = |lane: &usize| joint.0.iter().all(|moves| moves[*lane] != NO_MOVE);
        let lane = lanes(different).find(has_moved)?;
        let held = |state: &[Row]| held(state, &variable.fluents, lane);
        let difference = Difference::Next {
            joint_move: joint.0.iter().map(|moves| moves[lane] as usize).collect(),
            one: held(&next[0]),
            other: held(&next[1]),
        };
        Some(self.witness(pair, influence, lane, difference))
    }

    /// A move that is legal in one of two states only.
    fn offered_in_one(
        &self,
        pair: &Pair<'_>,
        influence: Influence,
        role: usize,
    ) -> Option<Witness> {
        let [one, other] = &pair.legal;
        let mut moves = one[role].iter().zip(&other[role]).enumerate();
        moves.find_map(|(mv, (&one, &other))| {
            let lane = lanes(and(xor(one, other), pair.both)).next()?;
            let in_first = bit(&one, lane);
            let difference = Difference::Legal { role, mv, in_first };
            Some(self.witness(pair, influence, lane, difference))
        })
    }

    fn witness(
        &self,
        pair: &Pair<'_>,
        influence: Influence,
        lane: usize,
        difference: Difference,
    ) -> Witness {
        let everything: Vec<usize> = (0..self.circuit.fluents.len()).collect();
        let changed = &self.found.variables[influence.from].fluents;
        Witness {
            state: held(pair.states[0], &everything, lane),
            changed: held(pair.states[1], changed, lane),
            difference,
        }
    }
}

/// Those of some fluents that hold in a lane.
fn held(state: &[Row], fluents: &[usize], lane: usize) -> Vec<usize> {
    let holds = |&&fluent: &&usize| bit(&state[fluent], lane);
    fluents.iter().filter(holds).copied().collect()
}
