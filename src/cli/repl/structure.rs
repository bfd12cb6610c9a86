//! `:analyze` and `:why-edge`: what the game is made of.

use crate::analysis;
use crate::cli::analyze::explain;
use crate::cli::failure::{Exit, Failure};
use crate::cli::repl::session::{Session, no_game};
use crate::cli::{load, output};

/// `:analyze`
pub(super) fn analyze(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let title = load::title(walk.game());
    let (analysis, _) = walk.analysis(&limits)?;
    let analysis = analysis.clone();
    output::text(&analysis::text(&analysis, walk.store(), &title))
}

/// `:why-edge`
pub(super) fn why_edge(session: &mut Session, edge: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let (analysis, axioms) = walk.analysis(&limits)?;
    let (analysis, axioms) = (analysis.clone(), axioms.clone());
    let game = walk.game().clone();
    let store = walk.vocabulary_mut().store_mut();
    match explain(&analysis, &axioms, &game, store, edge, &limits)? {
        Exit::Negative => Err(Failure::told(Exit::Negative)),
        Exit::Done | Exit::Limit | Exit::BadInput | Exit::Internal => Ok(()),
    }
}
