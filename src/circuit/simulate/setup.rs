//! What is the same for all games in lockstep, what is seen of them, and what keeps them from a step.

use thiserror::Error;

use crate::circuit::assemble::Payoff;
use crate::circuit::code::{Choice, Code, Slot, Wire};
use crate::circuit::simulate::lanes::Lanes;

/// Words of a value.
pub(super) const WORDS: usize = 8;

/// Games of a block.
pub(super) const GAMES: usize = 64 * WORDS;

/// A truth value in all games of a block.
pub(super) type Row = Lanes<WORDS>;

/// What becomes of a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The next one starts in the step that ends it, and its first state is shown.
    SameStep,
    /// The last state is shown, and the next step starts the next game, whatever move is given.
    NextStep,
    /// It stays as it is, whatever moves are given.
    Never,
}

/// Who gives moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// One move a game, of the role that has a choice; the others make the only move that they have.
    One,
    /// One move a game and role.
    All,
}

/// Why a step cannot be made. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A number of moves that is not that of the games, or of games and roles.
    #[error("{given} moves are given, and {expected} are needed")]
    Count {
        /// Moves given.
        given: usize,
        /// Moves needed.
        expected: usize,
    },
    /// A move is not legal.
    #[error("in game {game} the move {mv} is not legal for role {role}")]
    Illegal {
        /// The number of the game.
        game: usize,
        /// The place of the role.
        role: usize,
        /// The number of the move.
        mv: i32,
    },
    /// A role has no move, and the game is not over.
    #[error("in game {game} role {role} has no legal move, and the game is not over")]
    Stuck {
        /// The number of the game.
        game: usize,
        /// The place of the role.
        role: usize,
    },
    /// Several roles have a choice where one move is given.
    #[error("in game {game} several roles have a choice")]
    Together {
        /// The number of the game.
        game: usize,
    },
}

/// What is seen of all games, game by game. Slices of no length are not written.
#[derive(Debug, Default)]
pub struct LockstepView<'s> {
    /// By game and fluent, one where it holds.
    pub fluents: &'s mut [u8],
    /// The same of the state before a restart.
    pub last: &'s mut [u8],
    /// By game and move, one where it is legal for the role in control; where all give moves, by game, role and move.
    /// No move is legal in games that are over.
    pub legal: &'s mut [u8],
    /// By game, the role that has a choice; where none has one, the one that does something else than waiting.
    pub control: &'s mut [i32],
    /// By game and role, the goal value if the game ended in this step, else 0; not a number where the rules give no
    /// value or several.
    pub goals: &'s mut [f32],
    /// By game, whether it ended in this step, or, if games do not restart, is over.
    pub over: &'s mut [u8],
    /// By game, whether it was given up in this step because of its length.
    pub cut: &'s mut [u8],
}

/// What is the same for all games.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) code: Code,
    pub(super) payoffs: Vec<Vec<Payoff>>,
    /// By slot that is written before payoffs and next state, its value in the initial state: all ones or none.
    pub(super) initial: Vec<u64>,
    /// By role and number of a move, where it is legal and made; [`never`] for moves of others.
    pub(super) choices: Vec<Vec<Choice>>,
    /// By role and place of a move, whether the role has only it in some state in which another has a choice.
    pub(super) waits: Vec<Vec<bool>>,
    pub(super) turns: Turns,
    pub(super) restart: Restart,
    pub(super) max_length: Option<u32>,
}

impl Setup {
    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        self.choices.first().map_or(0, Vec::len)
    }

    /// The number of roles.
    pub(super) fn roles(&self) -> usize {
        self.choices.len()
    }

    /// Numbers of moves that are given for each game.
    pub(super) fn given(&self) -> usize {
        match self.turns {
            Turns::One => 1,
            Turns::All => self.roles(),
        }
    }
}

impl StepError {
    /// The same in a block that starts with this game.
    pub(super) fn later(self, start: usize) -> Self {
        match self {
            StepError::Illegal { game, role, mv } => StepError::Illegal {
                game: game + start,
                role,
                mv,
            },
            StepError::Stuck { game, role } => StepError::Stuck {
                game: game + start,
                role,
            },
            StepError::Together { game } => StepError::Together { game: game + start },
            StepError::Count { .. } => self,
        }
    }
}

impl LockstepView<'_> {
    /// What is seen of a block that starts with this game.
    pub(super) fn part(&mut self, start: usize, setup: &Setup, games: usize) -> LockstepView<'_> {
        let end = games.min(start + GAMES);
        let of = |width: usize| start * width..end * width;
        let fluents = setup.code.registers.len();
        let legal = setup.moves() * setup.given();
        LockstepView {
            fluents: self.fluents.get_mut(of(fluents)).unwrap_or_default(),
            last: self.last.get_mut(of(fluents)).unwrap_or_default(),
            legal: self.legal.get_mut(of(legal)).unwrap_or_default(),
            control: self.control.get_mut(of(1)).unwrap_or_default(),
            goals: self.goals.get_mut(of(setup.roles())).unwrap_or_default(),
            over: self.over.get_mut(of(1)).unwrap_or_default(),
            cut: self.cut.get_mut(of(1)).unwrap_or_default(),
        }
    }
}

/// A move that a role does not have: its legality is never true.
pub(super) fn never() -> Choice {
    Choice {
        mv: 0,
        legal: Wire::default(),
        made: Slot::FALSE,
    }
}
