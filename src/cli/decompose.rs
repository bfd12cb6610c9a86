//! `flux decompose`: the games in a game, each proved to be one.

use std::time::Instant;

use clap::Args;

use crate::circuit::ground;
use crate::cli::analyze::{PictureArguments, draw};
use crate::cli::failure::{Exit, Failure};
use crate::cli::progress::Display;
use crate::cli::{Form, GameArguments, LimitArguments, load, output, watch};
use crate::decomposition::{self, Effort, Subject};
use crate::term::Prefix;
use crate::workbench;

/// Find the games that a game is made of, and prove that they are
///
/// A variable is a group of fluents of which at most one holds, proved by induction. Variables belong to the
/// same game if what one is next depends on the other, if moves act in both, or if end and goal values need
/// both; that the games found do not depend on each other is proved by a solver, whatever way the rules are
/// written.
///
/// Exit codes: 0 done, 2 a limit was reached, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Decompose {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the report
    #[arg(long, default_value = "text")]
    format: Form,
    /// Give up when there are more instances of rules
    #[arg(long, value_name = "N", default_value_t = ground::MAX_RULES)]
    max_rules: usize,
    /// Seed of the samples in which dependencies are looked for
    #[arg(long, value_name = "N", default_value_t = Effort::default().seed)]
    seed: u64,
    #[command(flatten)]
    picture: PictureArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Decompose {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Form::Json
    }
}

pub(super) fn run(arguments: &Decompose) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let display = Display::of(&limits.progress);
    let circuit = workbench::circuit(&game, &mut vocabulary, &limits, arguments.max_rules)?;
    let effort = Effort {
        seed: arguments.seed,
        ..Effort::default()
    };
    let found = decomposition::decompose(&circuit, &effort, &limits)?;
    drop(display);
    let store = vocabulary.store();
    let roles = game.roles().iter();
    let roles: Vec<String> = roles
        .map(|&role| Prefix::new(store, role).to_string())
        .collect();
    let title = load::title(&game);
    let subject = Subject {
        title: &title,
        found: &found,
        circuit: &circuit,
        roles: &roles,
        store,
    };
    match arguments.format {
        Form::Text => output::text(&decomposition::text(&subject))?,
        Form::Json => {
            let seconds = start.elapsed().as_secs_f64();
            output::json(&decomposition::json(&subject, seconds))?;
        }
        form @ (Form::Dot | Form::Svg) => {
            return draw(form, decomposition::view(&subject), &arguments.picture);
        }
    }
    Ok(Exit::Done)
}
