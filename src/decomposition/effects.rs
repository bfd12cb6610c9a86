//! What moves do to variables in samples, from which their classes are made.
//!
//! Each move of a role is made in all states of a sample, whether it is legal or not, while the other roles move as
//! they do there. Moves with the same values of a variable after them, as a hash, are alike for it.

use std::hash::{BuildHasher, Hash, Hasher};

use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::invariants::{Joint, NO_MOVE, Row, Sample, Variable};
use crate::circuit::lanes::{and, count, none, or};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::{ClassId, Classes, differs};
use crate::decomposition::model::MAX_CLASS_SAMPLES;

/// Joint moves that are tried in each state to see whether a variable depends on them.
const TRIES: usize = 6;

/// States in which a move must be seen to be like the neutral ones to count as one. A move of a phase that is over soon is
/// legal in few states of a sample, and may do nothing in each of them.
const MIN_COMPARED: u64 = 80;

/// What moves do in samples, in which the other roles move as they do there.
pub(super) struct MoveEffects<'e> {
    pub(super) circuit: &'e Circuit,
    pub(super) probe: &'e mut Probe,
    pub(super) variables: &'e [Variable],
    pub(super) samples: &'e [Sample],
}

impl MoveEffects<'_> {
    /// By role and variable, the classes of the moves.
    pub(super) fn classes(&mut self) -> Vec<Vec<Classes>> {
        let roles = 0..self.circuit.moves.len();
        roles.map(|role| self.of_role(role)).collect()
    }

    /// Splits the classes of each role's moves for some variables by what legal moves do in the first sample; whether
    /// one was split. What is not legal there stays with the most of its class.
    pub(super) fn refine(&mut self, some: &[usize], classes: &mut [Vec<Classes>]) -> bool {
        let sample = &self.samples[0];
        let mut is_finer = false;
        for (role, classes) in classes.iter_mut().enumerate() {
            let moves = 0..self.circuit.moves[role].len();
            let hashes = moves.map(|mv| {
                let is_legal = and(sample.legal[role][mv], sample.open) != none();
                is_legal.then(|| self.hashes(role, mv))
            });
            let hashes: Vec<Option<Vec<u64>>> = hashes.collect();
            for &variable in some {
                let value = |mv: usize| hashes[mv].as_ref().map(|hashes| hashes[variable]);
                is_finer |= classes[variable].split(value);
            }
        }
        is_finer
    }

    /// By variable, whether its next value depends on the joint move in some state of the samples.
    pub(super) fn movable(&mut self, random: &mut Xoshiro256PlusPlus) -> Vec<bool> {
        let mut movable = vec![false; self.variables.len()];
        for sample in self.samples {
            for _ in 0..TRIES {
                self.probe.enter(&sample.state);
                let joint = Joint::pick(&sample.legal, sample.open, random);
                let next = joint.lead(self.circuit, self.probe);
                for (movable, variable) in movable.iter_mut().zip(self.variables) {
                    *movable |= differs(variable, &sample.next, &next, sample.open) != none();
                }
            }
        }
        movable
    }

    /// The classes of a role, by variable.
    fn of_role(&mut self, role: usize) -> Vec<Classes> {
        let moves = 0..self.circuit.moves[role].len();
        let hashes: Vec<Vec<u64>> = moves.map(|mv| self.hashes(role, mv)).collect();
        let variables = 0..self.variables.len();
        // What is moved elsewhere leaves a variable as it is where rules say of each move what it leaves so; else it is for
        // the variable as if nothing was moved at all.
        let unmoved = self.hashed(|effects, number| effects.next(number, role, NO_MOVE));
        let still = self.hashed(|effects, number| effects.samples[number].state.clone());
        let classes = variables.map(|variable| {
            let of_moves = || hashes.iter().map(|hashes| hashes[variable]);
            let mut classes = Classes::by_key(of_moves());
            let alike = [&still, &unmoved]
                .into_iter()
                .find_map(|neutral| of_moves().position(|hash| hash == neutral[variable]));
            if let Some(mv) = alike {
                classes.prefer(classes.of[mv]);
            }
            classes
        });
        let mut classes: Vec<Classes> = classes.collect();
        // A hash covers states in which a move is not legal, too; what differs there alone makes no class of its own.
        let neutral = self.neutral_offers(role, &classes);
        let compared = self.compare(role, &classes, &neutral);
        for (classes, compared) in classes.iter_mut().zip(&compared) {
            let is_neutral = |class| compared.get(&class).is_some_and(Compared::is_neutral);
            classes.neutralize(is_neutral);
        }
        classes
    }

    /// A hash, by variable, of the values after a move, whether it is legal or not.
    fn hashes(&mut self, role: usize, mv: usize) -> Vec<u64> {
        self.hashed(|effects, number| effects.next(number, role, mv as u32))
    }

    /// A hash, by variable, of the values in some states for each sample.
    fn hashed(&mut self, states: impl Fn(&mut Self, usize) -> Vec<Row>) -> Vec<u64> {
        let hashers = self.variables.iter().map(|_| FxBuildHasher.build_hasher());
        let mut hashers: Vec<_> = hashers.collect();
        for number in 0..self.samples.len() {
            let states = states(self, number);
            for (hasher, variable) in hashers.iter_mut().zip(self.variables) {
                for &fluent in &variable.fluents {
                    // Lanes in which no joint move can be made are 0 for all moves, so that they tell none apart.
                    and(states[fluent], self.samples[number].open).hash(hasher);
                }
            }
        }
        hashers.iter().map(Hasher::finish).collect()
    }

    /// The states after a move of a role, or none, in all states of a sample.
    fn next(&mut self, number: usize, role: usize, mv: u32) -> Vec<Row> {
        let sample = &self.samples[number];
        self.probe.enter(&sample.state);
        let mut joint = sample.joint.clone();
        joint.0[role].fill(mv);
        joint.lead(self.circuit, self.probe)
    }

    /// By sample and variable, where a neutral move is legal.
    fn neutral_offers(&self, role: usize, classes: &[Classes]) -> Vec<Vec<Row>> {
        let of_sample = |sample: &Sample| {
            let of_variable = |classes: &Classes| {
                let neutral = classes.members(classes.neutral);
                let legal = neutral.fold(none(), |all, mv| or(all, sample.legal[role][mv]));
                and(legal, sample.open)
            };
            classes.iter().map(of_variable).collect()
        };
        self.samples.iter().map(of_sample).collect()
    }

    /// By variable, how the active classes compare with the neutral one where both have a legal move.
    fn compare(
        &mut self,
        role: usize,
        classes: &[Classes],
        neutral: &[Vec<Row>],
    ) -> Vec<FxHashMap<ClassId, Compared>> {
        let mut compared: Vec<FxHashMap<ClassId, Compared>> =
            vec![FxHashMap::default(); classes.len()];
        for (number, neutral) in neutral.iter().enumerate() {
            let unmoved = self.next(number, role, NO_MOVE);
            let mut after_neutral: FxHashMap<usize, Vec<Row>> = FxHashMap::default();
            for mv in 0..self.circuit.moves[role].len() {
                let sample = &self.samples[number];
                let legal = and(sample.legal[role][mv], sample.open);
                let active = (0..classes.len()).filter(|&variable| classes[variable].is_active(mv));
                let active: Vec<usize> = active.collect();
                if active.is_empty() || legal == none() {
                    continue;
                }
                // One evaluation of the circuit serves all variables in which the move is active.
                let next = self.next(number, role, mv as u32);
                for variable in active {
                    let own = &self.variables[variable];
                    let seen = compared[variable]
                        .entry(classes[variable].of[mv])
                        .or_default();
                    seen.legal[number] = or(seen.legal[number], legal);
                    seen.is_legal_beside |= and(legal, neutral[variable]) != none();
                    let Some(other) = classes[variable].members(classes[variable].neutral).next()
                    else {
                        continue;
                    };
                    let after = after_neutral
                        .entry(other)
                        .or_insert_with(|| self.next(number, role, other as u32));
                    let differs_from = |other: &[Row]| differs(own, &next, other, legal);
                    let others = [after, &unmoved, &self.samples[number].state];
                    let acts = others.map(|other| differs_from(other));
                    seen.acts |= acts.into_iter().fold(legal, and) != none();
                }
            }
        }
        compared
    }
}

/// How a class compares with the neutral one.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    /// By sample, the states in which a move of the class is legal.
    legal: [Row; MAX_CLASS_SAMPLES],
    /// Whether moves of both are legal in some state.
    is_legal_beside: bool,
    /// Whether a move of the class is legal in a state in which it changes the variable, and a neutral move, legal or not,
    /// would lead elsewhere, and no move at all as well.
    acts: bool,
}

impl Compared {
    /// Whether the class differs from the neutral one only in what it does where it is not legal.
    ///
    /// Marking and waiting in turn are never legal together, and both leave the other cells as they are. What rules do
    /// not expect in the turn of another role may be worse than no move at all, as that may be where rules say of each
    /// move what it leaves as it is. One move may be like the one in some states and like the other in the rest: to pass on
    /// a full board of one's own, or while the other role moves there.
    fn is_neutral(&self) -> bool {
        let states: u64 = self.legal.iter().map(|&row| count(row)).sum();
        states >= MIN_COMPARED && !self.is_legal_beside && !self.acts
    }
}
