//! Random playouts: every role chooses uniformly among its legal moves until the game ends.

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::gdl::error::ReasonerError;
use crate::gdl::goal::{Goal, RoleId};
use crate::gdl::reasoner::Reasoner;
use crate::gdl::state::State;
use crate::gdl::vocabulary::{MoveId, Vocabulary};

/// What became of one playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A terminal state; the payoff of every role.
    Terminal(Vec<Goal>),
    /// The rules leave a role without a move in a state that is not terminal.
    NoLegalMove(RoleId),
    /// As many moves were made as were allowed.
    TooLong,
}

/// One playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Number of joint moves made.
    pub length: u64,
    /// The state it ended in.
    pub last: State,
    /// Why it ended there.
    pub ending: Ending,
}

/// The seed of the n-th part of something random.
pub fn seed_of(seed: u64, number: u64) -> u64 {
    // 2⁶⁴ divided by the golden ratio: numbers that follow each other become seeds that differ in many bits.
    seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Makes playouts of one game, each from its own seed, so that the n-th is always the same.
#[derive(Clone, Debug)]
pub struct Playouts {
    /// Number of roles.
    pub roles: u32,
    /// Seed of the whole series.
    pub seed: u64,
    /// Joint moves after which a playout is given up.
    pub max_length: u64,
    /// Where every playout starts.
    pub initial: State,
    /// States visited so far, in all playouts: for each, the terminal test, and either all legal
    /// moves and a successor, or the payoffs.
    pub states: u64,
    legal: Vec<MoveId>,
    joint_move: Vec<MoveId>,
}

impl Playouts {
    /// Starts a series at the initial state of the game.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn new<R: Reasoner>(
        reasoner: &mut R,
        vocabulary: &mut Vocabulary,
        roles: u32,
        seed: u64,
        max_length: u64,
    ) -> Result<Self, ReasonerError> {
        let initial = reasoner.initial_state(vocabulary)?;
        Ok(Self {
            roles,
            seed,
            max_length,
            initial,
            states: 0,
            legal: Vec::new(),
            joint_move: Vec::new(),
        })
    }

    /// Makes the n-th playout of the series.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn run<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        vocabulary: &mut Vocabulary,
        number: u64,
    ) -> Result<Playout, ReasonerError> {
        // A generator for each playout: the n-th is the same whatever came before it, in whichever thread.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.seed, number));
        let mut state = self.initial.clone();
        let mut length = 0;
        loop {
            if reasoner.is_terminal(vocabulary, &state)? {
                let goals =
                    (0..self.roles).map(|role| reasoner.goal(vocabulary, &state, RoleId(role)));
                let goals = goals.collect::<Result<Vec<Goal>, ReasonerError>>()?;
                self.states += 1;
                return Ok(Playout {
                    length,
                    last: state,
                    ending: Ending::Terminal(goals),
                });
            }
            // Behind the terminal test, so that a play of exactly so many moves still ends.
            if length == self.max_length {
                return Ok(Playout {
                    length,
                    last: state,
                    ending: Ending::TooLong,
                });
            }
            self.joint_move.clear();
            for role in (0..self.roles).map(RoleId) {
                reasoner.legal_moves(vocabulary, &state, role, &mut self.legal)?;
                let Some(mv) = vocabulary.choose(&self.legal, random.random()) else {
                    return Ok(Playout {
                        length,
                        last: state,
                        ending: Ending::NoLegalMove(role),
                    });
                };
                self.joint_move.push(mv);
            }
            state = reasoner.successor(vocabulary, &state, &self.joint_move)?;
            length += 1;
            self.states += 1;
        }
    }
}
