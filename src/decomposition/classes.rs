//! Classes of moves with the same local effect.
//!
//! Two moves of a role are alike for a variable if they lead to the same value of it, whatever the state and
//! the moves of the others. For a part (a set of variables) they are alike if they are for each variable. One class of
//! a part is its *neutral* one: in a sum of games it holds the moves that are made elsewhere. It is the class of moves
//! that leave the part as it was, or are for it as if nothing was moved, if there are such, and else the largest class.
//! The other classes are the local moves; what Hufschmitt, Vittaut, Méhat 2016 call meta-actions.

use std::hash::Hash;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::circuit::invariants::{Row, Variable};
use crate::circuit::lanes::{and, none, or, xor};

/// How many times as large another class may be than one that is neutral by what it does. In (a × b) + (c × d) with three
/// moves a component, nine moves of sixteen and more may act in a, three of them alike.
const MAX_OUTWEIGHED: usize = 4;

/// A class among those of a role and a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClassId(u32);

impl ClassId {
    /// No class.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The class with this index among those of its role and part.
    #[inline]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The id as an index.
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The classes of the moves of one role for one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes {
    /// By move.
    pub(super) of: Vec<ClassId>,
    pub(super) count: u32,
    /// The moves that do nothing of their own; [`ClassId::NONE`] if all do.
    pub(super) neutral: ClassId,
    /// Whether the neutral class is so for what its moves do, and not for its size.
    is_neutral_by_effect: bool,
    /// Moves that are legal in states in which a neutral one is.
    beside: FixedBitSet,
}

impl Classes {
    /// Classes by keys: moves with equal keys are alike.
    pub(super) fn by_key<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Self {
        let mut known: FxHashMap<K, ClassId> = FxHashMap::default();
        let mut sizes: Vec<usize> = Vec::new();
        let mut of = Vec::new();
        for key in keys {
            let class = *known.entry(key).or_insert(ClassId::from_index(sizes.len()));
            if class.index() == sizes.len() {
                sizes.push(0);
            }
            sizes[class.index()] += 1;
            of.push(class);
        }
        Self {
            of,
            count: sizes.len() as u32,
            neutral: largest(&sizes).unwrap_or(ClassId::from_index(0)),
            is_neutral_by_effect: false,
            beside: FixedBitSet::new(),
        }
    }

    /// The largest class among those all of whose moves may be neutral; of equally large ones the first.
    fn largest_of(&self, may_be_neutral: impl Fn(usize) -> bool) -> Option<ClassId> {
        let mut sizes = vec![0_usize; self.count as usize];
        self.of.iter().for_each(|class| sizes[class.index()] += 1);
        for (mv, class) in self.of.iter().enumerate() {
            if sizes[class.index()] > 0 && !may_be_neutral(mv) {
                sizes[class.index()] = 0;
            }
        }
        largest(&sizes)
    }

    /// Has a class be the neutral one, unless it is far smaller than the one that is so by its size.
    pub(super) fn prefer(&mut self, class: ClassId) {
        if self.outweighs(class, self.members(self.neutral).count()) {
            self.neutral = class;
            self.is_neutral_by_effect = true;
        }
    }

    /// Whether a class may be the neutral one beside one of another size.
    fn outweighs(&self, class: ClassId, size: usize) -> bool {
        MAX_OUTWEIGHED * self.members(class).count() >= size
    }

    /// Whether a move does something to the part that most do not.
    pub(super) fn is_active(&self, mv: usize) -> bool {
        self.of[mv] != self.neutral
    }

    /// Notes moves that are legal in states in which a neutral one is.
    pub(super) fn note_beside(&mut self, moves: FixedBitSet) {
        self.beside = moves;
    }

    /// Whether a move is known to act: it is legal where another one is that does nothing.
    fn is_known_to_act(&self, mv: usize) -> bool {
        self.is_active(mv) && self.is_neutral_by_effect && self.beside.contains(mv)
    }

    /// Makes classes part of the neutral one.
    pub(super) fn neutralize(&mut self, is_neutral: impl Fn(ClassId) -> bool) {
        let neutral = self.neutral;
        let keys = self
            .of
            .iter()
            .map(|&class| if is_neutral(class) { neutral } else { class });
        let keys: Vec<ClassId> = keys.collect();
        let at = keys.iter().position(|&class| class == neutral);
        self.renumber(keys, at);
    }

    /// Has classes be those of keys, numbered in the order of moves. The neutral class stays so, even if another one is
    /// larger: it is that of the move at this place, if there is one.
    fn renumber<K: Hash + Eq>(&mut self, keys: Vec<K>, neutral: Option<usize>) {
        let before = std::mem::replace(self, Self::by_key(keys.into_iter()));
        if let Some(at) = neutral {
            self.neutral = self.of[at];
            self.is_neutral_by_effect = before.is_neutral_by_effect;
            self.beside = before.beside;
        }
    }

    /// Splits each class by the values of its moves, as far as they have one; whether one was split.
    ///
    /// Moves without a value stay with those that have the most common value of their class.
    ///
    /// ```text
    /// class   0 0 0 0 1 1        value of class 0 most often: 7
    /// value   7 7 9 – 7 –   ▶    {0, 1, 3}  {2}  {4, 5}
    /// ```
    pub(super) fn split(&mut self, value: impl Fn(usize) -> Option<u64>) -> bool {
        let common = self.common_values(&value);
        let before = self.count;
        // The common value counts as none, so that moves with it and moves without any have the same key.
        let keys: Vec<(ClassId, Option<u64>)> = (0..self.of.len())
            .map(|mv| {
                let class = self.of[mv];
                let rare = value(mv).filter(|value| common.get(&class).is_some_and(|c| c != value));
                (class, rare)
            })
            .collect();
        let neutral = self.neutral;
        let at = keys.iter().position(|&key| key == (neutral, None));
        self.renumber(keys, at);
        self.count > before
    }

