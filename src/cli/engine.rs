//! The engines among which users choose, behind one reasoner.

use std::sync::Arc;

use clap::ValueEnum;

use crate::circuit::{Circuit, Evaluator, ground};
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::fluent::{GameAxioms, progression};
use crate::gdl::{
    Expansions, Game, Goal, Incremental, MoveId, Reasoner, ReasonerError, RoleId, State, Tabled,
    Vocabulary,
};
use crate::limits::Limits;

/// Which implementation of the reasoner answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// The circuit, for games that are grounded within moments
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
    pub(super) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Tabled => "tabled",
            Engine::Fluent => "fluent",
            Engine::Circuit => "circuit",
        }
    }
}

/// A game that is ready to be played.
#[derive(Clone, Debug)]
pub(super) enum Player {
    Tabled(Box<Tabled>),
    Fluent(Box<Incremental>),
    Circuit(Box<Evaluator>),
}

impl Player {
    /// Prepares an engine; for [`Engine::Auto`], the axioms if they are known, or else the rules where there
    /// is no circuit.
    pub(super) fn new(
        engine: Engine,
        game: &Game,
        vocabulary: &mut Vocabulary,
        axioms: Option<&GameAxioms>,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let evaluator = |circuit, vocabulary: &mut Vocabulary| {
            Self::Circuit(Box::new(Evaluator::new(
                circuit,
                vocabulary,
                limits.stop.clone(),
            )))
        };
        match (engine, axioms) {
            (Engine::Circuit, _) => {
                let circuit = load::circuit(game, vocabulary, limits, ground::MAX_RULES)?;
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
                let reasoner = load::progression(game, vocabulary, limits)?;
                Ok(Self::Fluent(Box::new(reasoner)))
            }
        }
    }

    /// The engine that plays.
    pub(super) fn engine(&self) -> Engine {
        match self {
            Player::Tabled(_) => Engine::Tabled,
            Player::Fluent(_) => Engine::Fluent,
            Player::Circuit(_) => Engine::Circuit,
        }
    }

    /// The circuit, if it plays.
    pub(super) fn circuit(&self) -> Option<Arc<Circuit>> {
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

/// The circuit of a game that is grounded within moments.
pub(super) fn small_circuit(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Option<Arc<Circuit>>, Failure> {
    match load::circuit(game, vocabulary, limits, ground::MOMENTS) {
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
