//! A game and what can be asked of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flux::analysis::View;
use flux::drawing::Detail;
use flux::gdl::Outcomes;
use flux::limits::{Limits, StopFlag};
use flux::search::plan;
use flux::search::versus;
use flux::syntax::Source;
use flux::workbench::{Engine, Form, Workbench, WorkbenchError, diagnose_source};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyList};

use crate::failure::{Class, diagnostic, exception, failure, unplayable};
use crate::interruption::{long, short};
use crate::state::State;

/// Nodes of a picture that can still be read.
const MOST_NODES: usize = 80;

/// Joint moves that a play of an answer set program may have.
const HORIZON: u32 = 20;

/// What games, their states and their environments share.
pub(crate) struct Shared {
    workbench: Mutex<Workbench>,
    stop: StopFlag,
    pub(crate) name: String,
    pub(crate) roles: Vec<String>,
}

impl Shared {
    /// The name of the game: that of its file.
    pub(crate) fn title(&self) -> String {
        let path = std::path::Path::new(&self.name);
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        stem.to_string_lossy().into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, Workbench> {
        let guard = self.workbench.lock();
        let guard = guard.unwrap_or_else(PoisonError::into_inner);
        // What stopped the work before this one is no reason to stop it.
        self.stop.clear();
        guard
    }

    /// Asks something that is answered at once.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Workbench) -> Result<T, WorkbenchError> + Send,
    ) -> PyResult<T> {
        short(py, || question(&mut self.lock()))?.map_err(|error| failure(py, &error))
    }

    /// Asks something that takes long.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        question: impl FnOnce(&mut Workbench) -> Result<T, WorkbenchError> + Send,
    ) -> PyResult<T> {
        long(py, &self.stop, seconds, || question(&mut self.lock()))?
            .map_err(|error| failure(py, &error))
    }
}

/// A game: its rules, and what can be asked of them.
#[pyclass(frozen, module = "flux")]
pub(crate) struct Game {
    pub(crate) shared: Arc<Shared>,
}

/// Reads the rules of a game from a file.
#[pyfunction]
#[pyo3(signature = (path, *, engine = "auto", seconds = None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    engine: &str,
    seconds: Option<f64>,
) -> PyResult<Game> {
    let name = path.display().to_string();
    let bytes = py
        .detach(|| std::fs::read(&path))
        .map_err(|error| PyOSError::new_err((error.raw_os_error(), error.to_string(), path)))?;
    let source = Source::from_bytes(name, bytes)
        .map_err(|error| exception(py, Class::Rules, error.to_string()))?;
    read(py, source, engine, seconds)
}

/// Reads the rules of a game from a text.
#[pyfunction]
#[pyo3(signature = (text, *, name = "game", engine = "auto", seconds = None))]
pub(crate) fn loads(
    py: Python<'_>,
    text: &str,
    name: &str,
    engine: &str,
    seconds: Option<f64>,
) -> PyResult<Game> {
    read(py, Source::new(name, text), engine, seconds)
}

/// Everything that is wrong with a text as the rules of a game.
#[pyfunction]
#[pyo3(signature = (text, *, name = "game"))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let source = Source::new(name, text);
    let faults = short(py, || diagnose_source(&source))?;
    faults
        .iter()
        .map(|fault| diagnostic(py, &source, fault))
        .collect()
}

fn read(py: Python<'_>, source: Source, engine: &str, seconds: Option<f64>) -> PyResult<Game> {
    let engine = engine_of(engine)?;
    let stop = StopFlag::default();
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::default()
    };
    let name = source.name().to_owned();
    let read = long(py, &stop, seconds, || {
        Workbench::with(source.clone(), engine, limits)
    })?;
    let workbench = read.map_err(|error| match error {
        WorkbenchError::Unplayable { .. } => unplayable(py, &source, &diagnose_source(&source)),
        error => failure(py, &error),
    })?;
    Ok(Game {
        shared: Arc::new(Shared {
            roles: workbench.roles(),
            workbench: Mutex::new(workbench),
            stop,
            name,
        }),
    })
}

fn engine_of(name: &str) -> PyResult<Engine> {
    let engines = [
        Engine::Auto,
        Engine::Tabled,
        Engine::Fluent,
        Engine::Circuit,
    ];
    let found = engines.into_iter().find(|engine| engine.name() == name);
    found.ok_or_else(|| {
        let names = engines.map(Engine::name).join(", ");
        PyValueError::new_err(format!("engine is one of {names}, not {name:?}"))
    })
}

#[pymethods]
impl Game {
    /// The name of the game: that of its file.
    #[getter]
    fn name(&self) -> String {
        self.shared.title()
    }

