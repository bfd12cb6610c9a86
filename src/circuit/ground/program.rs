//! A game without variables: its atoms, numbered, and the instances of its rules.

use std::ops::Range;

use crate::circuit::ground::relation::AtomId;
use crate::circuit::grouped::range;
use crate::term::{Functor, TermId};

/// An atom of a rule, and whether it stands under a `not`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    pub(super) fn new(atom: AtomId, negated: bool) -> Self {
        Self((atom.index() as u32) << 1 | u32::from(negated))
    }

    /// The number of the atom.
    pub fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the atom must be false.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// `true`: a fluent of the state, by place in [`GroundProgram::fluents`].
    True(u32),
    /// `next` of the same.
    Next(u32),
    /// `does`: a move of the joint move, by place in [`GroundProgram::moves`].
    Does(u32),
    /// `legal` of the same.
    Legal(u32),
    /// `goal`: a role, by its number, and what is said of its payoff.
    Goal(u32, TermId),
    /// `terminal`.
    Terminal,
    /// Any other: its predicate, by place in [`GroundProgram::predicates`], and its place there.
    Other(u32, u32),
    /// An atom that no state has: what it says is of no role.
    Void,
}

/// The atoms of a predicate. Those of split rules have names with a blank.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The predicate.
    pub functor: Functor,
    /// The arguments of its atoms, one atom after the other.
    pub(super) arguments: Vec<TermId>,
}

impl Predicate {
    /// The arguments of an atom.
    pub fn arguments(&self, atom: u32) -> &[TermId] {
        let arity = self.functor.arity as usize;
        let start = atom as usize * arity;
        &self.arguments[start..start + arity]
    }
}

/// The instances of the rules of a game that can apply in some state.
#[derive(Clone, Debug)]
pub struct GroundProgram {
    /// The atoms, by number.
    pub atoms: Vec<Atom>,
    /// The predicates of the game's own, and of split rules.
    pub predicates: Vec<Predicate>,
    /// The fluents, as terms.
    pub fluents: Vec<TermId>,
    /// The moves: number of the role, term.
    pub moves: Vec<(u32, TermId)>,
    /// By fluent, whether it holds at the start.
    pub initial: Vec<bool>,
    pub(super) rules: Rules,
}

/// Rules without variables, those of each atom together.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// By atom, where its rules end.
    pub(super) of: Vec<u32>,
    /// By rule, its head.
    pub(super) heads: Vec<AtomId>,
    /// By rule, where its conditions end.
    pub(super) ends: Vec<u32>,
    pub(super) conditions: Vec<GroundLiteral>,
}

impl GroundProgram {
    /// The predicate and the arguments of an atom that is no keyword's.
    pub fn other(&self, atom: Atom) -> Option<(Functor, &[TermId])> {
        let Atom::Other(predicate, place) = atom else {
            return None;
        };
        let predicate = &self.predicates[predicate as usize];
        Some((predicate.functor, predicate.arguments(place)))
    }

    /// Number of rules.
    pub fn rules(&self) -> usize {
        self.rules.heads.len()
    }

    /// The conditions of all rules.
    pub fn conditions(&self) -> &[GroundLiteral] {
        &self.rules.conditions
    }

    /// The rules that derive an atom.
    pub fn rules_of(&self, atom: usize) -> Range<usize> {
        range(&self.rules.of, atom)
    }

    /// A rule: the number of its head, and its conditions, each once.
    pub fn rule(&self, rule: usize) -> (usize, &[GroundLiteral]) {
        let conditions = &self.rules.conditions[range(&self.rules.ends, rule)];
        (self.rules.heads[rule].index(), conditions)
    }
}
