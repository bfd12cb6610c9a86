//! `base` and `input`: what a game says of its fluents and moves, beside what grounding finds.
//!
//! Many games name their fluents and moves for reasoners that cannot find them. flux can, so it needs neither, and
//! tells when something is left out: who relies on it would play another game.

use crate::circuit::ground::GroundProgram;
use crate::gdl::{Game, GameError, Keyword, Keywords, Vocabulary};
use crate::limits::Limits;
use crate::term::TermId;

/// What may be so though the game does not name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// Fluents that may hold; none if there is no `base`.
    pub fluents: Vec<TermId>,
    /// Moves that may be legal, with the number of the role; none if there is no `input`.
    pub moves: Vec<(u32, TermId)>,
}

impl Unnamed {
    /// What `base` and `input` of a game leave out.
    ///
    /// # Errors
    /// [`GameError`] if a limit is reached.
    pub fn of(
        game: &Game,
        vocabulary: &mut Vocabulary,
        program: &GroundProgram,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let mut unnamed = Self::default();
        let keywords = Keywords::of(vocabulary.store_mut());
        let defined = [Keyword::Base, Keyword::Input].map(|keyword| {
            let relation = keywords.functor(keyword);
            let store = vocabulary.store();
            let mut heads = game
                .clauses()
                .iter()
                .map(|clause| store.functor(clause.head));
            heads.any(|head| head == Some(relation)).then_some(relation)
        });
        if defined == [None, None] {
            return Ok(unnamed);
        }
        let mut rules = game.tabled(vocabulary, limits.clone())?.into_rules();
        let store = vocabulary.store_mut();
        if let Some(base) = defined[0] {
            let named = rules.answers(store, base, limits)?;
            let fluents = program.fluents.iter().copied();
            unnamed.fluents = fluents
                .filter(|&fluent| !named.contains(&[fluent][..]))
                .collect();
        }
        if let Some(input) = defined[1] {
            let named = rules.answers(store, input, limits)?;
            let is_named = |role: u32, mv| named.contains(&[game.roles()[role as usize], mv][..]);
            let moves = program.moves.iter().copied();
            unnamed.moves = moves.filter(|&(role, mv)| !is_named(role, mv)).collect();
        }
        Ok(unnamed)
    }
}
