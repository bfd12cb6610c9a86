//! `:analyze` and `:why-edge`: what the game is made of.

use crate::analysis;
use crate::cli::analyze::explain;
use crate::cli::failure::{Exit, Failure};
use crate::cli::repl::session::{Session, no_game};
use crate::cli::repl::walk::Analyzed;
use crate::cli::{load, output};

/// `:analyze`
pub(super) fn analyze(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let known = walk.analysis(&limits)?;
    let title = load::title(known.game);
    output::text(&analysis::text(known.analysis, known.store, &title))
}

/// `:why-edge`
pub(super) fn why_edge(session: &mut Session, edge: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let Analyzed {
        game,
        axioms,
        analysis,
        store,
    } = walk.analysis(&limits)?;
    match explain(analysis, axioms, game, store, edge, &limits)? {
        Exit::Negative => Err(Failure::told(Exit::Negative)),
        Exit::Done | Exit::Limit | Exit::BadInput | Exit::Internal => Ok(()),
    }
}
