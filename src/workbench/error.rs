//! What keeps a game from being read, played, translated or solved.

use thiserror::Error;

use crate::analysis::TooFine;
use crate::circuit::PlanningError;
use crate::circuit::ground::GroundError;
use crate::decomposition::Undecomposed;
use crate::fluent::{TheoryError, TranslationError};
use crate::gdl::{GameError, ReasonerError, TooManyCases, Uncertainty};
use crate::limits::StopReason;
use crate::prove::PropertyError;

/// Why the workbench gives no result.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorkbenchError {
    /// The rule sheet has errors; [`crate::workbench::diagnose`] lists them all.
    #[error("the rules are not playable: {first}")]
    Unplayable {
        /// The message of the first error.
        first: String,
    },
    /// The rules cannot be evaluated.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A question about a state has no answer.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
    /// The rules cannot be grounded within the limits.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The rules cannot be translated.
    #[error(transparent)]
    Translation(#[from] TranslationError),
    /// The analysis has too many nodes at the level that was asked for.
    #[error(transparent)]
    TooFine(#[from] TooFine),
    /// A rule has too many cases for an answer set program.
    #[error(transparent)]
    Cases(#[from] TooManyCases),
    /// The game is no planning task, or too large for one.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// The game is too large to be decomposed, or a limit was reached.
    #[error(transparent)]
    Undecomposed(#[from] Undecomposed),
    /// A text is no property of the game.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A rule has too many arguments or variables for questions about it.
    #[error("{place}: this rule has too many arguments or variables to be asked about")]
    TooComplex {
        /// Where the rule stands, as `name:line`.
        place: String,
    },
    /// A text is no ground term of the language.
    #[error("{text:?} is not a move")]
    NotAMove {
        /// The text.
        text: String,
    },
    /// A text is no condition of the language.
    #[error("{text:?} is not a condition")]
    NotACondition {
        /// The text.
        text: String,
    },
    /// No role has this name.
    #[error("there is no role {name:?}")]
    NoRole {
        /// The name that was asked for.
        name: String,
    },
    /// The move is not legal for its role in this state.
    #[error("{mv} is not legal for {role}")]
    Illegal {
        /// The move, as prefix GDL.
        mv: String,
        /// The role.
        role: String,
    },
    /// A joint move has one move for each role.
    #[error("{given} moves for {roles} roles")]
    MoveCount {
        /// Moves given.
        given: usize,
        /// Roles of the game.
        roles: usize,
    },
    /// So many playouts are not kept one by one.
    #[error("{given} playouts are too many to be told one by one, of which there may be {limit}")]
    TooMany {
        /// Playouts asked for.
        given: u64,
        /// The most.
        limit: u64,
    },
    /// So many games at once do not fit into memory.
    #[error("{given} games at once take too much memory, {limit} do not")]
    TooManyGames {
        /// Games asked for.
        given: usize,
        /// The most.
        limit: usize,
    },
    /// Values are not for games of chance or hidden information.
    #[error("{}", .0.refusal("solving"))]
    Uncertain(Uncertainty),
    /// Plans are for games of one role.
    #[error("a plan is for one role, and this game has {roles}")]
    SeveralRoles {
        /// Roles of the game.
        roles: usize,
    },
}

/// Kinds of reasons for which there is no result: what exit codes, exceptions and codes of messages are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The rule sheet has errors.
    Unplayable,
    /// The rules have no errors, and yet cannot be evaluated.
    Rules,
    /// A text is no move, condition, role or property of the game.
    Text,
    /// A joint move is not legal, or not whole.
    Move,
    /// The game is not of the sort that the question is for.
    Unsuitable,
    /// A limit was reached: with more of it, there might be a result.
    Limit,
}

impl WorkbenchError {
    /// What kind of reason it is.
    pub fn kind(&self) -> ErrorKind {
        // The same stop comes wrapped by whichever layer was at work; the kind is that of the stop.
        if let Some(error) = self.evaluation() {
            return match error {
                ReasonerError::Stopped(_) => ErrorKind::Limit,
                ReasonerError::NegativeLoop { .. } | ReasonerError::CodeTooLarge { .. } => {
                    ErrorKind::Rules
                }
            };
        }
        match self {
            WorkbenchError::Unplayable { .. } => ErrorKind::Unplayable,
            WorkbenchError::Ground(GroundError::Rules(_))
            | WorkbenchError::Game(_)
            | WorkbenchError::Reasoner(_)
            | WorkbenchError::Translation(_)
            | WorkbenchError::TooComplex { .. } => ErrorKind::Rules,
            WorkbenchError::NotAMove { .. }
            | WorkbenchError::NotACondition { .. }
            | WorkbenchError::NoRole { .. }
            | WorkbenchError::Property(_) => ErrorKind::Text,
            WorkbenchError::Illegal { .. } | WorkbenchError::MoveCount { .. } => ErrorKind::Move,
            WorkbenchError::Planning(
                PlanningError::TooLarge { .. } | PlanningError::Stopped(_),
            )
            | WorkbenchError::Ground(_)
            | WorkbenchError::Undecomposed(_)
            | WorkbenchError::TooFine(_)
            | WorkbenchError::Cases(_)
            | WorkbenchError::TooMany { .. }
            | WorkbenchError::TooManyGames { .. } => ErrorKind::Limit,
            WorkbenchError::Uncertain(_)
            | WorkbenchError::SeveralRoles { .. }
            | WorkbenchError::Planning(_) => ErrorKind::Unsuitable,
        }
    }

    /// Whether a limit was reached: with more of it, there might be a result.
    pub fn is_limit(&self) -> bool {
        self.kind() == ErrorKind::Limit
    }

    /// What stopped an evaluation, if that is the reason.
    pub fn stopped(&self) -> Option<StopReason> {
        match (self, self.evaluation()) {
            (_, Some(ReasonerError::Stopped(reason))) => Some(*reason),
            (WorkbenchError::Planning(PlanningError::Stopped(reason)), _) => Some(*reason),
            _ => None,
        }
    }

    /// The evaluation that failed, whatever it was for.
    fn evaluation(&self) -> Option<&ReasonerError> {
        match self {
            WorkbenchError::Reasoner(error)
            | WorkbenchError::Game(GameError::Evaluation(error))
            | WorkbenchError::Ground(GroundError::Evaluation(error))
            | WorkbenchError::Translation(
                TranslationError::Reasoner(error)
                | TranslationError::Game(GameError::Evaluation(error))
                | TranslationError::Theory(TheoryError::Evaluation(error)),
            ) => Some(error),
            WorkbenchError::Unplayable { .. }
            | WorkbenchError::Game(GameError::Rules(_))
            | WorkbenchError::Ground(_)
            | WorkbenchError::Translation(TranslationError::Game(GameError::Rules(_)))
            | WorkbenchError::TooFine(_)
            | WorkbenchError::Cases(_)
            | WorkbenchError::Planning(_)
            | WorkbenchError::Undecomposed(_)
            | WorkbenchError::Property(_)
            | WorkbenchError::TooComplex { .. }
            | WorkbenchError::NotAMove { .. }
            | WorkbenchError::NotACondition { .. }
            | WorkbenchError::NoRole { .. }
            | WorkbenchError::Illegal { .. }
            | WorkbenchError::MoveCount { .. }
            | WorkbenchError::TooMany { .. }
            | WorkbenchError::TooManyGames { .. }
            | WorkbenchError::Uncertain(_)
            | WorkbenchError::SeveralRoles { .. } => None,
        }
    }
}
