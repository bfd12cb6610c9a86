//! Classes of moves with the same local effect.
//!
//! Two moves of a role are alike for a variable if they lead to the same value of it, whatever the state and
//! the moves of the others. For a part (a set of variables) they are alike if they are for each variable. The
//! largest class of a part is its *neutral* one: in a sum of games it holds the moves that are made elsewhere.
//! The other classes are the local moves; what Hufschmitt, Vittaut, Méhat 2016 call meta-actions.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::invariants::Row;
use crate::circuit::invariants::Variable;
use crate::circuit::invariants::{Joint, Sample};
use crate::circuit::lanes::{and, count, none, or, xor};
use crate::circuit::{Circuit, Probe};

/// The number of a class among those of a role and a part.
pub(super) type ClassId = u32;

/// No class.
const NONE: ClassId = ClassId::MAX;

/// The classes of the moves of one role for one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes {
    /// By move.
    pub(super) of: Vec<ClassId>,
    pub(super) count: u32,
    /// The moves that do nothing of their own; [`NONE`] if all do.
    pub(super) neutral: ClassId,
}

impl Classes {
    /// Classes by keys: moves with equal keys are alike.
    pub(super) fn by_key<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Self {
        let mut known: FxHashMap<K, ClassId> = FxHashMap::default();
        let mut sizes: Vec<usize> = Vec::new();
        let mut of = Vec::new();
        for key in keys {
            let class = *known.entry(key).or_insert(sizes.len() as ClassId);
            if class as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[class as usize] += 1;
            of.push(class);
        }
        // Of the largest, the first.
        let largest = (0..sizes.len()).rev().max_by_key(|&class| sizes[class]);
        Self {
            of,
            count: sizes.len() as u32,
            neutral: largest.unwrap_or(0) as ClassId,
        }
    }

    /// Whether a move does something to the part that most do not.
    pub(super) fn is_active(&self, mv: usize) -> bool {
        self.of[mv] != self.neutral
    }

    /// Makes classes part of the neutral one.
    fn neutralize(&mut self, is_neutral: impl Fn(ClassId) -> bool) {
        let neutral = self.neutral;
        let keys = self
            .of
            .iter()
            .map(|&class| if is_neutral(class) { neutral } else { class });
        let keys: Vec<ClassId> = keys.collect();
        let at = keys.iter().position(|&class| class == neutral);
        *self = Self::by_key(keys.into_iter());
        // The neutral class stays so, even if another one is larger.
        if let Some(at) = at {
            self.neutral = self.of[at];
        }
    }

    /// Splits each class by the values of its moves, as far as they have one; whether one was split.
    fn split(&mut self, value: impl Fn(usize) -> Option<u64>) -> bool {
        let mut counts: FxHashMap<(ClassId, u64), usize> = FxHashMap::default();
        let valued = (0..self.of.len()).filter_map(|mv| Some((self.of[mv], value(mv)?)));
        // In the order of moves, so that of equally many the first stay.
        let valued: Vec<(ClassId, u64)> = valued.collect();
        for &key in &valued {
            *counts.entry(key).or_default() += 1;
        }
        let mut common: FxHashMap<ClassId, (usize, u64)> = FxHashMap::default();
        for &(class, value) in &valued {
            let count = counts[&(class, value)];
            let most = common.entry(class).or_insert((count, value));
            if count > most.0 {
                *most = (count, value);
            }
        }
        let before = self.count;
        let keys = (0..self.of.len()).map(|mv| {
            let class = self.of[mv];
            let other =
                value(mv).filter(|&value| common.get(&class).is_some_and(|most| most.1 != value));
            (class, other)
        });
        let keys: Vec<(ClassId, Option<u64>)> = keys.collect();
        let neutral = self.neutral;
        let at = keys.iter().position(|&key| key == (neutral, None));
        *self = Self::by_key(keys.into_iter());
        // What stays of the neutral class is neutral, even if another one is larger.
        if let Some(at) = at {
            self.neutral = self.of[at];
        }
        self.count > before
    }

    /// The moves of a class.
    pub(super) fn members(&self, class: ClassId) -> impl Iterator<Item = usize> {
        let moves = self.of.iter().enumerate();
        moves.filter(move |(_, of)| **of == class).map(|(mv, _)| mv)
    }
}