    /// By class, the value that most of its moves have; of equally common ones that which comes first.
    fn common_values(&self, value: &impl Fn(usize) -> Option<u64>) -> FxHashMap<ClassId, u64> {
        let valued = (0..self.of.len()).filter_map(|mv| Some((self.of[mv], value(mv)?)));
        let valued: Vec<(ClassId, u64)> = valued.collect();
        let mut counts: FxHashMap<(ClassId, u64), usize> = FxHashMap::default();
        for &key in &valued {
            *counts.entry(key).or_default() += 1;
        }
        let mut common: FxHashMap<ClassId, u64> = FxHashMap::default();
        // In the order of moves, and not of the hash map, so that ties are decided the same way everywhere.
        for &(class, value) in &valued {
            let most = common.entry(class).or_insert(value);
            if counts[&(class, value)] > counts[&(class, *most)] {
                *most = value;
            }
        }
        common
    }

    /// All classes, ascending.
    pub(super) fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.count).map(ClassId)
    }

    /// The moves of a class.
    pub(super) fn members(&self, class: ClassId) -> impl Iterator<Item = usize> {
        let moves = self.of.iter().enumerate();
        moves.filter(move |(_, of)| **of == class).map(|(mv, _)| mv)
    }
}

/// Of the largest classes, by their sizes, the first; none if all are empty.
fn largest(sizes: &[usize]) -> Option<ClassId> {
    let found = (0..sizes.len()).rev().max_by_key(|&class| sizes[class]);
    let found = found.filter(|&class| sizes[class] > 0);
    found.map(ClassId::from_index)
}

/// The classes for a set of variables.
///
/// Neutral are the moves that are so for each of them, unless they are far fewer than others. Else (half of the moves
/// may act in a variable, all alike, and be the larger half) it is the largest class of several moves that are not known
/// to act: eating all chocolate is as if nothing was moved where the rules say what each move leaves, but leaving some of
/// it was legal too.
pub(super) fn of_part(classes: &[Classes], variables: &[usize]) -> Classes {
    let moves = classes.first().map_or(0, |classes| classes.of.len());
    let told_apart = || {
        let variables = variables.iter().map(|&variable| &classes[variable]);
        variables.filter(|classes| classes.count > 1)
    };
    let is_neutral = |mv: &usize| told_apart().all(|classes| !classes.is_active(*mv));
    // Moves with the same class for each variable: (0,0), (0,1), (1,0) are three classes of a part of two.
    // They are the equivalence classes of actions for a subgame of [GT14, section 14.4], its first step.
    let mut of_part = Classes::by_key((0..moves).map(|_| ()));
    for classes in told_apart() {
        of_part = Classes::by_key(of_part.of.iter().zip(&classes.of));
    }
    let neutral = (0..moves).find(is_neutral);
    let may_be_neutral = |mv: usize| !told_apart().any(|classes| classes.is_known_to_act(mv));
    let largest = match neutral {
        Some(_) => Some(of_part.neutral),
        None => of_part.largest_of(may_be_neutral),
    };
    let size = largest.map_or(0, |class| of_part.members(class).count());
    of_part.neutral = match (neutral.map(|mv| of_part.of[mv]), largest) {
        (Some(class), _) if of_part.outweighs(class, size) => class,
        (_, Some(class)) if size > 1 => class,
        (_, _) => ClassId::NONE,
    };
    of_part
}

/// Lanes among some in which a variable has different values in two lists of states.
pub(super) fn differs(variable: &Variable, one: &[Row], other: &[Row], among: Row) -> Row {
    let fluents = variable.fluents.iter();
    let differs = fluents.map(|&fluent| xor(one[fluent], other[fluent]));
    and(differs.fold(none(), or), among)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_a_part_are_those_of_all_its_variables() {
        let classes = [[0, 0, 0, 1, 1], [0; 5], [2, 3, 2, 2, 3]]
            .map(|keys: [u8; 5]| Classes::by_key(keys.into_iter()));
        let part = of_part(&classes, &[0, 1, 2]);
        assert_eq!(part.of, [0, 1, 0, 2, 3].map(ClassId::from_index));
        assert_eq!(part.neutral, ClassId::from_index(0));
        assert_eq!(of_part(&classes, &[1]).count, 1);
    }

    #[test]
    fn a_move_that_is_known_to_act_is_not_neutral() {
        let mut classes =
            [[0, 0, 1, 1], [2, 3, 4, 4]].map(|keys: [u8; 4]| Classes::by_key(keys.into_iter()));
        classes[0].prefer(ClassId::from_index(0));
        classes[1].prefer(ClassId::from_index(2));
        assert_eq!(of_part(&classes, &[0, 1]).neutral, ClassId::from_index(2));
        classes[0].note_beside(FixedBitSet::from_iter([2]));
        assert_eq!(of_part(&classes, &[0, 1]).neutral, ClassId::NONE);
    }
}
