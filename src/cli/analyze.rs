//! `flux analyze`: says what a game is made of.

use clap::{Args, ValueEnum};

use crate::analysis::{Level, analyze, json, text};
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

/// Which fluents and actions are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Functions, as in the papers
    Symbol,
    /// Instances, as far as some arguments never interact
    Partial,
    /// Ground terms
    Ground,
    /// The coarsest level with the most subgames
    Auto,
}

impl LevelName {
    fn level(self) -> Option<Level> {
        match self {
            LevelName::Symbol => Some(Level::Symbol),
            LevelName::Partial => Some(Level::Partial),
            LevelName::Ground => Some(Level::Ground),
            LevelName::Auto => None,
        }
    }
}

/// Say what a game is made of: subgames, what actions look at and change, goal and end
#[derive(Debug, Args)]
pub(super) struct Analyze {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the report
    #[arg(long, default_value = "text")]
    format: Form,
    /// Which fluents and actions are told apart
    #[arg(long, default_value = "auto")]
    level: LevelName,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Analyze) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    let analysis = analyze(
        &axioms,
        vocabulary.store_mut(),
        arguments.level.level(),
        &limits,
    )?;
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
