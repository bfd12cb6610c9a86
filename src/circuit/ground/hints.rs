//! `base` and `input`: what a game says of its fluents and moves, beside what grounding finds.
//!
//! Many games name their fluents and moves for reasoners that cannot find them. flux can, so it needs neither, and
//! tells when something is left out: who relies on it would play another game.

use rustc_hash::FxHashSet;

use crate::circuit::ground::GroundProgram;
use crate::engine::Limits;
use crate::gdl::{Game, GameError, Keyword, Keywords, Vocabulary};
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
        if let Some(named) = named(game, vocabulary, Keyword::Base, limits)? {
            let fluents = program.fluents.iter().copied();
            unnamed.fluents = fluents
                .filter(|&fluent| !named.contains(&vec![fluent]))
                .collect();
        }
        if let Some(named) = named(game, vocabulary, Keyword::Input, limits)? {
            let is_named = |role: u32, mv| named.contains(&vec![game.roles()[role as usize], mv]);
            let moves = program.moves.iter().copied();
            unnamed.moves = moves.filter(|&(role, mv)| !is_named(role, mv)).collect();
        }
        Ok(unnamed)
    }
}

/// The arguments for which a relation holds, if there is a rule for it.
fn named(
    game: &Game,
    vocabulary: &mut Vocabulary,
    keyword: Keyword,
    limits: &Limits,
) -> Result<Option<FxHashSet<Vec<TermId>>>, GameError> {
    let relation = Keywords::of(vocabulary.store_mut()).functor(keyword);
    let store = vocabulary.store();
    let mut heads = game
        .clauses()
        .iter()
        .map(|clause| store.functor(clause.head));
    if !heads.any(|head| head == Some(relation)) {
        return Ok(None);
    }
    let mut rules = game.tabled(vocabulary, limits.clone())?.into_rules();
    let mut named = FxHashSet::default();
    let arguments = vec![None; relation.arity as usize];
    let store = vocabulary.store_mut();
    rules.solve(store, relation, &arguments, limits, &mut |_, answer| {
        named.insert(answer.to_vec());
        true
    })?;
    Ok(Some(named))
}
