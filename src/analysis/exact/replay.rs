//! A state and a joint move that a search has found, tried with the reasoners that play games.

use crate::fluent::{Difference, GameAxioms, progression};
use crate::gdl::{
    Game, GameError, Incremental, MoveId, Reasoner, ReasonerError, RoleId, State, Tabled,
    Vocabulary,
};
use crate::limits::Limits;

/// Tells what the rules and what the axioms say of a joint move.
pub(super) struct Replay {
    rules: Tabled,
    axioms: Incremental,
}

impl Replay {
    pub(super) fn new(
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        Ok(Self {
            rules: game.tabled(vocabulary, limits.clone())?,
            axioms: progression(game, axioms, vocabulary, limits)?,
        })
    }

    /// The difference that a joint move shows; none if it does not, or cannot be made.
    pub(super) fn difference(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<Option<Difference>, ReasonerError> {
        if self.rules.is_terminal(vocabulary, state)? {
            return Ok(None);
        }
        let mut legal = Vec::new();
        // The search holds atoms of loops to their definitions only: what is legal there need not be in the game.
        for (role, mv) in joint_move.iter().enumerate() {
            let role = RoleId(role as u32);
            self.rules
                .legal_moves(vocabulary, state, role, &mut legal)?;
            if !legal.contains(mv) {
                return Ok(None);
            }
        }
        let by_rules = self.rules.successor(vocabulary, state, joint_move)?;
        let by_axioms = self.axioms.successor(vocabulary, state, joint_move)?;
        Ok((by_rules != by_axioms).then(|| Difference {
            state: state.clone(),
            joint_move: joint_move.to_vec(),
            by_rules,
            by_axioms,
        }))
    }
}
