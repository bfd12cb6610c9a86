//! All commands by name: how each is parsed, and the function that carries it out.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::cli::arguments::ColorName;
use crate::cli::failure::Failure;
use crate::cli::{
    analyze, check, decompose, explore, format, ground, install, lsp, playout, prove, query,
    repair, repl, run, schema, serve, solve, trace, translate,
};

/// A logic workbench for games written in the Game Description Language.
#[derive(Debug, Parser)]
#[command(name = "flux", version, about, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Whether to write in colour [default: on a terminal only]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true
    )]
    pub(super) color: Option<ColorName>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
    /// Find the best plan, or who wins a game of several players, and prove it
    Solve(solve::Solve),
    /// Replay joint moves and print every state, one JSON line each
    Trace(trace::Trace),
    /// Say what the actions of a game do, as axioms of the fluent calculus
    Translate(translate::Translate),
}

impl Command {
    /// Whether a program reads the results.
    pub(super) fn is_json(&self) -> bool {
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

/// Carries a command out; what keeps it from its end is told in the form of its results.
pub(super) fn carry_out(command: Command) -> ExitCode {
    let is_json = command.is_json();
    let result = match command {
        Command::Analyze(command) => analyze::run(&command),
        Command::Check(command) => check::run(&command),
        Command::Completions(command) => install::completions(&command, &mut Arguments::command()),
        Command::Decompose(command) => decompose::run(&command),
        Command::Explore(command) => explore::run(&command),
        Command::Fmt(command) => format::run(&command),
        Command::Ground(command) => ground::run(&command),
        Command::Lsp(command) => lsp::run(&command),
        Command::Man(command) => install::man(&command, Arguments::command()),
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
