//! Why two fluents belong to one part: two states that differ in one of them, and a joint move after which the other
//! differs; or that nothing joins them, which is proved.
//!
//! Belonging together is transitive, so that there may be other variables on the way from one to the other; each step
//! is a link that the decomposition has found, and a witness of it is looked for in states near plays, then by a solver.

mod sampled;
mod solved;

use std::collections::VecDeque;

use crate::circuit::Circuit;
use crate::decomposition::part::Proof;
use crate::decomposition::partition::Cause;
use crate::decomposition::whole::Decomposition;
use crate::limits::{StopFlag, StopReason};

use sampled::Witnesses;

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
    let mut witnesses = Witnesses::new(circuit, found);
    let joined = steps.into_iter().map(|link| {
        stop.poll()?;
        step(&mut witnesses, link, stop)
    });
    Ok(Together::Joined(joined.collect::<Result<_, _>>()?))
}

/// A link with a witness in one direction or the other.
fn step(
    witnesses: &mut Witnesses<'_>,
    (from, to, cause): (usize, usize, Cause),
    stop: &StopFlag,
) -> Result<JoiningStep, StopReason> {
    // Either may be the one that depends on the other.
    let both = [(from, to), (to, from)].map(|(from, to)| Influence { from, to, cause });
    let mut witness = None;
    for influence in both {
        if let Some(found) = witnesses.find(influence, stop)? {
            witness = Some((influence, found));
            break;
        }
    }
    // What no sample shows a solver may have found.
    if witness.is_none() && cause == Cause::Refuted {
        let (circuit, found) = (witnesses.circuit, witnesses.found);
        let mut influences = both.into_iter();
        witness = influences.find_map(|influence| {
            let witness = solved::witness(circuit, found, influence, stop)?;
            Some((influence, witness))
        });
    }
    let (influence, witness) = witness.map_or((both[1], None), |(influence, witness)| {
        (influence, Some(witness))
    });
    Ok(JoiningStep {
        from: influence.from,
        to: influence.to,
        cause,
        witness,
    })
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
