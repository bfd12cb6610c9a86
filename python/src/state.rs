//! A state of a game: a value that is kept, compared and hashed.

use std::hash::{DefaultHasher, Hash, Hasher};

use flux::gdl;
use flux::workbench::{Because, Explanation, Workbench};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::failure::{Class, exception};
use crate::game::{Game, Shared};

/// A state of a game.
#[pyclass(frozen, module = "flux")]
pub(crate) struct State {
    game: Py<Game>,
    state: gdl::State,
}

/// A step of a proof: goal, reason, rule and its line, and the steps that it rests on.
type Step = (
    String,
    &'static str,
    Option<String>,
    Option<u32>,
    Vec<usize>,
);

/// A rule, its line, and the condition that fails.
type Failed = (Option<String>, Option<u32>, Option<String>);

/// Why something holds or does not, as Python takes it.
enum Explained {
    Holds(Vec<Step>),
    Fails(Vec<Failed>),
}

impl Explained {
    fn of(game: &Workbench, explanation: Explanation) -> Self {
        let placed = |span| {
            let (line, text) = game.rule_text(span);
            (Some(text), Some(line))
        };
        match explanation {
            Explanation::Proof(steps) => {
                let steps = steps.into_iter().map(|step| {
                    let (because, (rule, line)) = match step.because {
                        Because::Rule(span) => ("rule", placed(span)),
                        Because::State => ("state", (None, None)),
                        Because::Builtin => ("builtin", (None, None)),
                        Because::Negation => ("negation", (None, None)),
                        Because::Undefined => ("undefined", (None, None)),
                        Because::Parts => ("parts", (None, None)),
                        Because::Omitted => ("omitted", (None, None)),
                    };
                    (step.goal, because, rule, line, step.children)
                });
                Self::Holds(steps.collect())
            }
            Explanation::Failure(rules) => {
                let rules = rules.into_iter().map(|failed| {
                    let (rule, line) = failed.rule.map_or((None, None), placed);
                    (rule, line, failed.condition)
                });
                Self::Fails(rules.collect())
            }
        }
    }
}

impl State {
    pub(crate) fn new(game: Py<Game>, state: gdl::State) -> Self {
        Self { game, state }
    }

    fn shared(&self) -> &Shared {
        &self.game.get().shared
    }

    /// The joint move that an argument stands for: a move for each role, in order or by name, or one move where nobody
    /// else has a choice.
    fn joint_move(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let roles = &self.shared().roles;
        if moves.is_instance_of::<PyString>() {
            let text: String = moves.extract()?;
            return match roles.len() {
                1 => Ok(vec![text]),
                _ => self.completed(py, text),
            };
        }
        let Ok(named) = moves.cast::<PyDict>() else {
            return moves.extract().map_err(|_| {
                PyTypeError::new_err(
                    "moves are a dictionary from roles to moves, a sequence with one move for each role, or one move",
                )
            });
        };
        let unknown = named.keys().iter().find(|key| {
            let name = key.extract::<String>();
            !name.is_ok_and(|name| roles.contains(&name))
        });
        if let Some(unknown) = unknown {
            let message = format!("there is no role {}", unknown.repr()?);
            return Err(exception(py, Class::Move, message));
        }
        let own = roles.iter().map(|role| match named.get_item(role)? {
            Some(mv) => mv.extract(),
            None => {
                let message = format!("a move of {role} is missing");
                Err(exception(py, Class::Move, message))
            }
        });
        own.collect()
    }

    /// A move of the only role that may make it, with the only moves of the others.
    fn completed(&self, py: Python<'_>, text: String) -> PyResult<Vec<String>> {
        let legal = self.legal_moves(py)?;
        let roles = &self.shared().roles;
        let choosers: Vec<usize> = (0..roles.len())
            .filter(|&role| legal[role].len() != 1)
            .collect();
        let chooser = match choosers[..] {
            [] => legal.iter().position(|own| own[0] == text).unwrap_or(0),
            [one] => one,
            _ => {
                let names: Vec<&str> = choosers.iter().map(|&role| roles[role].as_str()).collect();
                let message = format!(
                    "one move for {} roles: {} choose here",
                    roles.len(),
                    names.join(" and ")
                );
                return Err(exception(py, Class::Move, message));
            }
        };
        let joint = legal.into_iter().enumerate().map(|(role, mut own)| {
            if role == chooser {
                text.clone()
            } else {
                own.swap_remove(0)
            }
        });
        Ok(joint.collect())
    }

