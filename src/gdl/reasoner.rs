//! The reasoner contract: what everything that plays games may ask.
//!
//! One trait stands between games and their users; search, playouts, traces and benchmarks are
//! generic over it. Its implementations agree on every reachable state of every game.

use crate::gdl::error::ReasonerError;
use crate::gdl::expansion::Expansions;
use crate::gdl::goal::{Goal, RoleId};
use crate::gdl::state::State;
use crate::gdl::vocabulary::{MoveId, Vocabulary};

/// States that are expanded at once where that saves nothing but waiting for memory when they are looked up.
const BATCH: usize = 32;

/// Answers questions about the states of one game.
///
/// All methods take the game's vocabulary, to which they add the fluents and moves they meet.
pub trait Reasoner {
    /// The state in which the game starts.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`], as with all methods.
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError>;

    /// Whether the game is over in a state.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError>;

    /// The payoff of a role in a state; rules define it in terminal states at least.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError>;

    /// Replaces `moves` by the legal moves of a role, each once, in an order that is fixed for the
    /// state as long as the reasoner lives.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError>;

    /// The state that a joint move, one move a role in the order of roles, leads to.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError>;

    /// How many states should be expanded at once.
    fn batch(&self) -> usize {
        BATCH
    }

    /// Replaces `expansions` by what comes after each of some states, over all joint moves: their number is the
    /// product of the numbers of legal moves. Where all joint moves of all states would take too much room, it is
    /// said only of the first states, one at least; [`Expansions::len`] says of how many.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`]. `expansions` then holds what comes after the first of them, as far as it is known.
    fn expand(
        &mut self,
        vocabulary: &mut Vocabulary,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<(), ReasonerError> {
        one_by_one(self, vocabulary, states, expansions)
    }
}

/// Expands states by asking a reasoner about each alone.
///
/// # Errors
/// As [`Reasoner::expand`].
pub(crate) fn one_by_one<R: Reasoner + ?Sized>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    states: &[State],
    expansions: &mut Expansions,
) -> Result<(), ReasonerError> {
    expansions.clear();
    let mut legal = vec![Vec::new(); expansions.roles()];
    for (place, state) in states.iter().enumerate() {
        match expand_one(reasoner, vocabulary, state, &mut legal, expansions) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                // What was found before the error is complete and stays.
                expansions.truncate(place);
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Expands one more state if there is room; `legal` is room for the moves of each role.
fn expand_one<R: Reasoner + ?Sized>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    state: &State,
    legal: &mut [Vec<MoveId>],
    expansions: &mut Expansions,
) -> Result<bool, ReasonerError> {
    let place = expansions.len();
    let roles = (0..expansions.roles() as u32).map(RoleId);
    if reasoner.is_terminal(vocabulary, state)? {
        let goals = roles.map(|role| reasoner.goal(vocabulary, state, role));
        let goals: Vec<Goal> = goals.collect::<Result<_, _>>()?;
        expansions.end(goals);
        return Ok(true);
    }
    for (role, moves) in roles.zip(legal.iter_mut()) {
        reasoner.legal_moves(vocabulary, state, role, moves)?;
    }
    let has_room = expansions.go_on(legal)?;
    for (_, joint_move, next) in expansions.steps_mut(place) {
        *next = reasoner.successor(vocabulary, state, joint_move)?;
    }
    Ok(has_room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::StopReason;

    /// A game of one move in which nothing is known of what comes after one of the states.
    struct Blind(State);

    impl Reasoner for Blind {
        fn initial_state(&mut self, _: &mut Vocabulary) -> Result<State, ReasonerError> {
            Ok(State::default())
        }

        fn is_terminal(&mut self, _: &mut Vocabulary, _: &State) -> Result<bool, ReasonerError> {
            Ok(false)
        }

        fn goal(
            &mut self,
            _: &mut Vocabulary,
            _: &State,
            _: RoleId,
        ) -> Result<Goal, ReasonerError> {
            Ok(Goal::Absent)
        }

        fn legal_moves(
            &mut self,
            _: &mut Vocabulary,
            _: &State,
            _: RoleId,
            legal: &mut Vec<MoveId>,
        ) -> Result<(), ReasonerError> {
            *legal = vec![MoveId::from_index(0)];
            Ok(())
        }

        fn successor(
            &mut self,
            _: &mut Vocabulary,
            state: &State,
            _: &[MoveId],
        ) -> Result<State, ReasonerError> {
            if *state == self.0 {
                Err(ReasonerError::Stopped(StopReason::Interrupted))
            } else {
                Ok(state.clone())
            }
        }
    }

    #[test]
    fn what_is_known_before_something_goes_wrong_is_kept() {
        let states: Vec<State> = (1..5).map(|word| State::of_words(vec![word])).collect();
        let mut reasoner = Blind(states[2].clone());
        let mut expansions = Expansions::new(1);
        let expanded = reasoner.expand(&mut Vocabulary::default(), &states, &mut expansions);
        assert!(expanded.is_err());
        assert_eq!(expansions.iter().count(), 2);
        assert_eq!(expansions.successors(), &states[..2]);
    }
}