    /// The names of the roles, in the order of the rules.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.shared.roles.clone()
    }

    /// The engine that plays: "circuit", "tabled" or "fluent".
    #[getter]
    fn engine(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.shared
            .ask(py, |game| Ok(game.parts().player.engine().name()))
    }

    /// The fluents that some state may have.
    #[getter]
    fn fluents(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.shared.work(py, None, Workbench::all_fluents)
    }

    /// The moves that each role may have in some state.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let moves = self.shared.work(py, None, |game| {
            let roles = self.shared.roles.iter();
            roles.map(|role| game.all_moves(role)).collect()
        })?;
        let moves: Vec<Vec<String>> = moves;
        let moves_of = PyDict::new(py);
        for (role, moves) in self.shared.roles.iter().zip(moves) {
            moves_of.set_item(role, moves)?;
        }
        Ok(moves_of)
    }

    /// The state in which the game starts.
    #[getter]
    fn initial(slf: &Bound<'_, Self>) -> PyResult<State> {
        let py = slf.py();
        let state = slf.get().shared.work(py, None, Workbench::initial_state)?;
        Ok(State::new(slf.clone().unbind(), state))
    }

    /// The warnings about the rules.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (source, warnings) = self.shared.ask(py, |game| {
            let source = game.parts().game.source().clone();
            Ok((source, game.warnings().to_vec()))
        })?;
        warnings
            .iter()
            .map(|warning| diagnostic(py, &source, warning))
            .collect()
    }

    /// Random playouts, each with its length, whether it finished, and what the roles got.
    #[pyo3(signature = (n, seed = 0, *, seconds = None))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        n: u64,
        seed: u64,
        seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let outcomes = self
            .shared
            .work(py, seconds, |game| game.outcomes(n, seed))?;
        arrays(py, &self.shared.roles, outcomes)
    }

    /// What the game is made of: the report of `flux analyze --format json`.
    #[pyo3(signature = (*, seconds = None))]
    fn analyze<'py>(&self, py: Python<'py>, seconds: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.shared.work(py, seconds, Workbench::analysis_json)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The game in another form.
    #[pyo3(signature = (to = "text", *, horizon = HORIZON, seconds = None))]
    fn translate(
        &self,
        py: Python<'_>,
        to: &str,
        horizon: u32,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let title = self.name();
        if to == "asp" {
            let program = |game: &mut Workbench| game.answer_set_program(&title, horizon);
            return self.shared.work(py, seconds, program);
        }
        let form = Form::ALL.into_iter().find(|(name, _)| *name == to);
        let Some((_, form)) = form else {
            let names = Form::ALL.map(|(name, _)| name).join(", ");
            let message = format!("to is one of {names}, asp, not {to:?}");
            return Err(PyValueError::new_err(message));
        };
        self.shared
            .work(py, seconds, |game| game.written(form, &title))
    }

    /// The game in PDDL, as `flux.results.PlanningTask`.
    #[pyo3(signature = (*, seconds = None))]
    fn planning_task<'py>(
        &self,
        py: Python<'py>,
        seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let title = self.name();
        let task = self
            .shared
            .work(py, seconds, |game| game.planning_task(&title))?;
        let problems = PyDict::new(py);
        for value in task.values() {
            problems.set_item(value.0, task.problem(value))?;
        }
        let domain = task.domain();
        let moves = PyCFunction::new_closure(py, None, None, move |arguments, _| {
            let plan: String = arguments.get_item(0)?.extract()?;
            let moves = task.moves(&plan);
            let moves = moves.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
            PyResult::Ok(moves.into_iter().map(str::to_owned).collect::<Vec<_>>())
        })?;
        let task = py.import("flux.results")?.getattr("PlanningTask")?;
        task.call1((domain, problems, moves))
    }

    /// The best plan of a game of one role, or what each of several roles can force.
    #[pyo3(signature = (*, seconds = None))]
    fn solve<'py>(&self, py: Python<'py>, seconds: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        if self.shared.roles.len() == 1 {
            let (outcome, moves) = self.shared.work(py, seconds, |game| {
                let outcome = game.solve()?;
                let moves = outcome.plan.as_ref().map(|plan| game.plan_text(plan));
                Ok((outcome, moves))
            })?;
            return plan_of(py, &outcome, moves);
        }
        let (outcome, line) = self.shared.work(py, seconds, |game| {
            let start = game.initial_state()?;
            let outcome = game.values(start)?;
            let joint = outcome.line.iter().flatten();
            let line: Vec<Vec<String>> = joint.map(|joint| game.plan_text(joint)).collect();
            Ok((outcome, line))
        })?;
        values_of(py, &self.shared.roles, &outcome, line)
    }

    /// Whether a property holds of the game: `terminates`, `playable:white`, or a formula.
    #[pyo3(signature = (property, *, seconds = None))]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        property: &str,
        seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (verdict, bound, witness) = self.shared.work(py, seconds, |game| {
            let finding = game.prove(property)?;
            let moves = finding.witness.as_ref().map(|play| play.moves.iter());
            let witness: Option<Vec<Vec<String>>> =
                moves.map(|moves| moves.map(|joint| texts(game, joint)).collect());
            Ok((finding.verdict.name(), finding.bound, witness))
        })?;
        let witness = witness.map(|play| line_of(py, &self.shared.roles, play));
        let finding = py.import("flux.results")?.getattr("Finding")?;
        finding.call1((property, verdict, bound, witness.transpose()?))
    }

    /// A picture of what the game is made of, as SVG.
    #[pyo3(signature = (view = "dependency", *, max_nodes = MOST_NODES, seconds = None))]
    fn svg(
        &self,
        py: Python<'_>,
        view: &str,
        max_nodes: usize,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let view = view_of(view)?;
        let title = self.name();
        self.shared.work(py, seconds, |game| {
            let (drawing, _) = game.view(view, &title)?.condensed(&Detail {
                only: None,
                depth: None,
                most: Some(max_nodes).filter(|&most| most > 0),
            });
            // In a page it stands without the declaration of a file.
            let svg = drawing.svg();
            Ok(svg
                .find("<svg")
                .map_or_else(|| svg.clone(), |start| svg[start..].to_owned()))
        })
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, "dependency", MOST_NODES, None)
    }

    fn __repr__(&self) -> String {
        format!("Game({:?}, roles={:?})", self.name(), self.shared.roles)
    }
}

