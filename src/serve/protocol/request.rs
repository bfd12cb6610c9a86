//! What is asked.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::serve::protocol::id::{Id, JointMove};
use crate::serve::protocol::message::{Code, Failure, Message};

/// Characters of an id.
const LONGEST_ID: usize = 200;

/// A question or an order.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
pub struct Request {
    /// Comes back with every message about the request.
    pub id: Id,
    /// The work is stopped after so many seconds.
    pub max_seconds: Option<f64>,
    /// What is to be done.
    #[schemars(flatten)]
    pub task: Task,
}

/// What is to be done. `at` is the number of a state that was visited; without it, the state where the session stands.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "request", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Takes the rules of a game in place of those before. If they cannot be played, the game before stays.
    Load {
        /// The rules.
        text: String,
        /// What messages call the text.
        #[serde(default = "unnamed")]
        name: String,
    },
    /// Says what is wrong with rules, without loading them.
    Check {
        /// The rules.
        text: String,
    },
    /// The text that was loaded.
    Sheet {},
    /// A state.
    State {
        /// Which one.
        at: Option<usize>,
    },
    /// The legal moves in a state.
    Legal {
        /// Which one.
        at: Option<usize>,
        /// Of this role alone.
        role: Option<String>,
    },
    /// The boards of a state, found by their structure, and everything else as tables.
    Board {
        /// Which one.
        at: Option<usize>,
    },
    /// Makes a joint move and goes to the state after it.
    Do {
        /// The moves.
        #[serde(default)]
        moves: JointMove,
        /// From where.
        at: Option<usize>,
    },
    /// Makes a random joint move and goes to the state after it.
    Random {
        /// From where.
        at: Option<usize>,
        /// Chooses; the same number makes the same move.
        #[serde(default)]
        seed: u64,
    },
    /// Goes back, by one joint move if no number is given.
    Undo {
        /// So many joint moves.
        #[serde(default = "one")]
        steps: usize,
    },
    /// Goes to a state that was visited.
    Go {
        /// Which one.
        at: usize,
    },
    /// All instances of a condition that hold in a state.
    Query {
        /// The condition, in either notation.
        condition: String,
        /// In which state.
        at: Option<usize>,
        /// What `does` and `next` are about.
        moves: Option<JointMove>,
        /// Answers to give at most.
        most: Option<u64>,
    },
    /// Why something holds, or why it does not.
    Why {
        /// What holds or not, in either notation.
        goal: String,
        /// In which state.
        at: Option<usize>,
        /// What `does` and `next` are about.
        moves: Option<JointMove>,
    },
    /// What a joint move would change, and by which rules.
    Effects {
        /// The moves.
        #[serde(default)]
        moves: JointMove,
        /// In which state.
        at: Option<usize>,
    },
    /// What the game is made of.
    Analyze {},
    /// A picture of what the game is made of.
    Picture {
        /// Of what.
        view: ViewName,
        /// Nodes at most; alike nodes are drawn as one if there are more.
        most: Option<usize>,
        /// Only what is so many edges away from where the graph begins.
        depth: Option<usize>,
        /// Only nodes with this text in their labels, and those beside them.
        only: Option<String>,
    },
    /// Random playouts from the initial state.
    Playout {
        /// So many.
        #[serde(default = "thousand")]
        playouts: u64,
        /// Chooses the moves.
        #[serde(default)]
        seed: u64,
    },
    /// Best play from a state: a plan for one role; for several what each can force.
    Solve {
        /// From where.
        at: Option<usize>,
    },
    /// Stops the work on a request, or keeps it from being begun. It is answered with what it has found, or an error.
    Cancel {
        /// The id of the request.
        target: Id,
    },
}

/// What a picture is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ViewName {
    /// The dependency graph that subgames are read off.
    Dependency,
    /// The dependency graph with what every joint move changes.
    Effects,
    /// The call graphs of goal and end.
    Calls,
    /// The local concepts of goal and end.
    Concepts,
    /// The subgames in their parts.
    Subgames,
    /// Which arguments get values from which.
    Domains,
}

fn unnamed() -> String {
    "game".to_owned()
}

fn one() -> usize {
    1
}

fn thousand() -> u64 {
    1000
}

/// Reads a request.
///
/// # Errors
/// The message that says what is wrong with it, with the id if that could be read.
pub fn read(text: &[u8]) -> Result<Request, Message> {
    let malformed = |id: Option<Id>, message: String| Message::Error {
        id,
        error: Failure::new(Code::Malformed, message),
    };
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(error) => return Err(malformed(None, format!("this is not JSON: {error}"))),
    };
    let Value::Object(mut fields) = value else {
        return Err(malformed(None, "a request is a JSON object".to_owned()));
    };
    // Id and time are taken out first: a task refuses fields that it does not have.
    // Ids are short, since every message about a request repeats its own.
    let id = match fields.remove("id").map(serde_json::from_value::<Id>) {
        Some(Ok(Id::Text(text))) if text.chars().count() > LONGEST_ID => None,
        Some(Ok(id)) => Some(id),
        Some(Err(_)) | None => None,
    };
    let Some(id) = id else {
        let message = "a request has an \"id\", a whole number or a text of at most 200 characters";
        return Err(malformed(None, message.to_owned()));
    };
    let max_seconds = match fields.remove("max_seconds") {
        None | Some(Value::Null) => None,
        Some(value) => match value.as_f64() {
            Some(seconds) if seconds >= 0.0 => Some(seconds),
            Some(_) | None => {
                let message = "\"max_seconds\" is a number of seconds".to_owned();
                return Err(malformed(Some(id), message));
            }
        },
    };
    match Task::deserialize(Value::Object(fields)) {
        Ok(task) => Ok(Request {
            id,
            max_seconds,
            task,
        }),
        Err(error) => Err(malformed(Some(id), error.to_string())),
    }
}
