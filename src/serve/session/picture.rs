//! What a game is made of, as data and as pictures.

use crate::analysis::{View, domain_view};
use crate::drawing::{self, Drawing};
use crate::gdl::{Flow, Game, Keywords};
use crate::serve::protocol::{Analyzed, Failure, Picture, ViewName};
use crate::serve::session::game::Opened;

/// Nodes of a picture that can still be read.
const MOST_NODES: usize = 80;

/// How much of a graph is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    pub(super) most: Option<usize>,
    pub(super) depth: Option<usize>,
    pub(super) only: Option<String>,
}

impl Opened {
    /// What the game is made of.
    pub(super) fn analysis(&mut self) -> Result<Analyzed, Failure> {
        Ok(Analyzed {
            analysis: self.workbench.analysis_report()?,
        })
    }

    /// Draws a graph in as much detail as asked for.
    pub(super) fn picture(&mut self, view: ViewName, detail: Detail) -> Result<Picture, Failure> {
        let drawing = match of(view) {
            Some(view) => self.drawn(view)?,
            None => self.domains(),
        };
        let (drawing, left_out) = drawing.condensed(&drawing::Detail {
            // An empty text is part of every label, and would leave out nothing.
            only: detail.only.filter(|text| !text.is_empty()),
            depth: detail.depth,
            // 0 asks for all nodes, as `--max-nodes 0` does.
            most: Some(detail.most.unwrap_or(MOST_NODES)).filter(|&most| most > 0),
        });
        Ok(Picture {
            svg: drawing.svg(),
            note: left_out
                .note()
                .map(|note| format!("the picture shows {note}")),
        })
    }

    fn drawn(&mut self, view: View) -> Result<Drawing, Failure> {
        let title = self.workbench.parts().game.source().name().to_owned();
        Ok(self.workbench.view(view, &title)?)
    }

    fn domains(&mut self) -> Drawing {
        let parts = self.workbench.parts();
        let (game, store) = (parts.game, parts.vocabulary.store_mut());
        let keywords = Keywords::of(store);
        let flow = Flow::of(store, &keywords, game.clauses());
        let title = game.source().name().to_owned();
        domain_view(&flow, store, &title, &|rule| line_of(game, rule))
    }
}

fn of(view: ViewName) -> Option<View> {
    Some(match view {
        ViewName::Dependency => View::Dependency,
        ViewName::Effects => View::Effects,
        ViewName::Calls => View::Calls,
        ViewName::Concepts => View::Concepts,
        ViewName::Subgames => View::Subgames,
        ViewName::Domains => return None,
    })
}

/// On which line a rule, by index, stands.
fn line_of(game: &Game, rule: usize) -> usize {
    let span = game.clauses()[rule].origin.span;
    game.source().line(span) as usize
}
