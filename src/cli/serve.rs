//! `flux serve`: what can be asked of a game, for other programs.

use clap::Args;

use crate::cli::failure::{Exit, Failure};
use crate::cli::watch::MEGABYTE;
use crate::cli::{input, load};
use crate::gdl::RuleSheet;
use crate::serve::Opening;
use crate::serve::lines::{self, StreamError};
use crate::syntax::{Source, detect};
use crate::term::{Case, Store};

/// Answer requests, one JSON object a line, on standard input and output
///
/// A request is {"id": 1, "request": "do", "moves": {"ROLE": "MOVE"}}; requests are load, check, sheet, state, legal,
/// board, do, random, undo, go, query, why, effects, analyze, picture, playout, solve and cancel. Each is answered by
/// {"id", "result"} or {"id", "error"}, after {"id", "progress"} if it takes long. `flux schema serve-request` and
/// `flux schema serve-message` describe them. The end of the input ends the program.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// File with the rules of a game to begin with
    game: Option<String>,
    /// Stop work when the program uses so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    max_memory: usize,
}

pub(super) fn serve(arguments: &Serve) -> Result<Exit, Failure> {
    let opening = arguments.game.as_deref().map(opening).transpose()?;
    let memory = arguments.max_memory.saturating_mul(MEGABYTE);
    let (input, output) = (std::io::stdin().lock(), std::io::stdout());
    match lines::serve(opening, memory, input, output) {
        Ok(()) => Ok(Exit::Done),
        Err(StreamError::Input(error)) => {
            Err(Failure::bad_input(format!("cannot read -: {error}")))
        }
        Err(StreamError::Output(error)) => Err(error.into()),
    }
}

/// The rules in a file; what keeps them from being played is told.
fn opening(file: &str) -> Result<Opening, Failure> {
    let source: Source = input::read(file)?;
    let sheet = RuleSheet::read(&mut Store::new(), &source, detect(&source), Case::Fold);
    if sheet.has_errors() {
        let faults = sheet.diagnostics.iter().filter(|fault| fault.is_error());
        return Err(load::refuse(&source, faults)?);
    }
    Ok(Opening {
        name: load::stem(source.name()),
        text: source.text().to_owned(),
    })
}
