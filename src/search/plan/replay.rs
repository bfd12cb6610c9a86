//! Whether a plan leads to the end that is claimed of it: it is played by the rules, move by move.

use crate::gdl::{GoalValue, MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary};

/// What came of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The game is over after the last move, with this value.
    Ends(GoalValue),
    /// The game is over before this move, by place in the plan, or the move is not legal.
    Breaks(usize),
    /// The game is not over after the last move, or has no value.
    Open,
}

/// Plays a plan of a single-player game from a state.
///
/// # Errors
/// [`ReasonerError`] if the rules cannot be evaluated.
pub fn replay<R: Reasoner>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    start: &State,
    plan: &[MoveId],
) -> Result<Replay, ReasonerError> {
    let player = RoleId(0);
    let mut state = start.clone();
    let mut moves = Vec::new();
    for (place, &mv) in plan.iter().enumerate() {
        reasoner.legal_moves(vocabulary, &state, player, &mut moves)?;
        if !moves.contains(&mv) || reasoner.is_terminal(vocabulary, &state)? {
            return Ok(Replay::Breaks(place));
        }
        state = reasoner.successor(vocabulary, &state, &[mv])?;
    }
    if !reasoner.is_terminal(vocabulary, &state)? {
        return Ok(Replay::Open);
    }
    let value = reasoner.goal(vocabulary, &state, player)?.value();
    Ok(value.map_or(Replay::Open, Replay::Ends))
}
