//! Why two fluents belong to one part: two states that differ in one of them, and a joint move after which the other
//! differs; or that nothing joins them, which is proved.
//!
//! Belonging together is transitive, so that there may be other variables on the way from one to the other; each step
//! is a link that the decomposition has found, and a witness of it is looked for in states near plays.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{Joint, NO_MOVE, Plays, Row, change, options, reached};
use crate::circuit::lanes::{and, lanes, xor};
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
            let proofs = [one, other].map(|part| part.map(|part| part.proof));
            let is_proved =
                proofs.iter().flatten().all(|&proof| proof != Proof::Open) && found.is_certified();
            return Ok(Together::Apart { is_proved });
        }
    };
    let mut witnesses = Witnesses::new(circuit, found);
    let mut joined = Vec::new();
    for (from, to, cause) in steps {
        stop.poll()?;
        // Either may be the one that depends on the other.
        let shown = match witnesses.find(from, to, cause, stop)? {
            Some(witness) => (from, to, Some(witness)),
            None => (to, from, witnesses.find(to, from, cause, stop)?),
        };
        let (from, to, witness) = shown;
        joined.push(JoiningStep {
            from,
            to,
            cause,
            witness,
        });
    }
    Ok(Together::Joined(joined))
}

/// The links from one variable to another one, as few as there are.
fn way(found: &Decomposition, from: usize, to: usize) -> Vec<(usize, usize, Cause)> {
    let mut arrived: Vec<Option<(usize, Cause)>> = vec![None; found.variables.len()];
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for &(one, other, cause) in &found.links {
            let next = match at {
                _ if at == one => other,
                _ if at == other => one,
                _ => continue,
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

    fn find(
        &mut self,
        from: usize,
        to: usize,
        cause: Cause,
        stop: &StopFlag,
    ) -> Result<Option<Witness>, StopReason> {
        if cause == Cause::Concept {
            return Ok(None);
        }
        for _ in 0..SAMPLES {
            stop.poll()?;
            let state = reached(&self.plays, &mut self.random);
            let mut other = state.clone();
            change(&self.found.variables[from], &mut other, &mut self.random);
            if let Some(witness) = self.compare([&state, &other], from, to, cause) {
                return Ok(Some(witness));
            }
        }
        Ok(None)
    }

    fn compare(
        &mut self,
        states: [&[Row]; 2],
        from: usize,
        to: usize,
        cause: Cause,
    ) -> Option<Witness> {
        let [one, other] = states.map(|state| options(self.circuit, &mut self.probe, state));
        let both = and(one.0, other.0);
        if let Cause::Legality(role) = cause {
            return self.offers(states, from, role, [&one.1[role], &other.1[role]], both);
        }
        let legal: Vec<Vec<Row>> = one
            .1
            .iter()
            .zip(&other.1)
            .map(|(one, other)| {
                one.iter()
                    .zip(other)
                    .map(|(&one, &other)| and(one, other))
                    .collect()
            })
            .collect();
        let joint = Joint::pick(&legal, both, &mut self.random);
        let next = states.map(|state| {
            self.probe.enter(state);
            joint.lead(self.circuit, &mut self.probe)
        });
        let variable = &self.found.variables[to];
        let different = differs(variable, &next[0], &next[1], both);
        let has_moved = |lane: &usize| joint.0.iter().all(|moves| moves[*lane] != NO_MOVE);
        let lane = lanes(different).find(has_moved)?;
        let held = |state: &[Row]| held(state, &variable.fluents, lane);
        let difference = Difference::Next {
            joint_move: joint.0.iter().map(|moves| moves[lane] as usize).collect(),
            one: held(&next[0]),
            other: held(&next[1]),
        };
        Some(self.witness(states, from, lane, difference))
    }

    /// A move that is legal in one of two states only.
    fn offers(
        &self,
        states: [&[Row]; 2],
        from: usize,
        role: usize,
        [one, other]: [&[Row]; 2],
        both: Row,
    ) -> Option<Witness> {
        let moves = one.iter().zip(other).enumerate();
        moves.into_iter().find_map(|(mv, (&one, &other))| {
            let lane = lanes(and(xor(one, other), both)).next()?;
            let in_first = one[lane / 64] >> (lane % 64) & 1 == 1;
            let difference = Difference::Legal { role, mv, in_first };
            Some(self.witness(states, from, lane, difference))
        })
    }

    fn witness(
        &self,
        states: [&[Row]; 2],
        from: usize,
        lane: usize,
        difference: Difference,
    ) -> Witness {
        let everything: Vec<usize> = (0..self.circuit.fluents.len()).collect();
        Witness {
            state: held(states[0], &everything, lane),
            changed: held(states[1], &self.found.variables[from].fluents, lane),
            difference,
        }
    }
}

/// Those of some fluents that hold in a lane.
fn held(state: &[Row], fluents: &[usize], lane: usize) -> Vec<usize> {
    let holds = |&&fluent: &&usize| state[fluent][lane / 64] >> (lane % 64) & 1 == 1;
    fluents.iter().filter(holds).copied().collect()
}
