//! `flux translate`: says what the actions of a game do, as axioms of the fluent calculus.

use clap::{Args, ValueEnum};

use crate::cli::failure::{Exit, Failure};
use crate::cli::{GameArguments, LimitArguments, load, output, watch};
use crate::engine::Limits;
use crate::fluent::{
    BookStyle, Bounds, GameAxioms, book, flux_program, json, progression, translate, verify,
};
use crate::gdl::{Game, Vocabulary};

/// The form in which axioms are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Formulas in plain text
    Text,
    /// A LaTeX document
    Latex,
    /// For programs
    Json,
    /// A program in Prolog, to be loaded after the kernel kb/flux.pl
    Flux,
}

/// Say what the actions of a game do, as axioms of the fluent calculus
#[derive(Debug, Args)]
pub(super) struct Translate {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the axioms
    #[arg(long, default_value = "text")]
    to: Form,
    /// Compare the axioms with the rules: on all reachable states where they are few, else along
    /// random playouts and on every successor of the states these visit
    #[arg(long)]
    verify: bool,
    /// Number of playouts for --verify
    #[arg(short = 'n', long, value_name = "N", requires = "verify")]
    number: Option<u64>,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Translate) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    if arguments.verify {
        return compare(arguments, &game, &axioms, &mut vocabulary, &limits);
    }
    let line_of = load::line_of(&game);
    let title = load::title(&game);
    let formulas = |store, style| book(&axioms, store, style, &title);
    match arguments.to {
        Form::Text => output::text(&formulas(vocabulary.store(), BookStyle::Unicode))?,
        Form::Latex => output::text(&formulas(vocabulary.store(), BookStyle::Latex))?,
        Form::Flux => output::text(&flux_program(&axioms, vocabulary.store_mut(), &title))?,
        Form::Json => output::json(&json(&axioms, vocabulary.store_mut(), &line_of))?,
    }
    Ok(Exit::Done)
}

/// Compares what the axioms say of successors with what the rules say.
fn compare(
    arguments: &Translate,
    game: &Game,
    axioms: &GameAxioms,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let mut rules = game.tabled(vocabulary, limits.clone())?;
    let mut progression = progression(game, axioms, vocabulary, limits)?;
    let default = Bounds::default();
    let bounds = Bounds {
        playouts: arguments.number.unwrap_or(default.playouts),
        ..default
    };
    let roles = game.roles().len() as u32;
    let outcome = verify(&mut rules, &mut progression, vocabulary, roles, &bounds)?;
    output::line(
        outcome
            .report(game, axioms, vocabulary)
            .to_string()
            .trim_end(),
    )?;
    match outcome.difference {
        None => Ok(Exit::Done),
        Some(_) => Ok(Exit::Internal),
    }
}
