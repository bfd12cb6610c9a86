//! What a game is made of, as data and as pictures.

use rustc_hash::FxHashMap;

use crate::analysis::{
    self, Analysis, Level, View, analyze, domain_view, json, related_by_definition,
};
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
        let limits = self.limits.clone();
        self.analyzed()?;
        let axioms = self.translated()?.clone();
        let Some(analysis) = &self.analysis else {
            unreachable!("it was analysed");
        };
        let parts = self.workbench.parts();
        let (game, store) = (parts.game, parts.vocabulary.store_mut());
        let related = match analysis.level {
            Level::Symbol => related_by_definition(&axioms, store, &analysis.structure, &limits),
            Level::Partial | Level::Ground => FxHashMap::default(),
        };
        Ok(Analyzed {
            analysis: json(analysis, store, &related, &|rule| line_of(game, rule)),
        })
    }

    /// Draws a graph in as much detail as asked for.
    pub(super) fn picture(&mut self, view: ViewName, detail: Detail) -> Result<Picture, Failure> {
        let drawing = match of(view) {
            Some(view) => self.drawn(view)?,
            None => self.domains(),
        };
        let (drawing, left_out) = drawing.condensed(&drawing::Detail {
            only: detail.only.filter(|text| !text.is_empty()),
            depth: detail.depth,
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
        self.analyzed()?;
        let Some(analysis) = &self.analysis else {
            unreachable!("it was analysed");
        };
        let parts = self.workbench.parts();
        let (game, store) = (parts.game, parts.vocabulary.store());
        let title = game.source().name().to_owned();
        Ok(analysis::view(analysis, store, view, &title, &|rule| {
            line_of(game, rule)
        }))
    }

    fn domains(&mut self) -> Drawing {
        let parts = self.workbench.parts();
        let (game, store) = (parts.game, parts.vocabulary.store_mut());
        let keywords = Keywords::of(store);
        let flow = Flow::of(store, &keywords, game.clauses());
        let title = game.source().name().to_owned();
        domain_view(&flow, store, &title, &|rule| line_of(game, rule))
    }

    /// Analyses the game at the first call.
    fn analyzed(&mut self) -> Result<&Analysis, Failure> {
        let analysis = match self.analysis.take() {
            Some(analysis) => analysis,
            None => {
                let limits = self.limits.clone();
                let axioms = self.translated()?.clone();
                let store = self.workbench.parts().vocabulary.store_mut();
                analyze(&axioms, store, None, &limits)?
            }
        };
        Ok(self.analysis.insert(analysis))
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
