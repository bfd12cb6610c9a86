//! `flux translate`: says what the actions of a game do, as axioms of the fluent calculus.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::analysis::ExactnessEffort;
use crate::circuit::PlanningTask;
use crate::cli::arguments::{GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::progress::Display;
use crate::cli::verify::{VerifyQuestion, verify};
use crate::cli::{load, output, watch};
use crate::fluent::{BookStyle, book, flux_program, json, translate};
use crate::gdl::{Game, GoalValue, TooManyCases, answer_set_program};
use crate::workbench::planning_task;

/// The form in which axioms are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AxiomForm {
    /// Formulas in plain text
    Text,
    /// A LaTeX document
    Latex,
    /// For programs
    Json,
    /// A program in Prolog, to be loaded after the kernel kb/flux.pl
    Flux,
    /// An answer set program for clingo, whose answer sets are the plays
    Asp,
    /// A planning task for planners: a domain and problems, of a game of one role
    Pddl,
}

/// Say what the actions of a game do, as axioms of the fluent calculus
#[derive(Debug, Args)]
pub(super) struct Translate {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the axioms
    #[arg(long, default_value = "text")]
    to: AxiomForm,
    /// Prove that the axioms give the successors that the rules give, in every state that satisfies
    /// the domain constraints; where that fails, compare them on all reachable states if they are
    /// few, else along random playouts and on every successor of the states these visit
    #[arg(long)]
    verify: bool,
    /// Number of playouts where --verify has no proof
    #[arg(short = 'n', long, value_name = "N", requires = "verify")]
    number: Option<u64>,
    /// Give up the proof of --verify when there are more instances of rules
    #[arg(long, value_name = "N", requires = "verify", default_value_t = ExactnessEffort::default().max_rules)]
    max_rules: usize,
    /// Joint moves that a play of --to asp may have, unless the solver is told otherwise
    #[arg(long, value_name = "N", default_value_t = 20)]
    horizon: u32,
    /// With --to pddl, the goal value with which the game is to end; without it the highest one
    #[arg(long, value_name = "VALUE")]
    goal: Option<u8>,
    /// With --to pddl, write domain.pddl and problem-VALUE.pddl, one for each goal value or that of --goal, into this
    /// directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Translate {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.to == AxiomForm::Json
    }
}

pub(super) fn run(arguments: &Translate) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let title = load::title(&game);
    // Planning tasks and answer set programs are made without axioms, which not every game has.
    if arguments.to == AxiomForm::Pddl && !arguments.verify {
        let display = Display::of(&limits.progress);
        let task = planning_task(&game, &mut vocabulary, &title, &limits)?;
        drop(display);
        return write_task(&task, arguments);
    }
    if arguments.goal.is_some() || arguments.out.is_some() {
        return Err(Failure::bad_input("--goal and --out are for --to pddl"));
    }
    if arguments.to == AxiomForm::Asp && !arguments.verify {
        let store = vocabulary.store_mut();
        let program = answer_set_program(&game, store, &title, arguments.horizon);
        let program = program.map_err(|many| refused(&game, many))?;
        output::text(&program)?;
        return Ok(Exit::Done);
    }
    let display = Display::of(&limits.progress);
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    drop(display);
    if arguments.verify {
        let question = VerifyQuestion {
            game: &game,
            axioms: &axioms,
            limits: &limits,
            playouts: arguments.number,
            max_rules: arguments.max_rules,
            max_seconds: arguments.limits.max_seconds,
            is_json: arguments.to == AxiomForm::Json,
        };
        return verify(&question, &mut vocabulary);
    }
    let line_of = load::line_of(&game);
    let formulas = |store, style| book(&axioms, store, style, &title);
    match arguments.to {
        AxiomForm::Text => output::text(&formulas(vocabulary.store(), BookStyle::Unicode))?,
        AxiomForm::Latex => output::text(&formulas(vocabulary.store(), BookStyle::Latex))?,
        AxiomForm::Flux => output::text(&flux_program(&axioms, vocabulary.store_mut(), &title))?,
        AxiomForm::Json => output::json(&json(&axioms, vocabulary.store_mut(), &line_of))?,
        AxiomForm::Asp | AxiomForm::Pddl => unreachable!("they are not made of axioms"),
    }
    Ok(Exit::Done)
}

/// Prints a domain and a problem, or writes them as files.
fn write_task(task: &PlanningTask, arguments: &Translate) -> Result<Exit, Failure> {
    let values = task.values();
    let wanted: Vec<GoalValue> = match arguments.goal {
        Some(value) => vec![GoalValue(value)],
        None => values.clone(),
    };
    let problem = |value: GoalValue| {
        task.problem(value).ok_or_else(|| {
            let values: Vec<String> = values.iter().map(|value| value.0.to_string()).collect();
            let values = values.join(" ");
            Failure::bad_input(format!(
                "no end of the game has goal value {}; there are: {values}",
                value.0
            ))
        })
    };
    let Some(directory) = &arguments.out else {
        output::text(&task.domain())?;
        if let Some(&best) = wanted.first() {
            output::text(&problem(best)?)?;
        }
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(directory)?;
    for value in wanted {
        output::file(
            &directory.join(format!("problem-{}.pddl", value.0)),
            &problem(value)?,
        )?;
    }
    output::file(&directory.join("domain.pddl"), &task.domain())?;
    Ok(Exit::Done)
}

/// Says which rule has too many cases.
fn refused(game: &Game, many: TooManyCases) -> Failure {
    let line = load::line_of(game)(many.rule);
    let name = game.source().name();
    Failure::new(Exit::Limit, format!("{name}:{line}: {many}"))
}