    fn legal_moves(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        self.shared().ask(py, |game| {
            let roles = self.shared().roles.iter();
            roles
                .map(|role| game.legal_moves(&self.state, role))
                .collect()
        })
    }

    /// What there is to say about a goal.
    fn explained(
        &self,
        py: Python<'_>,
        goal: &str,
        moves: Option<&Bound<'_, PyAny>>,
        seconds: Option<f64>,
    ) -> PyResult<Explained> {
        let joint = match moves {
            Some(moves) => self.joint_move(py, moves)?,
            None => Vec::new(),
        };
        self.shared().work(py, seconds, |game| {
            let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
            let explanation = game.explain(&self.state, goal, &joint)?;
            Ok(Explained::of(game, explanation))
        })
    }

    fn texts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.shared().ask(py, |game| Ok(game.fluents(&self.state)))
    }
}

#[pymethods]
impl State {
    /// The game of which it is a state.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The fluents that hold, in order of their text.
    #[getter]
    fn fluents(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.texts(py)
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self, py: Python<'_>) -> PyResult<bool> {
        self.shared().ask(py, |game| game.is_terminal(&self.state))
    }

    /// The legal moves of a role, or of all roles by name.
    #[pyo3(signature = (role = None))]
    fn legal<'py>(&self, py: Python<'py>, role: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(role) = role {
            let moves = self
                .shared()
                .ask(py, |game| game.legal_moves(&self.state, role))?;
            return Ok(moves.into_pyobject(py)?.into_any());
        }
        let moves = PyDict::new(py);
        for (role, own) in self.shared().roles.iter().zip(self.legal_moves(py)?) {
            moves.set_item(role, own)?;
        }
        Ok(moves.into_any())
    }

    /// The state after a joint move.
    fn apply(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<State> {
        let joint = self.joint_move(py, moves)?;
        let state = self.shared().ask(py, |game| {
            let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
            game.play(&self.state, &joint)
        })?;
        Ok(State::new(self.game.clone_ref(py), state))
    }

    /// The goal value of each role, 0 to 100; none where the rules give none or several.
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let roles = &self.shared().roles;
        let values = self.shared().ask(py, |game: &mut Workbench| {
            let values = roles.iter().map(|role| game.goal_value(&self.state, role));
            values.collect::<Result<Vec<_>, _>>()
        })?;
        let goals = PyDict::new(py);
        for (role, value) in roles.iter().zip(values) {
            goals.set_item(role, value.map(|value| value.0))?;
        }
        Ok(goals)
    }

    /// The instances of a condition that hold: for each, its variables with their values.
    fn query<'py>(&self, py: Python<'py>, condition: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let answers = self
            .shared()
            .ask(py, |game| game.query(&self.state, condition))?;
        let dictionary = |answer| {
            let dictionary = PyDict::new(py);
            for (name, value) in answer {
                dictionary.set_item::<String, String>(name, value)?;
            }
            Ok(dictionary)
        };
        answers.into_iter().map(dictionary).collect()
    }

    /// Why a goal holds, as `flux.results.Proof`; none if it does not.
    #[pyo3(signature = (goal, moves = None, *, seconds = None))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        goal: &str,
        moves: Option<&Bound<'py, PyAny>>,
        seconds: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.explained(py, goal, moves, seconds)? {
            Explained::Holds(steps) => {
                let proof = py.import("flux.results")?.getattr("_proof")?;
                Ok(Some(proof.call1((steps,))?))
            }
            Explained::Fails(_) => Ok(None),
        }
    }

    /// Where the rules that could give a goal fail, as `flux.results.FailedRule`; none if it holds.
    #[pyo3(signature = (goal, moves = None, *, seconds = None))]
    fn why_not<'py>(
        &self,
        py: Python<'py>,
        goal: &str,
        moves: Option<&Bound<'py, PyAny>>,
        seconds: Option<f64>,
    ) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let Explained::Fails(rules) = self.explained(py, goal, moves, seconds)? else {
            return Ok(None);
        };
        let failed = py.import("flux.results")?.getattr("FailedRule")?;
        let rules = rules.into_iter().map(|rule| failed.call1(rule));
        Ok(Some(rules.collect::<PyResult<_>>()?))
    }

    /// A picture of the state as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let title = self.shared().title();
        self.shared()
            .work(py, None, |game| game.state_svg(&self.state, &title))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    /// A value is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.is(&other.game) && self.state == other.state
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn __contains__(&self, py: Python<'_>, fluent: &str) -> PyResult<bool> {
        Ok(self.texts(py)?.iter().any(|text| text == fluent))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("State({})", self.texts(py)?.join(" ")))
    }
}
