//! Progression: the successor of a state as the state less the negative effects of a joint move,
//! and with its positive effects.
//!
//! What the effects leave alone is not looked at. Legal moves, payoffs and the end of the game are
//! asked of the rules, where what lasts from state to state is kept up to date.

use crate::engine::Limits;
use crate::fluent::axioms::GameAxioms;
use crate::fluent::program::rules_of_change;
use crate::gdl::{
    Game, GameError, Goal, Incremental, MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary,
};

/// The reasoner that progresses states by the axioms of a game.
#[derive(Clone, Debug)]
pub struct Progression {
    rules: Incremental,
}

impl Progression {
    /// Prepares the axioms of a game for play.
    ///
    /// # Errors
    /// [`GameError`] as for [`Game::tabled`].
    pub fn new(
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let changes = rules_of_change(vocabulary, axioms);
        let rules = game.progressing(vocabulary, &changes, limits)?;
        Ok(Self { rules })
    }
}

impl Reasoner for Progression {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        self.rules.initial_state(vocabulary)
    }

    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError> {
        self.rules.is_terminal(vocabulary, state)
    }

    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.rules.goal(vocabulary, state, role)
    }

    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.rules.legal_moves(vocabulary, state, role, moves)
    }

    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.rules.successor(vocabulary, state, joint_move)
    }
}
