//! From a file name to a game that can be played.

use crate::cli::GameArguments;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::engine::Limits;
use crate::gdl::{Game, Vocabulary};
use crate::syntax::{Diagnostic, Source, detect, parse};
use crate::term::{Case, Lowering, Store};

/// Reads, checks and prepares a game; what is wrong with it is told on standard error.
pub(super) fn game(
    arguments: &GameArguments,
    limits: &Limits,
) -> Result<(Game, Vocabulary), Failure> {
    let source = input::read(&arguments.game)?;
    let notation = arguments
        .notation
        .map_or_else(|| detect(&source), Into::into);
    let parsed = parse(&source, notation);
    tell(&source, &parsed.diagnostics)?;
    let case = if arguments.case_sensitive {
        Case::Keep
    } else {
        Case::Fold
    };
    let mut store = Store::new();
    let mut lowering = Lowering::new(&parsed.document, &source, case);
    let clauses = lowering.clauses(&mut store);
    let game = Game::new(&mut store, source, clauses, limits)?;
    Ok((game, Vocabulary::new(store)))
}

fn tell(source: &Source, diagnostics: &[Diagnostic]) -> Result<(), Failure> {
    for diagnostic in diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
    {
        let position = source.position(diagnostic.span.start);
        crate::cli::output::error_line(&format!(
            "{}:{position}: {}",
            source.name(),
            diagnostic.message
        ));
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(Failure::told(Exit::BadInput))
    } else {
        Ok(())
    }
}
