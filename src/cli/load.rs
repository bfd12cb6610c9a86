//! From a file name to a game that can be played.

use crate::cli::arguments::GameArguments;
use crate::cli::failure::{Exit, Failure};
use crate::cli::render::{Style, render};
use crate::cli::{input, output};
use crate::gdl::{Game, RuleSheet, Vocabulary};
use crate::limits::Limits;
use crate::syntax::{Diagnostic, DiagnosticJson, Source};
use crate::term::Store;

/// Reads, checks and prepares a game; what keeps it from being played is told on standard error.
pub(super) fn game(
    arguments: &GameArguments,
    limits: &Limits,
) -> Result<(Game, Vocabulary), Failure> {
    let source = input::read(&arguments.game)?;
    let reading = arguments.reading;
    let mut store = Store::new();
    let sheet = RuleSheet::read(
        &mut store,
        &source,
        reading.notation(&source),
        reading.case(),
    );
    if sheet.has_errors() {
        let errors = sheet.diagnostics.iter();
        return Err(refuse(&source, errors.filter(|fault| fault.is_error()))?);
    }
    let game = Game::new(&mut store, source, sheet.clauses, limits)?;
    Ok((game, Vocabulary::new(store)))
}

/// The name of a game: that of its file.
pub(super) fn title(game: &Game) -> String {
    stem(game.source().name())
}

/// The name of a file without folder and extension.
pub(super) fn stem(name: &str) -> String {
    let stem = std::path::Path::new(name).file_stem();
    stem.map_or_else(
        || name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// Says on which line a rule, by index, stands.
pub(super) fn line_of(game: &Game) -> impl Fn(usize) -> usize {
    |rule| {
        let start = game.clauses()[rule].origin.span.start;
        game.source().position(start).line as usize
    }
}

/// Shows diagnostics on standard error; the failure has them for programs.
pub(super) fn refuse<'d>(
    source: &Source,
    diagnostics: impl Iterator<Item = &'d Diagnostic> + Clone,
) -> Result<Failure, Failure> {
    tell(source, diagnostics.clone())?;
    let diagnostics = diagnostics.map(|diagnostic| DiagnosticJson::of(source, diagnostic));
    Ok(Failure::told(Exit::BadInput).with(diagnostics.collect()))
}

/// Shows diagnostics on standard error.
pub(super) fn tell<'d>(
    source: &Source,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Result<(), Failure> {
    for diagnostic in diagnostics {
        // The stream drops colours if it is no terminal.
        let message = render(source, diagnostic, Style::Terminal);
        output::message(&format!("{message}\n"))?;
    }
    Ok(())
}
