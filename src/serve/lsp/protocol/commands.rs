//! Commands that lenses carry, and those of them that the server carries out itself.
//!
//! A client says in its `initializationOptions` which of the others it can carry out, as `{"commands": [...]}`; it gets
//! no lenses for those that it cannot.

use lsp_types::ExecuteCommandParams;
use serde_json::Value;

use crate::serve::protocol::JointMove;

/// Shows the game of a document in the browser, as `flux explore` does. Carried out by the client.
pub(super) const EXPLORE: &str = "flux.explore";

/// Plays it at a prompt, as `flux repl` does. Carried out by the client.
pub(super) const PLAY: &str = "flux.play";

/// Looks for best play, as `flux solve` does. Carried out by the client.
pub(super) const SOLVE: &str = "flux.solve";

/// Says why a goal holds, or why it does not. Carried out by the server.
pub(super) const WHY: &str = "flux.why";

/// The commands that the server carries out.
pub(super) fn of_server() -> Vec<String> {
    vec![WHY.to_owned()]
}

/// What is to be explained.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Why {
    /// The document.
    pub(super) uri: String,
    /// What holds or not in the initial state, in either notation.
    pub(super) goal: String,
    /// What `does` and `next` are about.
    pub(super) moves: Option<JointMove>,
}

/// Reads the arguments of [`WHY`]: document, goal and, if wanted, a move for each role.
pub(super) fn why(parameters: ExecuteCommandParams) -> Result<Why, String> {
    if parameters.command != WHY {
        return Err(format!("there is no command {}", parameters.command));
    }
    let mut arguments = parameters.arguments.into_iter();
    let (uri, goal, moves) = (arguments.next(), arguments.next(), arguments.next());
    let (Some(Value::String(uri)), Some(Value::String(goal))) = (uri, goal) else {
        return Err(format!("{WHY} takes a document and a goal, both texts"));
    };
    // Clients may send null for what they leave out.
    let moves = moves.filter(|moves| !moves.is_null());
    let moves = moves.map(serde_json::from_value).transpose();
    let moves = moves.map_err(|error| format!("the moves of {WHY}: {error}"))?;
    Ok(Why { uri, goal, moves })
}
