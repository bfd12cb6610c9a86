//! Counterexamples to conjectured variables, made of the states of plays.
//!
//! A state that takes each variable from one of two that plays reached, linked ones from the same, is as conjectured:
//! the same number of fluents of each variable holds. If a legal move leads from it to a state that is not, the
//! conjecture is not an invariant. 256 such moves take less time than one that a solver finds.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::counters::gained_ahead;
use crate::circuit::invariants::links::linked;
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::sample::{Sample, crossed, reached};
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::invariants::variables::Conjecture;
use crate::circuit::invariants::weakening::{
    Fate, Gained, Weakening, gained_together, lost_groups,
};
use crate::circuit::lanes::{and, any, bit, lanes, none, or, without};
use crate::circuit::{Circuit, Probe};
use crate::limits::{StopFlag, StopReason};

/// Samples at most.
const MAX_SAMPLES: usize = 64;

/// Samples in a row without a counterexample after which there seem to be no more.
const WITHOUT: usize = 4;

/// Gives up what moves in such states break.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn weaken(
    (circuit, sources, plays): (&Circuit, &Sources, &Plays),
    conjecture: &mut Conjecture,
    (probe, random): (&mut Probe, &mut Xoshiro256PlusPlus),
    stop: &StopFlag,
) -> Result<(), StopReason> {
    let mut without_any = 0;
    let mut blocks = linked(&conjecture.variables, &conjecture.links);
    for _ in 0..MAX_SAMPLES {
        stop.poll()?;
        let (one, other) = (reached(plays, random), reached(plays, random));
        let state = crossed(&blocks, &one, &other, random);
        let sample = Sample::of(circuit, probe, state, random);
        let weakening = Weakening {
            gained: gained(sources, conjecture, &sample),
            fates: conjecture
                .variables
                .iter()
                .map(|variable| fate(variable, &sample))
                .collect(),
        };
        if weakening.apply(sources, conjecture) {
            blocks = linked(&conjecture.variables, &conjecture.links);
            without_any = 0
        } else {
            without_any += 1
        }
        if without_any == WITHOUT {
            break;
        }
    }
    Ok(())
}

/// Fluents that were thought never to hold and do.
fn gained(sources: &Sources, conjecture: &Conjecture, sample: &Sample) -> Vec<Gained> {
    let mut by_lane: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &place in &conjecture.never {
        if let Some(lane) = lanes(and(sample.next[place], sample.open)).next() {
            by_lane.entry(lane).or_default().push(place);
        }
    }
    let gained = by_lane.into_iter().flat_map(|(lane, places)| {
        let held = |place: usize| bit(&sample.state[place], lane);
        let next = |place: usize| bit(&sample.next[place], lane);
        let lost = lost_groups(&conjecture.variables, held, next);
        gained_together(sources, &conjecture.variables, &lost, &places)
    });
    let mut gained: Vec<Gained> = gained.collect();
    gained.extend(gained_ahead(&gained, sources, conjecture));
    gained
}

fn fate(variable: &Variable, sample: &Sample) -> Fate {
    let (mut one, mut two) = (none(), none());
    for &place in &variable.fluents {
        two = or(two, and(one, sample.next[place]));
        one = or(one, sample.next[place]);
    }
    if any(and(two, sample.open)) {
        Fate::Broken
    } else if variable.is_exact && any(without(sample.open, one)) {
        Fate::Inexact
    } else {
        Fate::Kept
    }
}
