//! `flux fmt`: the canonical text of a game, in either notation.

use clap::Args;

use crate::cli::arguments::NotationName;
use crate::cli::failure::{Exit, Failure};
use crate::cli::{input, load, output};
use crate::syntax::{Case, Diagnostic, Notation, PrintOptions, detect, parse, print_with};

/// Print the canonical text of a game
#[derive(Debug, Args)]
pub(super) struct Fmt {
    /// File with the rules; - is standard input
    game: String,
    /// Notation of the result [default: that of the game]
    #[arg(long, value_name = "NOTATION")]
    to: Option<Target>,
    /// Print nothing; exit with 1 if the text is not canonical
    #[arg(long)]
    check: bool,
    /// Notation of the game [default: found out from the text]
    #[arg(long)]
    notation: Option<NotationName>,
    /// Keep the case of symbols
    #[arg(long)]
    case_sensitive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// (<= (next (on ?x ?y)) (does robot (s ?x ?y)))
    Kif,
    /// next(on(X,Y)) :- does(robot, s(X,Y)).
    Infix,
}

pub(super) fn run(arguments: &Fmt) -> Result<Exit, Failure> {
    let source = input::read(&arguments.game)?;
    let notation = arguments
        .notation
        .map_or_else(|| detect(&source), Into::into);
    let parsed = parse(&source, notation);
    load::tell(&source, &parsed.diagnostics)?;
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Failure::told(Exit::BadInput));
    }
    let notation = match arguments.to {
        None => notation,
        Some(Target::Kif) => Notation::Prefix,
        Some(Target::Infix) => Notation::Infix,
    };
    let case = if arguments.case_sensitive {
        Case::Keep
    } else {
        Case::Fold
    };
    let text = print_with(&parsed.document, &source, PrintOptions { notation, case });
    if !arguments.check {
        output::text(&text)?;
        return Ok(Exit::Done);
    }
    if text == source.text() {
        return Ok(Exit::Done);
    }
    let same = text
        .lines()
        .zip(source.text().lines())
        .take_while(|(canonical, written)| canonical == written);
    let line = same.count() + 1;
    output::message(&format!(
        "{}:{line}: not in canonical form; flux fmt prints it",
        source.name()
    ))?;
    Ok(Exit::Negative)
}
