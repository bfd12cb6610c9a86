//! Which variable's successor depends on which other one, by sampling.
//!
//! A variable v depends on u if two states differ only in u, and joint moves that are alike for v and legal
//! in their states lead to different values of v. Each pair that is found is a witness; that there is no
//! other is for [`crate::decomposition::certificate`] to prove.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use crate::circuit::invariants::{Joint, LANES, NO_MOVE, Row, change, options};
use crate::circuit::lanes::{and, any, bit, first, lanes, none, set_bit, without};
use crate::decomposition::classes::differs;
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;
use crate::limits::StopReason;

/// Evaluations of the circuit for each sample, as far as fewer states for each variable do.
const MAX_EVALUATIONS: usize = 1000;

/// Variables that are varied at once, at most, each in an equal share of the states.
const MAX_AT_ONCE: usize = 8;

/// Pairs of variables; the row is the one that is changed.
pub(super) struct Dependencies {
    /// Differences seen after the same joint move.
    pub(super) by_same_move: Vec<FixedBitSet>,
    /// Differences seen after joint moves that are alike for the variable that differs.
    pub(super) by_like_move: Vec<FixedBitSet>,
}

/// Samples the dependencies of all variables, among states of the same phase.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn sample(
    model: &mut Model,
    phases: Option<&Phases>,
) -> Result<Dependencies, StopReason> {
    let count = model.variables.len();
    let rows = || vec![FixedBitSet::with_capacity(count); count];
    let mut found = Dependencies {
        by_same_move: rows(),
        by_like_move: rows(),
    };
    let mut joined = UnionFind::new(count);
    let at_once = (count / MAX_EVALUATIONS).clamp(1, MAX_AT_ONCE);
    for number in 0..model.samples.len() {
        let mut by = 0..count;
        loop {
            let open = by
                .by_ref()
                .filter(|&by| !is_settled(model, &found, &joined, by));
            let varied: Vec<usize> = open.take(at_once).collect();
            if varied.is_empty() {
                break;
            }
            model.stop.poll()?;
            vary(model, phases, (number, &varied), &mut found);
            for by in varied {
                for other in found.by_same_move[by].ones() {
                    joined.union(by, other);
                }
            }
        }
    }
    Ok(found)
}

/// Whether a variable is joined with all that read it already. A reader that no move changes may still be found to depend
/// on it, and then does not run by itself.
fn is_settled(model: &Model, found: &Dependencies, joined: &UnionFind<usize>, by: usize) -> bool {
    let mut readers = model.readers[by].ones();
    readers.all(|other| {
        let is_decided = model.movable[other] || found.by_like_move[by].contains(other);
        is_decided && joined.equiv(by, other)
    })
}

/// Changes some variables in the states of a sample, each in as many, and sees which others differ next.
fn vary(
    model: &mut Model,
    phases: Option<&Phases>,
    (number, varied): (usize, &[usize]),
    found: &mut Dependencies,
) {
    let sample = &model.samples[number];
    let mut state = sample.state.clone();
    let share = LANES / varied.len().max(1);
    let shares = varied.iter().enumerate().map(|(place, &by)| {
        let [from, to] = [place, place + 1].map(|place| first((place * share) as u64));
        (by, without(to, from))
    });
    let shares: Vec<(usize, Row)> = shares.collect();
    for &(by, among) in &shares {
        let variable = &model.variables[by];
        change(variable, &mut state, among, &mut model.random);
    }
    let (open, legal) = options(model.circuit, &mut model.probe, &state);
    let mut both = and(open, sample.open);
    if let Some(phases) = phases {
        both = and(both, phases.agree(&sample.legal, &legal));
    }
    if !any(both) {
        return;
    }
    // The same move where it is legal in the changed state too, else another one.
    let mut joint = Joint::pick(&legal, both, &mut model.random);
    let mut same = both;
    for (role, chosen) in joint.0.iter_mut().enumerate() {
        let mut kept: Row = none();
        for lane in lanes(both) {
            let mv = sample.joint.0[role][lane];
            if mv != NO_MOVE && bit(&legal[role][mv as usize], lane) {
                chosen[lane] = mv;
                set_bit(&mut kept, lane, true);
            }
        }
        same = and(same, kept);
    }
    // Lanes of `same` have the same joint move in both states: a difference there is one by the state alone.
    let next = joint.lead(model.circuit, &mut model.probe);
    for (other, variable) in model.variables.iter().enumerate() {
        let different = differs(variable, &sample.next, &next, both);
        if !any(different) {
            continue;
        }
        let alike = |lane: &usize| is_alike(model, other, [&sample.joint, &joint], *lane);
        for &(by, among) in shares.iter().filter(|&&(by, _)| by != other) {
            let different = and(different, among);
            if any(and(different, same)) {
                found.by_same_move[by].insert(other);
                found.by_like_move[by].insert(other);
            // Different moves tell as much if they are alike for the variable, or if no move changes it at all.
            } else if any(different)
                && (!model.movable[other] || lanes(different).any(|lane| alike(&lane)))
            {
                found.by_like_move[by].insert(other);
            }
        }
    }
}

/// Whether the moves of all roles are alike for a variable.
fn is_alike(model: &Model, variable: usize, joints: [&Joint; 2], lane: usize) -> bool {
    let mut classes = model.classes.iter().enumerate();
    classes.all(|(role, classes)| {
        let [one, other] = joints.map(|joint| joint.0[role][lane] as usize);
        classes[variable].of[one] == classes[variable].of[other]
    })
}

/// Variables that no move and no other kind of variable has an influence on.
///
/// They are the greatest set that is closed under dependence; Definition 6 of Hufschmitt, Vittaut, Méhat 2016
/// (action-independent fluents) by meaning.
pub(super) fn autonomous(model: &Model, found: &Dependencies) -> Vec<bool> {
    // A greatest fixpoint: all that no move changes, less what depends on a variable that is not of the set.
    let mut autonomous: Vec<bool> = model.movable.iter().map(|movable| !movable).collect();
    loop {
        let mut changed = false;
        for (by, row) in found.by_like_move.iter().enumerate() {
            if !autonomous[by] {
                for other in row.ones() {
                    changed |= std::mem::replace(&mut autonomous[other], false);
                }
            }
        }
        if !changed {
            return autonomous;
        }
    }
}
