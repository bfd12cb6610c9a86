//! Code lenses: commands, for clients that can carry them out.

use lsp_types::request as ask;
use lsp_types::{CodeLens, CodeLensParams, Command};
use serde_json::{Value, json};

use crate::serve::lsp::protocol::commands;
use crate::serve::lsp::protocol::requests::answer::Answer;
use crate::serve::lsp::protocol::requests::view::View;
use crate::serve::lsp::sheet::{self, Action};

pub(super) fn lenses(view: &View<'_>, _: CodeLensParams) -> Answer<ask::CodeLensRequest> {
    let found = sheet::lenses(view.parts.sheet, view.parts.knowledge).into_iter();
    let shown = found.filter_map(|lens| {
        let (name, arguments) = match lens.action {
            // The protocol has no lens without a command; one without a name is shown and does nothing.
            None => ("", Vec::new()),
            Some(action) => command(view, action)?,
        };
        let arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
        Some(CodeLens {
            range: view.range(lens.span),
            command: Some(Command::new(lens.text, name.to_owned(), arguments)),
            data: None,
        })
    });
    Ok(Some(shown.collect()))
}

/// The command of an action; none if it is the client that has to carry it out and it cannot.
fn command(view: &View<'_>, action: Action) -> Option<(&'static str, Vec<Value>)> {
    let uri = json!(view.uri.as_str());
    let name = match action {
        Action::Explore => commands::EXPLORE,
        Action::Play => commands::PLAY,
        Action::Solve => commands::SOLVE,
        Action::Why(goal) => return Some((commands::WHY, vec![uri, json!(goal)])),
    };
    view.client.carries_out(name).then(|| (name, vec![uri]))
}
