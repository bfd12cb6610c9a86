//! `flux run`: runs a Prolog program.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use crate::cli::answers::Reply;
use crate::cli::arguments::LimitArguments;
use crate::cli::failure::{Exit, Failure};
use crate::cli::knowledge::Knowledge;
use crate::cli::{input, load, output, watch};
use crate::limits::Limits;
use crate::syntax::{Diagnostic, Source};

/// Run a Prolog program
///
/// Loads the file, runs its directives and `initialization` goals, then the goals given with -g, or
/// `main` if there is none and the program says nothing else. What the program writes goes to
/// standard output as it comes; warnings and faults go to standard error.
///
/// Exit codes: 0 all goals hold, 1 a goal fails, 2 a limit was reached, 3 the program has faults or
/// throws an exception that nobody catches, 4 internal error; `halt(N)` ends with N.
#[derive(Debug, Args)]
pub(super) struct Run {
    /// File with the program; - is standard input
    #[arg(value_name = "FILE.pl")]
    program: String,
    /// Goal to run once, after loading; may be given several times
    #[arg(short, long, value_name = "GOAL")]
    goal: Vec<String>,
    /// Arguments of the program, behind `--`: the flag `argv`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Run) -> Result<ExitCode, Failure> {
    let code = execute(arguments);
    // Output without a final line end is still output.
    let _ = std::io::stdout().flush();
    code
}

fn execute(arguments: &Run) -> Result<ExitCode, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let source = input::read(&arguments.program)?;
    let mut knowledge = Knowledge::new();
    let given = arguments.arguments.iter().cloned();
    let argv = std::iter::once("flux".to_owned()).chain(given).collect();
    knowledge.machine().set_arguments(argv);
    let faults = knowledge.consult(&source, &limits);
    load::tell(&source, &faults)?;
    // A directive that halts ends the program, whatever was wrong before it.
    if let Some(code) = knowledge.machine().take_halt() {
        return Ok(halt(code));
    }
    // A limit that ended loading comes before the faults that follow from half a program.
    limits.stop.poll()?;
    if faults.iter().any(Diagnostic::is_error) {
        return Err(Failure::told(Exit::BadInput));
    }
    let mut goals = arguments.goal.clone();
    if goals.is_empty() && runs_main(&mut knowledge) {
        goals.push("main".to_owned());
    }
    for goal in &goals {
        if let Some(code) = solve(&mut knowledge, goal, &limits)? {
            return Ok(halt(code));
        }
    }
    Ok(Exit::Done.into())
}

/// Whether `main/0` is to be run: the program has one, and does not itself say what to run.
fn runs_main(knowledge: &mut Knowledge) -> bool {
    let machine = knowledge.machine();
    let store = machine.store();
    let mut predicates = machine.known_predicates();
    let main = predicates.any(|p| p.arity == 0 && store.name(p.symbol) == "main");
    main && !machine.has_initialization()
}

/// The exit code of `halt/1`: a byte, as the operating system has it.
fn halt(code: i64) -> ExitCode {
    ExitCode::from(code.rem_euclid(256) as u8)
}

/// Runs a goal once; gives the code if it halts.
fn solve(knowledge: &mut Knowledge, goal: &str, limits: &Limits) -> Result<Option<i64>, Failure> {
    let reply = match knowledge.ask_prolog(goal, limits.clone()) {
        Ok(mut answers) => answers.next_reply(),
        Err(fault) => {
            load::tell(&Source::new("goal", goal), [&*fault])?;
            return Err(Failure::told(Exit::BadInput));
        }
    };
    // Messages come after what was written before them.
    let _ = std::io::stdout().flush();
    match reply {
        Reply::Answer(_) => Ok(None),
        Reply::Halt(code) => Ok(Some(code)),
        Reply::Exhausted => {
            output::message(&format!("goal fails: {goal}"))?;
            Err(Failure::told(Exit::Negative))
        }
        Reply::Exception(message) => Err(Failure::bad_input(format!("{goal}: {message}"))),
        Reply::Stopped(reason) => Err(reason.into()),
    }
}