/// The classes of each role's moves for each variable, seen in some samples.
pub(super) fn of_variables(
    circuit: &Circuit,
    probe: &mut Probe,
    variables: &[Variable],
    samples: &[Sample],
) -> Vec<Vec<Classes>> {
    let mut effects = Effects {
        circuit,
        probe,
        variables,
        samples,
    };
    let roles = 0..circuit.moves.len();
    roles.map(|role| effects.classes(role)).collect()
}

/// Splits the classes of each role's moves for some of all variables by what legal moves do in a sample; whether one
/// was split. What is not legal there stays with the most of its class.
pub(super) fn refine(
    circuit: &Circuit,
    probe: &mut Probe,
    (variables, some): (&[Variable], &[usize]),
    sample: &Sample,
    classes: &mut [Vec<Classes>],
) -> bool {
    let mut effects = Effects {
        circuit,
        probe,
        variables,
        samples: std::slice::from_ref(sample),
    };
    let mut is_finer = false;
    for (role, classes) in classes.iter_mut().enumerate() {
        let moves = 0..circuit.moves[role].len();
        let hashes = moves.map(|mv| {
            let is_legal = and(sample.legal[role][mv], sample.open) != none();
            is_legal.then(|| effects.hashes(role, mv))
        });
        let hashes: Vec<Option<Vec<u64>>> = hashes.collect();
        for &variable in some {
            let value = |mv: usize| hashes[mv].as_ref().map(|hashes| hashes[variable]);
            is_finer |= classes[variable].split(value);
        }
    }
    is_finer
}

/// What moves do in samples, in which the other roles move as they do there.
struct Effects<'e> {
    circuit: &'e Circuit,
    probe: &'e mut Probe,
    variables: &'e [Variable],
    samples: &'e [Sample],
}

impl Effects<'_> {
    fn classes(&mut self, role: usize) -> Vec<Classes> {
        let moves = 0..self.circuit.moves[role].len();
        let hashes: Vec<Vec<u64>> = moves.map(|mv| self.hashes(role, mv)).collect();
        let variables = 0..self.variables.len();
        let classes =
            variables.map(|variable| Classes::by_key(hashes.iter().map(|hashes| hashes[variable])));
        let mut classes: Vec<Classes> = classes.collect();
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

/// The classes for a set of variables.
///
/// Neutral are the moves that are so for each of them, if they are the largest class. Else (half of the moves may
/// act in a variable, all alike, and be the larger half) it is the largest class of several moves.
pub(super) fn of_part(classes: &[Classes], variables: &[usize]) -> Classes {
    let moves = classes.first().map_or(0, |classes| classes.of.len());
    let key = |mv: usize| {
        let key = variables.iter().map(|&variable| classes[variable].of[mv]);
        key.collect::<Vec<ClassId>>()
    };
    let is_neutral = |mv: &usize| {
        let mut variables = variables.iter();
        variables.all(|&variable| !classes[variable].is_active(*mv))
    };
    let mut of_part = Classes::by_key((0..moves).map(key));
    let largest = of_part.members(of_part.neutral).count();
    if let Some(mv) = (0..moves).find(is_neutral)
        && of_part.members(of_part.of[mv]).count() >= largest
    {
        of_part.neutral = of_part.of[mv];
    } else if largest < 2 {
        of_part.neutral = NONE;
    }
    of_part
}

/// Variables whose next value depends on the joint move in some state of the samples.
pub(super) fn movable(
    circuit: &Circuit,
    probe: &mut Probe,
    variables: &[Variable],
    samples: &[Sample],
    random: &mut rand_xoshiro::Xoshiro256PlusPlus,
) -> Vec<bool> {
    /// Joint moves that are tried in each state.
    const TRIES: usize = 6;
    let mut movable = vec![false; variables.len()];
    for sample in samples {
        for _ in 0..TRIES {
            probe.enter(&sample.state);
            let joint = Joint::pick(&sample.legal, sample.open, random);
            let next = joint.lead(circuit, probe);
            for (movable, variable) in movable.iter_mut().zip(variables) {
                *movable |= differs(variable, &sample.next, &next, sample.open) != none();
            }
        }
    }
    movable
}

/// Lanes among some in which a variable has different values in two lists of states.
pub(super) fn differs(variable: &Variable, one: &[Row], other: &[Row], among: Row) -> Row {
    let fluents = variable.fluents.iter();
    let differs = fluents.map(|&fluent| xor(one[fluent], other[fluent]));
    and(differs.fold(none(), or), among)
}
