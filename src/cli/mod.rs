//! The command line: arguments in, text or JSON out.
//!
//! This layer alone reads files, prints, and knows the clock. Exit codes: 0 done, 1 negative
//! answer, 2 limit reached, 3 bad input, 4 internal error.

mod analyze;
mod answers;
mod certificate;
mod check;
mod decompose;
mod explore;
mod failure;
mod format;
mod ground;
mod input;
mod install;
mod knowledge;
mod load;
mod lsp;
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

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cli::failure::{Exit, Failure};
use crate::syntax::Notation;
use crate::term::Case;

/// A logic workbench for games written in the Game Description Language.
#[derive(Debug, Parser)]
#[command(name = "flux", version, about, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Whether to write in colour [default: on a terminal only]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true
    )]
    color: Option<ColorName>,
}

/// When colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorName {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl From<ColorName> for anstream::ColorChoice {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Auto => anstream::ColorChoice::Auto,
            ColorName::Always => anstream::ColorChoice::Always,
            ColorName::Never => anstream::ColorChoice::Never,
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a game is made of: subgames, what actions look at and change, goal and end
    Analyze(analyze::Analyze),
    /// Report what is wrong with the rules of games, and where
    Check(check::Check),
    /// Print a script that lets a shell complete commands and options
    Completions(install::Completions),
    /// Find the games that a game is made of, and prove that they are
    Decompose(decompose::Decompose),
    /// Show a game in the browser: its board, its moves, and why
    Explore(explore::Explore),
    /// Print the canonical text of a game, in either notation
    Fmt(format::Fmt),
    /// Make the rules of a game propositional, and say how large that is
    Ground(ground::Ground),
    /// Serve an editor: the language server for rule sheets
    Lsp(lsp::Lsp),
    /// Print the manual page of flux or of a command
    Man(install::Man),
    /// Play at random and measure: lengths, payoffs, states a second
    Playout(playout::Playout),
    /// Prove properties of a game, or refute them with a play
    Prove(prove::Prove),
    /// Ask for everything that follows from the rules of a game in one of its states
    Query(query::Query),
    /// Find the smallest changes of the rules after which properties hold that do not
    Repair(repair::RepairOf),
    /// Ask, play and look at proofs in a dialogue
    Repl(repl::Repl),
    /// Run a Prolog program
    Run(run::Run),
    /// Print the JSON Schema of what a command prints
    Schema(schema::SchemaOf),
    /// Answer requests of other programs, as lines of JSON
    Serve(serve::Serve),
    /// Find the best plan of a single-player game, and prove that it is the best
    Solve(solve::Solve),
    /// Replay joint moves and print every state, one JSON line each
    Trace(trace::Trace),
    /// Say what the actions of a game do, as axioms of the fluent calculus
    Translate(translate::Translate),
}

/// The form of a report that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
    /// A graph in the language of Graphviz
    Dot,
    /// A picture
    Svg,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NotationName {
    /// (<= (next (on ?x ?y)) (does robot (s ?x ?y)))
    Prefix,
    /// next(on(X,Y)) :- does(robot, s(X,Y)).
    Infix,
}

impl From<NotationName> for Notation {
    fn from(name: NotationName) -> Self {
        match name {
            NotationName::Prefix => Notation::Prefix,
            NotationName::Infix => Notation::Infix,
        }
    }
}

/// A game and how to read it.
#[derive(Debug, Args)]
struct GameArguments {
    /// File with the rules; - is standard input
    game: String,
    /// Notation of the rules [default: found out from the text]
    #[arg(long)]
    notation: Option<NotationName>,
    /// Keep CELL and cell apart
    #[arg(long)]
    case_sensitive: bool,
}

impl GameArguments {
    fn case(&self) -> Case {
        match self.case_sensitive {
            true => Case::Keep,
            false => Case::Fold,
        }
    }
}

/// How much a command may use.
#[derive(Debug, Args)]
struct LimitArguments {
    /// Stop after so many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_seconds: Option<f64>,
    /// Stop when the program uses so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    max_memory: usize,
    /// Stop one evaluation after so many steps
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
}

/// Carries out what the arguments of the program, its own name first, ask for.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
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
    catch_unwind(AssertUnwindSafe(|| command(arguments))).unwrap_or_else(|_| {
        let failure = Failure::new(Exit::Internal, "this is a bug in flux; please report it");
        match is_json {
            true => failure.report_as_json(),
            false => failure.report(),
        }
    })
}

impl Command {
    /// Whether a program reads the results.
    fn is_json(&self) -> bool {
        match self {
            Command::Analyze(command) => command.is_json(),
            Command::Decompose(command) => command.is_json(),
            Command::Ground(command) => command.is_json(),
            Command::Playout(command) => command.is_json(),
            Command::Prove(command) => command.is_json(),
            Command::Repair(command) => command.is_json(),
            Command::Query(command) => command.is_json(),
            Command::Solve(command) => command.is_json(),
            Command::Translate(command) => command.is_json(),
            // The verdicts of check say what is wrong; the others have no such form.
            Command::Check(_)
            | Command::Completions(_)
            | Command::Explore(_)
            | Command::Fmt(_)
            | Command::Lsp(_)
            | Command::Man(_)
            | Command::Repl(_)
            | Command::Run(_)
            | Command::Schema(_)
            | Command::Serve(_)
            | Command::Trace(_) => false,
        }
    }
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
    let exit = match error.use_stderr() {
        true => Exit::BadInput,
        false => Exit::Done,
    };
    if wants_json && exit == Exit::BadInput {
        let text = error.to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        return Failure::new(exit, message).report_as_json();
    }
    match error.print() {
        Err(error) if exit == Exit::Done => Failure::from(error).report(),
        Ok(()) | Err(_) => exit.into(),
    }
}

fn command(arguments: Arguments) -> ExitCode {
    let is_json = arguments.command.is_json();
    let result = match arguments.command {
        Command::Analyze(command) => analyze::run(&command),
        Command::Check(command) => check::run(&command),
        Command::Completions(command) => install::completions(&command),
        Command::Decompose(command) => decompose::run(&command),
        Command::Explore(command) => explore::run(&command),
        Command::Fmt(command) => format::run(&command),
        Command::Ground(command) => ground::run(&command),
        Command::Lsp(command) => lsp::run(&command),
        Command::Man(command) => install::man(&command),
        Command::Playout(command) => playout::run(&command),
        Command::Prove(command) => prove::run(&command),
        Command::Repair(command) => repair::run(&command),
        Command::Query(command) => query::run(&command),
        Command::Repl(command) => {
            return repl::run(&command).unwrap_or_else(Failure::report);
        }
        Command::Run(command) => {
            return run::run(&command).unwrap_or_else(Failure::report);
        }
        Command::Schema(command) => schema::run(&command),
        Command::Serve(command) => serve::serve(&command),
        Command::Solve(command) => solve::run(&command),
        Command::Trace(command) => trace::run(&command),
        Command::Translate(command) => translate::run(&command),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) if is_json => failure.report_as_json(),
        Err(failure) => failure.report(),
    }
}
