//! Why two fluents belong to one part: two states that differ in one of them, and a joint move after which the other
//! differs; or that nothing joins them, which is proved.
//!
//! Belonging together is transitive, so that there may be other variables on the way from one to the other; each step
//! is a link that the decomposition has found, and a witness of it is looked for in states near plays.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{ALL, Joint, NO_MOVE, Plays, Row, change, options, reached};
use crate::circuit::lanes::{and, bit, lanes, xor};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::differs;
use crate::decomposition::part::Proof;
use crate::decomposition::partition::Cause;
use crate::decomposition::whole::Decomposition;
use crate::limits::{StopFlag, StopReason};

/// Samples of 256 pairs of states in which a witness is looked for.
const SAMPLES: usize = 200;

/// Seed of the samples.
const SEED: u64 = 1;

/// What joins two fluents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Together {
    /// They are values of one variable: at most one of them holds.
    Values,
    /// They are in different parts, or one runs by itself; whether it is proved that nothing joins them.
    Apart {
        /// No state is a counterexample, by SAT.
        is_proved: bool,
    },
    /// They are in one part, and these steps join them.
    Joined(Vec<JoiningStep>),
}

/// A step from one variable to another one that belongs to the same part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoiningStep {
    /// The variable, by number, that is changed.
    pub from: usize,
    /// The variable that is different then.
    pub to: usize,
    /// What the decomposition has found.
    pub cause: Cause,
    /// States that show it; none if none were found, or the cause is none that two states show.
    pub witness: Option<Witness>,
}

/// Two states that differ in one variable only, and what is different then. Fluents and moves are by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The fluents of one state.
    pub state: Vec<usize>,
    /// The fluents of the changed variable that hold in the other one.
    pub changed: Vec<usize>,
    /// What is different.
    pub difference: Difference,
}

/// What is different in two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A variable, after the same joint move: the fluents of it that hold next, in one and in the other.
    Next {
        /// By role.
        joint_move: Vec<usize>,
        /// After it, in the first state.
        one: Vec<usize>,
        /// After it, in the second state.
        other: Vec<usize>,
    },
    /// A move of a role that is legal in one of them only.
    Legal {
        /// By number.
        role: usize,
        /// By place.
        mv: usize,
        /// Whether it is legal in the first state.
        in_first: bool,
    },
}

/// What joins two fluents, by place in the circuit.
///
/// # Errors
/// [`StopReason`] from outside.
pub fn why_together(
    circuit: &Circuit,
    found: &Decomposition,
    [one, other]: [usize; 2],
    stop: &StopFlag,
) -> Result<Together, StopReason> {
    let variable = |fluent: usize| {
        let mut variables = found.variables.iter();
        variables.position(|variable| variable.fluents.contains(&fluent))
    };
    let (Some(from), Some(to)) = (variable(one), variable(other)) else {
        // What never changes depends on nothing.
        return Ok(Together::Apart { is_proved: true });
    };
    if from == to {
        return Ok(Together::Values);
    }
    let part = |variable: usize| {
        let mut parts = found.parts.iter();
        parts.find(|part| part.variables.contains(&variable))
    };
    let steps = match (part(from), part(to)) {
        (Some(one), Some(other)) if one == other => way(found, from, to),
        (one, other) => {
            // What is in no part runs by itself or is constant; the proofs of that are among those of the whole.
            let proofs = [one, other].map(|part| part.map(|part| part.proof));
            let is_proved =
                proofs.iter().flatten().all(|&proof| proof != Proof::Open) && found.is_certified();
            return Ok(Together::Apart { is_proved });
        }
    };
    let joined = Witnesses::new(circuit, found).along(steps, stop)?;
    Ok(Together::Joined(joined))
}

/// The links from one variable to another one, as few as there are.
fn way(found: &Decomposition, from: usize, to: usize) -> Vec<(usize, usize, Cause)> {
    // Breadth first over the links, in both directions; then back along where each variable was arrived at from.
    let mut arrived: Vec<Option<(usize, Cause)>> = vec![None; found.variables.len()];
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for &(one, other, cause) in &found.links {
            let next = if at == one {
                other
            } else if at == other {
                one
            } else {
                continue;
            };
            if next != from && arrived[next].is_none() {
                arrived[next] = Some((at, cause));
                open.push_back(next);
            }
        }
    }
    let mut steps = Vec::new();
    let mut at = to;
    while let Some((before, cause)) = arrived[at].filter(|_| at != from) {
        steps.push((before, at, cause));
        at = before;
    }
    steps.reverse();
    steps
}

/// A link, read from the variable that is changed to the one that is different then.
#[derive(Clone, Copy)]
struct Influence {
    from: usize,
    to: usize,
    cause: Cause,
}

/// 256 pairs of states, and what is legal in them.
struct Pair<'s> {
    states: [&'s [Row]; 2],
    /// By state of the pair, by role and move.
    legal: [Vec<Vec<Row>>; 2],
    /// Lanes in which both games go on.
    both: Row,
}

/// Looks for witnesses.
struct Witnesses<'c> {
    circuit: &'c Circuit,
    found: &'c Decomposition,
    plays: Plays,
    probe: Probe,
    random: Xoshiro256PlusPlus,
}

impl<'c> Witnesses<'c> {
    fn new(circuit: &'c Circuit, found: &'c Decomposition) -> Self {
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

    /// Looks for a witness of each link, in either direction.
    fn along(
        &mut self,
        links: Vec<(usize, usize, Cause)>,
        stop: &StopFlag,
    ) -> Result<Vec<JoiningStep>, StopReason> {
        let mut joined = Vec::new();
        for (from, to, cause) in links {
            stop.poll()?;
            let forth = Influence { from, to, cause };
            let back = Influence {
                from: to,
                to: from,
                cause,
            };
            // Either may be the one that depends on the other.
            let (influence, witness) = match self.find(forth, stop)? {
                Some(witness) => (forth, Some(witness)),
                None => (back, self.find(back, stop)?),
            };
            joined.push(JoiningStep {
                from: influence.from,
                to: influence.to,
                cause,
                witness,
            });
        }
        Ok(joined)
    }

    /// States in which one variable has an influence on the other, if there are such near plays.
    fn find(
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
