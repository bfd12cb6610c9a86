//! The reasoner contract: what everything that plays games may ask.
//!
//! One trait stands between games and their users; search, playouts, traces and benchmarks are
//! generic over it. Its implementations agree on every reachable state of every game.

use crate::gdl::error::ReasonerError;
use crate::gdl::expansion::{Expansions, one_by_one};
use crate::gdl::state::State;
use crate::gdl::vocabulary::{MoveId, Vocabulary};
use crate::term::{Store, Term, TermId};

/// States that are expanded at once where that saves nothing but waiting for memory when they are looked up.
const BATCH: usize = 32;

/// A player, by position in [`crate::gdl::Game::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u32);

/// A payoff, 0..=100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalValue(pub u8);

impl GoalValue {
    /// No payoff is higher.
    pub const MOST: u8 = 100;

    /// The payoff of so many points.
    pub fn new(points: i64) -> Option<Self> {
        let points = u8::try_from(points).ok();
        points.filter(|points| *points <= Self::MOST).map(Self)
    }

    /// The payoff that a term stands for.
    pub fn of(store: &Store, term: TermId) -> Option<Self> {
        match store.view(term) {
            Term::Integer(points) => Self::new(points),
            Term::Variable(_)
            | Term::Atom(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => None,
        }
    }
}

/// What the rules say about a role's payoff in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One value.
    Value(GoalValue),
    /// None: the rules are silent.
    Absent,
    /// Several, which contradict each other; in order of discovery.
    Contradictory(Vec<TermId>),
    /// A term that is no whole number in 0..=100.
    NotAValue(TermId),
}

impl Goal {
    /// The value, if there is exactly one.
    pub fn value(&self) -> Option<GoalValue> {
        match self {
            Goal::Value(value) => Some(*value),
            Goal::Absent | Goal::Contradictory(_) | Goal::NotAValue(_) => None,
        }
    }
}

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
