//! The command line: arguments in, text or JSON out.
//!
//! This layer alone reads files, prints, and reads the clock. Exit codes: 0 done, 1 negative
//! answer, 2 limit reached, 3 bad input, 4 internal error.

mod analyze;
mod answers;
mod arguments;
mod certificate;
mod check;
mod command;
mod decompose;
mod ending;
mod explore;
mod failure;
mod format;
mod ground;
mod input;
mod install;
mod knowledge;
mod load;
mod lsp;
mod messages;
mod moves;
mod output;
mod playout;
mod progress;
mod prove;
mod query;
pub mod render;
mod repair;
mod repl;
mod run;
mod schema;
mod serve;
mod shown;
mod solve;
mod tally;
mod trace;
mod translate;
mod typed_move;
mod verify;
mod versus;
mod watch;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::failure::{Exit, Failure};

pub use command::Arguments;

/// Carries out what the arguments of the program, its own name first, ask for.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Read off the raw arguments: where they cannot be parsed, the complaint still has the form that is asked for.
    let wants_json = wants_json(&arguments);
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error, wants_json),
    };
    if let Some(color) = arguments.color {
        anstream::ColorChoice::from(color).write_global();
    }
    let is_json = arguments.command.is_json();
    // Where a panic comes from has been said by then; only the exit code is left to set.
    catch_unwind(AssertUnwindSafe(|| command::carry_out(arguments.command))).unwrap_or_else(|_| {
        let failure = Failure::new(Exit::Internal, "this is a bug in flux; please report it");
        if is_json {
            failure.report_as_json()
        } else {
            failure.report()
        }
    })
}

/// Whether arguments, which may be wrong, ask for results as JSON.
fn wants_json(arguments: &[OsString]) -> bool {
    let is_option = |argument: &OsString| argument == "--format" || argument == "--to";
    let mut pairs = arguments.windows(2);
    pairs.any(|pair| is_option(&pair[0]) && pair[1] == "json")
        || arguments
            .iter()
            .any(|argument| argument == "--format=json" || argument == "--to=json")
}

/// Says what is wrong with the arguments, or prints the help or version that they ask for.
fn usage(error: &clap::Error, wants_json: bool) -> ExitCode {
    // The code that clap has for this, 2, means here that a limit was reached.
    let exit = if error.use_stderr() {
        Exit::BadInput
    } else {
        Exit::Done
    };
    if wants_json && exit == Exit::BadInput {
        let text = error.to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        return Failure::new(exit, message).report_as_json();
    }
    match error.print() {
        // Help that is written into a closed pipe ends as any result does.
        Err(error) if exit == Exit::Done => Failure::from(error).report(),
        Ok(()) | Err(_) => exit.into(),
    }
}
