//! The three implementations of the reasoner behind one type, chosen at run time.

use std::sync::Arc;

use crate::circuit::{Circuit, Evaluator, ground};
use crate::fluent::{GameAxioms, progression, translate};
use crate::gdl::{
    Expansions, Game, GameError, Goal, Incremental, MoveId, Reasoner, ReasonerError, RoleId, State,
    Tabled, Vocabulary,
};
use crate::limits::Limits;
use crate::workbench::error::WorkbenchError;

/// Which implementation of the reasoner answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Engine {
    /// The circuit, for games that are grounded within moments
    #[default]
    Auto,
    /// Tabled resolution of the rules
    Tabled,
    /// The state, less the negative and with the positive effects of the moves
    Fluent,
    /// The propositional circuit: no variables left
    Circuit,
}

impl Engine {
    /// The name that selects it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Tabled => "tabled",
            Engine::Fluent => "fluent",
            Engine::Circuit => "circuit",
        }
    }
}

/// A reasoner of any kind.
#[derive(Clone, Debug)]
pub enum Player {
    /// Evaluates the rules by tabled resolution.
    Tabled(Box<Tabled>),
    /// Progresses states by the effects of moves.
    Fluent(Box<Incremental>),
    /// Evaluates the propositional circuit.
    Circuit(Box<Evaluator>),
}

impl Player {
    /// Prepares an engine; for [`Engine::Auto`], the axioms if they are known, or else the rules where there
    /// is no circuit.
    ///
    /// # Errors
    /// [`WorkbenchError`] if the rules cannot be evaluated, translated or grounded, or a limit was reached.
    pub fn new(
        engine: Engine,
        game: &Game,
        vocabulary: &mut Vocabulary,
        axioms: Option<&GameAxioms>,
        limits: &Limits,
    ) -> Result<Self, WorkbenchError> {
        let evaluator = |circuit, vocabulary: &mut Vocabulary| {
            Self::Circuit(Box::new(Evaluator::new(
                circuit,
                vocabulary,
                limits.stop.clone(),
            )))
        };
        match (engine, axioms) {
            (Engine::Circuit, _) => {
                let circuit = circuit(game, vocabulary, limits, ground::MAX_RULES)?;
                Ok(evaluator(circuit, vocabulary))
            }
            (Engine::Auto, _) => match small_circuit(game, vocabulary, limits)? {
                Some(circuit) => Ok(evaluator(circuit, vocabulary)),
                None if axioms.is_some() => {
                    Self::new(Engine::Fluent, game, vocabulary, axioms, limits)
                }
                None => Self::new(Engine::Tabled, game, vocabulary, None, limits),
            },
            (Engine::Tabled, _) => {
                let reasoner = game.tabled(vocabulary, limits.clone())?;
                Ok(Self::Tabled(Box::new(reasoner)))
            }
            (Engine::Fluent, Some(axioms)) => {
                let reasoner = progression(game, axioms, vocabulary, limits)?;
                Ok(Self::Fluent(Box::new(reasoner)))
            }
            (Engine::Fluent, None) => {
                let reasoner = progression(
                    game,
                    &translate(game, vocabulary, limits)?,
                    vocabulary,
                    limits,
                )?;
                Ok(Self::Fluent(Box::new(reasoner)))
            }
        }
    }

    /// The engine that plays.
    pub fn engine(&self) -> Engine {
        match self {
            Player::Tabled(_) => Engine::Tabled,
            Player::Fluent(_) => Engine::Fluent,
            Player::Circuit(_) => Engine::Circuit,
        }
    }

    /// The circuit, if it plays.
    pub fn circuit(&self) -> Option<Arc<Circuit>> {
        match self {
            Player::Circuit(evaluator) => Some(evaluator.circuit()),
            Player::Tabled(_) | Player::Fluent(_) => None,
        }
    }

    fn reasoner(&mut self) -> &mut dyn Reasoner {
        match self {
            Player::Tabled(reasoner) => reasoner.as_mut(),
            Player::Fluent(reasoner) => reasoner.as_mut(),
            Player::Circuit(reasoner) => reasoner.as_mut(),
        }
    }
}

/// A circuit of a game whose rules have at most so many instances.
///
/// # Errors
/// [`WorkbenchError`] if there are more, or a limit was reached.
pub fn circuit(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
    max_rules: usize,
) -> Result<Arc<Circuit>, WorkbenchError> {
    let store = vocabulary.store_mut();
    let program = ground::ground(game, store, limits, max_rules)?;
    let circuit = Circuit::new(store, &program, game.roles().len()).map_err(GameError::from)?;
    Ok(Arc::new(circuit))
}

/// The circuit of a game that is grounded within moments, if it is.
///
/// # Errors
/// [`WorkbenchError`] if a limit was reached.
pub fn small_circuit(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Option<Arc<Circuit>>, WorkbenchError> {
    match circuit(game, vocabulary, limits, ground::MOMENTS) {
        Ok(circuit) => Ok(Some(circuit)),
        // What keeps a game from being grounded does not keep it from being played, but for a stop.
        Err(failure) => match limits.stop.raised() {
            Some(_) => Err(failure),
            None => Ok(None),
        },
    }
}

impl Reasoner for Player {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        self.reasoner().initial_state(vocabulary)
    }

    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError> {
        self.reasoner().is_terminal(vocabulary, state)
    }

    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.reasoner().goal(vocabulary, state, role)
    }

    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.reasoner().legal_moves(vocabulary, state, role, moves)
    }

    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.reasoner().successor(vocabulary, state, joint_move)
    }

    fn batch(&self) -> usize {
        // Not by `reasoner`, which takes the value mutably.
        match self {
            Player::Tabled(reasoner) => reasoner.batch(),
            Player::Fluent(reasoner) => reasoner.batch(),
            Player::Circuit(reasoner) => reasoner.batch(),
        }
    }

    fn expand(
        &mut self,
        vocabulary: &mut Vocabulary,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<(), ReasonerError> {
        self.reasoner().expand(vocabulary, states, expansions)
    }
}
