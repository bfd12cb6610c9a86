//! The vocabulary of a game: its terms, and dense numbers for its fluents and moves.
//!
//! Every reasoner of a game is handed the same vocabulary, so that a fluent or move has one id
//! whichever implementation found it, and states and results compare by equality. Ids are given
//! out in order of first sight.

use crate::term::{Store, TermId};

/// A ground fluent of a [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FluentId(u32);

/// A ground move of a [`Vocabulary`]; the same for every role that can make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(u32);

impl FluentId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

impl MoveId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Numbers for some of the terms of a store, in order of first sight.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    terms: Vec<TermId>,
    /// By index of the term; [`Numbering::NONE`] where it has no number.
    numbers: Vec<u32>,
}

impl Numbering {
    const NONE: u32 = u32::MAX;

    fn number(&mut self, term: TermId) -> u32 {
        if term.index() >= self.numbers.len() {
            self.numbers.resize(term.index() + 1, Self::NONE);
        }
        let number = &mut self.numbers[term.index()];
        if *number == Self::NONE {
            *number = self.terms.len() as u32;
            self.terms.push(term);
        }
        *number
    }

    pub(super) fn fluent(&mut self, term: TermId) -> FluentId {
        FluentId(self.number(term))
    }

    pub(super) fn mv(&mut self, term: TermId) -> MoveId {
        MoveId(self.number(term))
    }
}

/// Terms, fluents and moves of one game.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(super) store: Store,
    pub(super) fluents: Numbering,
    pub(super) moves: Numbering,
}

impl Vocabulary {
    /// Starts with the terms of a store and no fluents or moves.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            ..Self::default()
        }
    }

    /// The terms.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The terms, to add more.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// The id of a ground term as a fluent.
    pub fn fluent(&mut self, term: TermId) -> FluentId {
        self.fluents.fluent(term)
    }

    /// The id of a ground term as a move.
    pub fn mv(&mut self, term: TermId) -> MoveId {
        self.moves.mv(term)
    }

    /// The term of a fluent.
    pub fn fluent_term(&self, fluent: FluentId) -> TermId {
        self.fluents.terms[fluent.index()]
    }

    /// The term of a move.
    pub fn move_term(&self, mv: MoveId) -> TermId {
        self.moves.terms[mv.index()]
    }
}