/// A joint move as prefix GDL.
fn texts(game: &mut Workbench, joint: &[flux::term::TermId]) -> Vec<String> {
    let store = game.parts().vocabulary.store();
    let texts = joint
        .iter()
        .map(|&mv| flux::term::Prefix::new(store, mv).to_string());
    texts.collect()
}

fn view_of(name: &str) -> PyResult<View> {
    Ok(match name {
        "dependency" => View::Dependency,
        "effects" => View::Effects,
        "calls" => View::Calls,
        "concepts" => View::Concepts,
        "subgames" => View::Subgames,
        _ => {
            let names = "dependency, effects, calls, concepts, subgames";
            let message = format!("view is one of {names}, not {name:?}");
            return Err(PyValueError::new_err(message));
        }
    })
}

/// Playouts as arrays.
fn arrays<'py>(
    py: Python<'py>,
    roles: &[String],
    outcomes: Outcomes,
) -> PyResult<Bound<'py, PyAny>> {
    let values = outcomes.values.iter();
    let goals = values.map(|value| value.map_or(f32::NAN, |value| f32::from(value.0)));
    let goals = PyArray1::from_iter(py, goals).reshape([outcomes.len(), roles.len()])?;
    let lengths = PyArray1::from_vec(py, outcomes.lengths);
    let finished = PyArray1::from_vec(py, outcomes.finished);
    let playouts = py.import("flux.results")?.getattr("Playouts")?;
    playouts.call1((roles.to_vec(), lengths, finished, goals))
}

/// A plan, as `flux.results.Plan`.
fn plan_of<'py>(
    py: Python<'py>,
    outcome: &plan::PlanOutcome,
    moves: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("flux.results")?.getattr("Plan")?.call1((
        outcome.value.map(|value| value.0),
        outcome.proof.is_some() && outcome.value.is_some(),
        moves,
        outcome.counts.total(),
        outcome.halt.map(|halt| halt.to_string()),
    ))
}

/// What roles can force, as `flux.results.Values`.
fn values_of<'py>(
    py: Python<'py>,
    roles: &[String],
    outcome: &versus::ForcingOutcome,
    line: Vec<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    let points = |worth: versus::Worth| worth.value().map(|value| value.0);
    let bounds = PyDict::new(py);
    for (role, own) in roles.iter().zip(&outcome.bounds) {
        bounds.set_item(role, (points(own.at_least), points(own.at_most)))?;
    }
    let line = match outcome.line {
        Some(_) => Some(line_of(py, roles, line)?),
        None => None,
    };
    py.import("flux.results")?.getattr("Values")?.call1((
        bounds,
        outcome.is_exact(),
        outcome.kind.name(),
        line,
        outcome.states,
        outcome.halt.map(|halt| halt.to_string()),
    ))
}

/// Joint moves as dictionaries from roles to moves.
fn line_of<'py>(
    py: Python<'py>,
    roles: &[String],
    line: Vec<Vec<String>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for joint in line {
        let moves = PyDict::new(py);
        for (role, mv) in roles.iter().zip(joint) {
            moves.set_item(role, mv)?;
        }
        list.append(moves)?;
    }
    Ok(list)
}
