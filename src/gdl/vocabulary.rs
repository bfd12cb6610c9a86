//! The vocabulary of a game: its terms, and dense numbers for its fluents and moves.
//!
//! Every reasoner of a game is handed the same vocabulary, so that a fluent or move has one id
//! whichever implementation found it, and states and results compare by equality. Ids are given
//! out in order of first sight.

use std::hash::{BuildHasher, Hasher};

use rustc_hash::FxBuildHasher;

use crate::syntax::{Notation, OperatorTable, Source, parse_term};
use crate::term::{Case, Functor, Lowering, Prefix, Store, TermId};

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

    #[cfg(test)]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
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

    /// Hashes of the texts of all numbered terms, by number.
    fn keys<'k>(&self, store: &Store, keys: &'k mut Vec<u64>) -> &'k [u64] {
        for &term in &self.terms[keys.len()..] {
            let mut hasher = FxBuildHasher.build_hasher();
            hasher.write(Prefix::new(store, term).to_string().as_bytes());
            // By text, since ids depend on what was met before.
            keys.push(scatter(hasher.finish()));
        }
        keys
    }
}

/// Terms, fluents and moves of one game.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(super) store: Store,
    pub(super) fluents: Numbering,
    pub(super) moves: Numbering,
    /// See [`Vocabulary::choose`].
    move_keys: Vec<u64>,
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

    /// One of some moves, each with the same probability for a random `draw`; none if there are
    /// none. The choice depends on what the moves are, not on their order or ids, so that a
    /// playout is the same whichever reasoner makes it and whatever it met before.
    pub fn choose(&mut self, moves: &[MoveId], draw: u64) -> Option<MoveId> {
        let keys = self.moves.keys(&self.store, &mut self.move_keys);
        // Rendezvous hashing: each move gets a key from its text and the draw, and the least key is chosen.
        moves
            .iter()
            .copied()
            // Equal keys of two moves have a chance of 2^-64; then the first one is taken.
            .min_by_key(|mv| scatter(keys[mv.index()] ^ draw))
    }

    /// The function of a move; a constant is a function without arguments. A number or text is
    /// named as it is written.
    pub fn move_function(&mut self, mv: TermId) -> Functor {
        self.store.functor(mv).unwrap_or_else(|| {
            let name = Prefix::new(&self.store, mv).to_string();
            Functor {
                symbol: self.store.symbol(&name),
                arity: 0,
            }
        })
    }

    /// All fluents that have an id, but the first so many, ascending.
    pub fn fluents_from(&self, first: usize) -> impl Iterator<Item = FluentId> {
        (first..self.fluents.terms.len()).map(FluentId::from_index)
    }

    /// The ground term that a text writes, if it writes one.
    pub fn ground_term(&mut self, text: &str, notation: Notation, case: Case) -> Option<TermId> {
        let source = Source::new("term", text);
        let (document, node) = parse_term(&source, notation, &OperatorTable::prolog()).ok()?;
        let mut lowering = Lowering::new(&document, &source, case);
        let term = lowering.term(&mut self.store, node);
        self.store.is_ground(term).then_some(term)
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

/// Spreads the bits of a number; one to one.
fn scatter(bits: u64) -> u64 {
    let bits = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn choices_are_uniform_and_do_not_depend_on_order() {
        const MOVES: usize = 7;
        const DRAWS: usize = 70_000;
        let mut vocabulary = Vocabulary::default();
        let mut moves: Vec<MoveId> = (0..MOVES)
            .map(|number| {
                let term = vocabulary.store.constant(&format!("m{number}"));
                vocabulary.mv(term)
            })
            .collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0usize; MOVES];
        for _ in 0..DRAWS {
            let draw = random.random();
            let chosen = vocabulary.choose(&moves, draw);
            moves.rotate_left(1);
            assert_eq!(vocabulary.choose(&moves, draw), chosen);
            counts[chosen.map_or(0, MoveId::index)] += 1;
        }
        let expected = (DRAWS / MOVES) as f64;
        let chi_square: f64 = counts
            .iter()
            .map(|&count| (count as f64 - expected).powi(2) / expected)
            .sum();
        // 22.46 is exceeded with probability 0.001 at six degrees of freedom.
        assert!(chi_square < 22.46, "{counts:?}");
    }
}
