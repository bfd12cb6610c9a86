//! `flux analyze`: says what a game is made of.

use clap::{Args, ValueEnum};

use crate::analysis::{analyze, json, text};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{GameArguments, LimitArguments, load, output, watch};
use crate::fluent::translate;

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Say what a game is made of: subgames, what actions look at and change, goal and end
#[derive(Debug, Args)]
pub(super) struct Analyze {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the report
    #[arg(long, default_value = "text")]
    format: Form,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Analyze) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    let analysis = analyze(&axioms, vocabulary.store_mut(), &limits);
    let source = game.source();
    let line_of = |rule: usize| {
        let start = axioms.rules[rule].origin.span.start;
        source.position(start).line as usize
    };
    let title = std::path::Path::new(source.name())
        .file_stem()
        .map_or_else(|| source.name().into(), |stem| stem.to_string_lossy());
    match arguments.format {
        Form::Text => output::text(&text(&analysis, vocabulary.store(), &title))?,
        Form::Json => output::json(&json(&analysis, vocabulary.store(), &line_of))?,
    }
    Ok(Exit::Done)
}
