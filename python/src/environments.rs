//! Many games at once, as arrays: the part of `flux.environments` that is not written in Python.

use std::sync::{Mutex, PoisonError};

use flux::circuit::{Lockstep, LockstepView, Restart, StepError, Turns};
use flux::term::Prefix;
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::failure::{Class, exception};
use crate::game::Game;
use crate::interruption::short;
use crate::state::State;

/// Games in lanes. Arrays are given as buffers, which are written in place; those of no length are not written.
#[pyclass(frozen, module = "flux")]
pub(crate) struct Lanes {
    game: Py<Game>,
    games: Mutex<Lockstep>,
    /// The fluents, by column.
    #[pyo3(get)]
    fluents: Vec<String>,
    /// The moves, by number.
    #[pyo3(get)]
    actions: Vec<String>,
    /// Whether all roles give moves.
    #[pyo3(get)]
    simultaneous: bool,
}

/// The buffers that are written, in this order.
type Buffers<'py> = (
    PyReadwriteArrayDyn<'py, u8>,
    PyReadwriteArrayDyn<'py, u8>,
    PyReadwriteArrayDyn<'py, u8>,
    PyReadwriteArrayDyn<'py, i32>,
    PyReadwriteArrayDyn<'py, f32>,
    PyReadwriteArrayDyn<'py, u8>,
    PyReadwriteArrayDyn<'py, u8>,
);

/// What a goal value is worth as a reward: the highest one, 100, is 1.
const REWARD: f32 = 0.01;

#[pymethods]
impl Lanes {
    #[new]
    #[pyo3(signature = (game, games, turns, restart, max_length))]
    fn new(
        game: Bound<'_, Game>,
        games: usize,
        turns: &str,
        restart: &str,
        max_length: Option<u32>,
    ) -> PyResult<Self> {
        let py = game.py();
        let turns = match turns {
            "auto" => None,
            "alternating" => Some(Turns::One),
            "simultaneous" => Some(Turns::All),
            _ => {
                let message = "turns is one of auto, alternating, simultaneous";
                return Err(PyValueError::new_err(message));
            }
        };
        let restart = match restart {
            "same_step" => Restart::SameStep,
            "next_step" => Restart::NextStep,
            "disabled" => Restart::Never,
            _ => {
                let message = "autoreset is one of same_step, next_step, disabled";
                return Err(PyValueError::new_err(message));
            }
        };
        let shared = &game.get().shared;
        let (games, fluents, actions) = shared.work(py, None, |workbench| {
            let games = workbench.lockstep(games, turns, (restart, max_length))?;
            let store = workbench.parts().vocabulary.store();
            let text = |term| Prefix::new(store, term).to_string();
            let fluents = games.fluents().map(text).collect();
            let actions = games.moves().iter().map(|&mv| text(mv)).collect();
            Ok((games, fluents, actions))
        })?;
        Ok(Self {
            game: game.unbind(),
            fluents,
            actions,
            simultaneous: games.turns() == Turns::All,
            games: Mutex::new(games),
        })
    }

    /// Puts all games into the initial state, and starts the choices of `draw` anew if there is a seed.
    fn reset(&self, py: Python<'_>, seed: Option<u64>, buffers: Buffers<'_>) -> PyResult<()> {
        self.with(py, buffers, |games, seen| {
            games.reset();
            if let Some(seed) = seed {
                games.seed(seed);
            }
            games.show(seen);
            Ok(())
        })
    }

    /// Makes a move in each game.
    fn step(
        &self,
        py: Python<'_>,
        moves: PyReadonlyArray1<'_, i32>,
        buffers: Buffers<'_>,
    ) -> PyResult<()> {
        let moves = moves.as_slice()?;
        self.with(py, buffers, |games, seen| {
            games.step(moves, seen)?;
            for reward in &mut *seen.goals {
                *reward *= REWARD;
            }
            Ok(())
        })
    }

    /// Draws legal moves uniformly at random.
    fn draw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let moves = short(py, || {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            let each = if self.simultaneous { games.roles() } else { 1 };
            let mut moves = vec![0; games.games() * each];
            games.draw(&mut moves);
            moves
        })?;
        Ok(PyArray1::from_vec(py, moves))
    }

    /// The state of one of the games.
    fn state(&self, py: Python<'_>, index: usize) -> PyResult<State> {
        let state = self.game.get().shared.ask(py, |workbench| {
            let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(workbench.state_of(&games, index))
        })?;
        let state = state.ok_or_else(|| PyIndexError::new_err(format!("no game {index}")))?;
        Ok(State::new(self.game.clone_ref(py), state))
    }
}

impl Lanes {
    /// Works on the games with the slices behind buffers.
    fn with(
        &self,
        py: Python<'_>,
        buffers: Buffers<'_>,
        work: impl FnOnce(&mut Lockstep, &mut LockstepView<'_>) -> Result<(), StepError> + Send,
    ) -> PyResult<()> {
        let (mut fluents, mut last, mut legal, mut control, mut goals, mut over, mut cut) = buffers;
        let mut seen = LockstepView {
            fluents: fluents.as_slice_mut()?,
            last: last.as_slice_mut()?,
            legal: legal.as_slice_mut()?,
            control: control.as_slice_mut()?,
            goals: goals.as_slice_mut()?,
            over: over.as_slice_mut()?,
            cut: cut.as_slice_mut()?,
        };
        let done = short(py, || {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut games, &mut seen)
        })?;
        done.map_err(|error| exception(py, Class::Move, self.told(&error)))
    }

    /// An error in the words of the game.
    fn told(&self, error: &StepError) -> String {
        let roles = &self.game.get().shared.roles;
        match *error {
            StepError::Illegal { game, role, mv } => {
                let known = usize::try_from(mv).ok();
                let known = known.and_then(|mv| self.actions.get(mv));
                let mv = match known {
                    Some(text) => format!("action {mv}, {text},"),
                    None => format!("action {mv} of {}", self.actions.len()),
                };
                format!(
                    "{mv} is not legal for {} in environment {game}",
                    roles[role]
                )
            }
            StepError::Stuck { game, role } => format!(
                "{} has no legal move in environment {game}, and the game is not over",
                roles[role]
            ),
            StepError::Together { game } => format!(
                "several roles have a choice in environment {game}; make it with turns=\"simultaneous\""
            ),
            _ => error.to_string(),
        }
    }
}
