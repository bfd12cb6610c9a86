//! What moves do to variables in samples, from which their classes are made.
//!
//! Each move of a role is made in all states of a sample, whether it is legal or not, while the other roles move as
//! they do there. Moves with the same values of a variable after them, as a hash, are alike for it.

use std::hash::{BuildHasher, Hash, Hasher};

use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::invariants::{Joint, Row, Sample, Variable};
use crate::circuit::lanes::{and, count, none, or};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::{ClassId, Classes, differs};

/// Joint moves that are tried in each state to see whether a variable depends on them.
const TRIES: usize = 6;

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
        let classes =
            variables.map(|variable| Classes::by_key(hashes.iter().map(|hashes| hashes[variable])));
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
        let hashers = self.variables.iter().map(|_| FxBuildHasher.build_hasher());
        let mut hashers: Vec<_> = hashers.collect();
        for number in 0..self.samples.len() {
            let next = self.next(number, role, mv);
            for (hasher, variable) in hashers.iter_mut().zip(self.variables) {
                for &fluent in &variable.fluents {
                    // Lanes in which no joint move can be made are 0 for all moves, so that they tell none apart.
                    and(next[fluent], self.samples[number].open).hash(hasher);
                }
            }
        }
        hashers.iter().map(Hasher::finish).collect()
    }

    /// The states after a move of a role in all states of a sample.
    fn next(&mut self, number: usize, role: usize, mv: usize) -> Vec<Row> {
        let sample = &self.samples[number];
        self.probe.enter(&sample.state);
        let mut joint = sample.joint.clone();
        joint.0[role].fill(mv as u32);
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
            for mv in 0..self.circuit.moves[role].len() {
                let sample = &self.samples[number];
                let legal = and(sample.legal[role][mv], sample.open);
                let active = (0..classes.len()).filter(|&variable| classes[variable].is_active(mv));
                let active: Vec<usize> = active.collect();
                if active.is_empty() || legal == none() {
                    continue;
                }
                // One evaluation of the circuit serves all variables in which the move is active.
                let next = self.next(number, role, mv);
                for variable in active {
                    let own = &self.variables[variable];
                    let seen = compared[variable]
                        .entry(classes[variable].of[mv])
                        .or_default();
                    let among = and(legal, neutral[variable]);
                    seen.together |= among != none();
                    seen.legal += count(legal);
                    seen.changes += count(differs(own, &next, &self.samples[number].state, legal));
                }
            }
        }
        compared
    }
}

/// How a class compares with the neutral one.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    /// A neutral move is legal too in some state.
    together: bool,
    /// States in which a move of the class is legal, and those of them in which the variable changes.
    legal: u64,
    changes: u64,
}

impl Compared {
    /// Whether the class differs from the neutral one only in what it does where it is not legal.
    ///
    /// Marking and waiting in turn are never legal together, and both leave most of a board as it is.
    fn is_neutral(&self) -> bool {
        !self.together && 2 * self.changes < self.legal
    }
}
