//! `flux repl`: ask, play and look at proofs in a dialogue.
//!
//! ```text
//! editor    whole queries from a terminal or a pipe      command   what a line with a colon asks
//! helper    completion, hints, colours                   session   what is loaded, and all settings
//! execute   which function carries out what is typed     signature actions by name
//! ask       queries and their answers                    play      walking through a game
//! explain   proofs and tables                            effects   what actions do, and why
//! structure what the game is made of                    proving   what is true of every state
//! rules     rules as they are written                    show      how things look
//! ```

mod ask;
mod command;
pub(super) mod complete_input;
mod editor;
mod effects;
mod execute;
mod explain;
mod helper;
mod keys;
mod play;
mod proving;
mod rules;
mod session;
mod settings;
pub(super) mod show;
mod signature;
mod solving;
mod structure;
mod walk;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;

use crate::cli::arguments::{LimitArguments, ReadingArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::repl::editor::{Input, Lines, history_file};
use crate::cli::repl::execute::execute;
use crate::cli::repl::session::{Flow, Session, Setup};
use crate::cli::repl::settings::Settings;
use crate::cli::repl::show::{FAINT, STRONG, styled};
use crate::cli::{output, watch};
use crate::limits::StopFlag;

/// Ask, play and look at proofs in a dialogue
///
/// Queries are goals of Prolog, or about a game conditions in either notation: `legal(R, M)` or
/// `(legal ?r ?m)`. Lines that begin with a colon are commands; `:help` lists them. Ctrl-C stops a
/// query, Ctrl-D leaves.
///
/// Reads from a pipe too, without prompts and colours, and prints all answers. Then the exit code
/// is 3 if some input could not be used; else that of the last query, `:solve` or `:why-edge`: 0 it
/// has answers, 1 it has none, 2 a limit was reached. `halt(N)` ends with N. At a terminal it is 0.
#[derive(Debug, Args)]
pub(super) struct Repl {
    /// A game, and Prolog programs (.pl) beside it
    #[arg(value_name = "GAME|FILE.pl")]
    files: Vec<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// File with the history of what was typed [default: FLUX_HISTORY, or flux/history in the user's
    /// data directory]
    #[arg(long, value_name = "FILE")]
    history: Option<String>,
    /// Print the queries that are read from a pipe, with prompts, as in a transcript
    #[arg(long)]
    echo: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Repl) -> Result<ExitCode, Failure> {
    // Both ends: without a keyboard there is no editing, and without a screen nobody is asked after an answer.
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let stop = StopFlag::default();
    let mut lines = if is_terminal {
        watch::raise_on_interrupts(&stop)?;
        Lines::terminal(history_file(arguments.history.as_deref()))?
    } else {
        watch::raise_on_interrupt(&stop)?;
        Lines::pipe(arguments.echo)
    };
    // Refused here, since the watch of each line makes a duration of it, which panics for negative numbers.
    if let Some(seconds) = arguments.limits.max_seconds {
        watch::seconds_of(seconds, "--max-seconds")?;
    }
    let setup = Setup {
        reading: arguments.reading,
        memory: arguments.limits.max_memory.saturating_mul(watch::MEGABYTE),
        is_terminal,
    };
    let (seconds, steps) = (arguments.limits.max_seconds, arguments.limits.max_steps);
    let mut session = Session::new(setup, Settings::new(!is_terminal, seconds, steps), stop);
    if is_terminal {
        banner()?;
    }
    for file in &arguments.files {
        if let Err(failure) = session.load(file, is_terminal) {
            session.note(failure)?;
        }
    }
    converse(&mut session, &mut lines)
}

/// Reads, evaluates and prints until one side has enough.
fn converse(session: &mut Session, lines: &mut Lines) -> Result<ExitCode, Failure> {
    loop {
        session.set_width(lines.width());
        let dialect = session.dialect();
        let flow = match lines.next(dialect, || session.words())? {
            Input::Text(text) => execute(session, &text)?,
            Input::GivenUp => Flow::Continue,
            Input::End => Flow::Quit,
        };
        // The editor writes its prompt to the terminal itself, and not into this buffer.
        std::io::stdout().flush()?;
        match flow {
            Flow::Continue => {}
            Flow::Halt(code) => return Ok(ExitCode::from(code.rem_euclid(256) as u8)),
            Flow::Quit if lines.is_terminal() => return Ok(Exit::Done.into()),
            Flow::Quit => return Ok(session.exit().into()),
        }
    }
}

fn banner() -> Result<(), Failure> {
    let name = styled(STRONG, &format!("flux {}", env!("CARGO_PKG_VERSION")));
    let hint = styled(
        FAINT,
        "a logic workbench for games; :help shows what it can do",
    );
    output::line(&format!("{name} {hint}"))
}
