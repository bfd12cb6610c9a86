//! Progression: the successor of a state as the state less the negative effects of a joint move,
//! and with its positive effects.
//!
//! What the effects leave alone is not looked at. Legal moves, payoffs and the end of the game are
//! asked of the rules, where what lasts from state to state is kept up to date.

use crate::fluent::axioms::GameAxioms;
use crate::fluent::program::rules_of_change;
use crate::gdl::{Game, GameError, Incremental, Vocabulary};
use crate::limits::Limits;

/// The reasoner that progresses states by the axioms of a game.
///
/// # Errors
/// [`GameError`] as for [`Game::tabled`].
pub fn progression(
    game: &Game,
    axioms: &GameAxioms,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Incremental, GameError> {
    let changes = rules_of_change(vocabulary, axioms);
    game.progressing(vocabulary, &changes, limits)
}
