//! What moves do to variables in samples, from which their classes are made.
//!
//! Each move of a role is made in all states of a sample, whether it is legal or not, while the other roles move as
//! they do there. Moves with the same values of a variable after them, as a hash, are alike for it. One move is made
//! after the other, so that only what they decide about is evaluated.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use fixedbitset::FixedBitSet;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::circuit::invariants::{Joint, NO_MOVE, Row, Sample, Variable, by_fluent};
use crate::circuit::lanes::{and, count, none, or, xor};
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
            let is_legal = |&mv: &usize| and(sample.legal[role][mv], sample.open) != none();
            let legal: Vec<usize> = moves.clone().filter(is_legal).collect();
            let keys = self.keys(role, &legal);
            for &variable in some {
                let mut values: Vec<Option<u64>> = vec![None; moves.len()];
                for (&mv, key) in legal.iter().zip(keys.of(variable)) {
                    values[mv] = Some(key);
                }
                is_finer |= classes[variable].split(|mv| values[mv]);
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
        let moves: Vec<usize> = (0..self.circuit.moves[role].len()).collect();
        let keys = self.keys(role, &moves);
        // What is moved elsewhere leaves a variable as it is where rules say of each move what it leaves so; else it is for
        // the variable as if nothing was moved at all.
        let unmoved = self.keys_of(|effects, number| effects.unmoved(number, role));
        let still = self.keys_of(|effects, number| effects.samples[number].state.clone());
        let variables = 0..self.variables.len();
        let classes = variables.map(|variable| {
            let of_moves = keys.of(variable);
            let alike = [&still, &unmoved]
                .into_iter()
                .find_map(|neutral| of_moves.iter().position(|key| *key == neutral[variable]));
            let mut classes = Classes::by_key(of_moves.into_iter());
            if let Some(mv) = alike {
                classes.prefer(classes.of[mv]);
            }
            classes
        });
        let mut classes: Vec<Classes> = classes.collect();
        // A key covers states in which a move is not legal, too; what differs there alone makes no class of its own.
        let neutral = self.neutral_offers(role, &classes);
        let compared = self.compare(role, &classes, &neutral);
        for (classes, VariableCompared { by_class, beside }) in classes.iter_mut().zip(compared) {
            let is_neutral = |class| by_class.get(&class).is_some_and(Compared::is_neutral);
            classes.note_beside(beside);
            classes.neutralize(is_neutral);
        }
        classes
    }

    /// The keys of some moves of a role: those of the first, and what is different after the others.
    fn keys(&mut self, role: usize, moves: &[usize]) -> MoveKeys {
        let variable_of = by_fluent(self.variables, self.circuit.fluents.len());
        let mut keys = MoveKeys::new(moves.len(), self.variables.len());
        for number in 0..self.samples.len() {
            self.unmoved(number, role);
            let mut made = None;
            let mut usual: Vec<u64> = Vec::new();
            // The variables that are not what they are after the first move, with the difference of their keys.
            let mut different: BTreeMap<usize, u64> = BTreeMap::new();
            let mut changed: Vec<u32> = Vec::new();
            for (place, &mv) in moves.iter().enumerate() {
                changed.clear();
                self.probe
                    .exchange(role, made.replace(mv), mv, &mut changed);
                if place == 0 {
                    usual = self.sample_keys(number, &|fluent| self.probe.next(fluent));
                    keys.add_usual(&usual);
                    continue;
                }
                let mut variables: Vec<usize> = (changed.iter())
                    .filter_map(|&fluent| variable_of[fluent as usize])
                    .collect();
                variables.sort_unstable();
                variables.dedup();
                for variable in variables {
                    let next = |fluent| self.probe.next(fluent);
                    let key = self.sample_key(number, &self.variables[variable], &next);
                    if key == usual[variable] {
                        different.remove(&variable);
                    } else {
                        different.insert(variable, key.wrapping_sub(usual[variable]));
                    }
                }
                for (&variable, &difference) in &different {
                    keys.add(variable, place, difference);
                }
            }
        }
        keys
    }

    /// A key, by variable, of its values in some states for each sample.
    fn keys_of(&mut self, states: impl Fn(&mut Self, usize) -> Vec<Row>) -> Vec<u64> {
        let mut keys = vec![0_u64; self.variables.len()];
        for number in 0..self.samples.len() {
            let states = states(self, number);
            for (key, own) in keys
                .iter_mut()
                .zip(self.sample_keys(number, &|fluent| states[fluent]))
            {
                *key = key.wrapping_add(own);
            }
        }
        keys
    }

    /// A key, by variable, of its values in states of a sample, given by fluent.
    fn sample_keys(&self, number: usize, states: &dyn Fn(usize) -> Row) -> Vec<u64> {
        let variables = self.variables.iter();
        let keys = variables.map(|own| self.sample_key(number, own, states));
        keys.collect()
    }

    /// A key of the values of a variable in states of a sample, given by fluent.
    fn sample_key(&self, number: usize, variable: &Variable, states: &dyn Fn(usize) -> Row) -> u64 {
        let mut hasher = DefaultHasher::new();
        number.hash(&mut hasher);
        for &fluent in &variable.fluents {
            // Lanes in which no joint move can be made are 0 for all moves, so that they tell none apart.
            and(states(fluent), self.samples[number].open).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The states after no move of a role in those of a sample.
    fn unmoved(&mut self, number: usize, role: usize) -> Vec<Row> {
        let sample = &self.samples[number];
        self.probe.enter(&sample.state);
        let mut joint = sample.joint.clone();
        joint.0[role].fill(NO_MOVE);
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

    /// By variable, how the active moves compare with the neutral ones where both are legal.
    fn compare(
        &mut self,
        role: usize,
        classes: &[Classes],
        neutral: &[Vec<Row>],
    ) -> Vec<VariableCompared> {
        let mut compared = vec![VariableCompared::default(); classes.len()];
        for (number, neutral) in neutral.iter().enumerate() {
            let after_neutral = self.after_neutral(number, role, classes);
            let unmoved = self.unmoved(number, role);
            let sample = &self.samples[number];
            let mut made = None;
            let mut changed = Vec::new();
            for mv in 0..self.circuit.moves[role].len() {
                let legal = and(sample.legal[role][mv], sample.open);
                let active = (0..classes.len()).filter(|&variable| classes[variable].is_active(mv));
                let active: Vec<usize> = active.collect();
                if active.is_empty() || legal == none() {
                    continue;
                }
                self.probe
                    .exchange(role, made.replace(mv), mv, &mut changed);
                changed.clear();
                for variable in active {
                    let own = &self.variables[variable];
                    let VariableCompared { by_class, beside } = &mut compared[variable];
                    let seen = by_class.entry(classes[variable].of[mv]).or_default();
                    seen.legal[number] = or(seen.legal[number], legal);
                    if and(legal, neutral[variable]) != none() {
                        seen.is_legal_beside = true;
                        beside.grow_and_insert(mv);
                    }
                    let Some(after) = &after_neutral[variable] else {
                        continue;
                    };
                    let mut acts = [none(); 3];
                    for (&fluent, &after) in own.fluents.iter().zip(after) {
                        let next = self.probe.next(fluent);
                        let others = [after, unmoved[fluent], sample.state[fluent]];
                        for (acts, other) in acts.iter_mut().zip(others) {
                            *acts = or(*acts, xor(next, other));
                        }
                    }
                    seen.acts |= acts.into_iter().fold(legal, and) != none();
                }
            }
        }
        compared
    }

    /// By variable, its fluents after the first neutral move of a role, legal or not; none if there is no such move.
    fn after_neutral(
        &mut self,
        number: usize,
        role: usize,
        classes: &[Classes],
    ) -> Vec<Option<Vec<Row>>> {
        let mut by_move: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (variable, classes) in classes.iter().enumerate() {
            if let Some(mv) = classes.members(classes.neutral).next() {
                by_move.entry(mv).or_default().push(variable);
            }
        }
        self.unmoved(number, role);
        let mut after = vec![None; classes.len()];
        let mut made = None;
        for (mv, variables) in by_move {
            self.probe
                .exchange(role, made.replace(mv), mv, &mut Vec::new());
            for variable in variables {
                let fluents = self.variables[variable].fluents.iter();
                after[variable] = Some(fluents.map(|&fluent| self.probe.next(fluent)).collect());
            }
        }
        after
    }
}

/// Keys of the values that variables have after moves: moves with equal keys lead to equal values.
///
/// The key of a move is a sum of hashes, one a sample. Most moves change few variables, so that only differences from
/// the first move are kept.
struct MoveKeys {
    moves: usize,
    /// By variable, the key after the first move.
    usual: Vec<u64>,
    /// By variable, the places of moves and what their keys differ by; a place may occur for several samples.
    others: Vec<Vec<(u32, u64)>>,
}

impl MoveKeys {
    fn new(moves: usize, variables: usize) -> Self {
        Self {
            moves,
            usual: vec![0; variables],
            others: vec![Vec::new(); variables],
        }
    }

    /// Adds the keys after the first move in one more sample, by variable.
    fn add_usual(&mut self, keys: &[u64]) {
        for (usual, key) in self.usual.iter_mut().zip(keys) {
            *usual = usual.wrapping_add(*key);
        }
    }

    /// Has the key of a move differ from the usual one by so much more.
    fn add(&mut self, variable: usize, place: usize, difference: u64) {
        self.others[variable].push((place as u32, difference));
    }

    /// The keys of all moves for a variable.
    fn of(&self, variable: usize) -> Vec<u64> {
        let mut keys = vec![self.usual[variable]; self.moves];
        for &(place, difference) in &self.others[variable] {
            let key = &mut keys[place as usize];
            *key = key.wrapping_add(difference);
        }
        keys
    }
}

/// How the active moves compare with the neutral ones for a variable.
#[derive(Clone, Default)]
struct VariableCompared {
    by_class: FxHashMap<ClassId, Compared>,
    /// Moves that are legal in states in which a neutral one is.
    beside: FixedBitSet,
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
