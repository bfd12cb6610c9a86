//! One version of a text, studied step by step.

use crate::gdl::{Game, Keywords, RuleSheet, Vocabulary};
use crate::limits::Limits;
use crate::serve::lsp::sheet::MAX_TEXT;
use crate::serve::lsp::sheet::knowledge::{Domains, Effects, Start, effects, start, values};
use crate::syntax::{Diagnostic, Notation, Source, detect};
use crate::term::{Case, Store};
use crate::workbench::WorkbenchError;

/// A text whose rules can be played.
#[derive(Debug)]
pub struct Study {
    game: Game,
    vocabulary: Vocabulary,
    notation: Notation,
    keywords: Keywords,
}

/// Everything that is wrong or odd about a text, in its order; and the text for further study, if it can be played.
pub fn diagnose(source: &Source, limits: &Limits) -> (Vec<Diagnostic>, Option<Study>) {
    // A text that is not read has no faults; a newer one has its own.
    if source.text().len() > MAX_TEXT || limits.stop.raised().is_some() {
        return (Vec::new(), None);
    }
    let notation = detect(source);
    let mut store = Store::new();
    let mut sheet = RuleSheet::read(&mut store, source, notation, Case::Fold);
    // A text that was edited meanwhile needs no lints.
    if limits.stop.raised().is_none() {
        sheet.lint(&mut store, source);
    }
    sheet.allow_commented(source);
    let mut study = None;
    if !sheet.has_errors() {
        let keywords = Keywords::of(&mut store);
        // What cannot be prepared for play has a diagnostic, or reached a limit.
        let game = Game::new(&mut store, source.clone(), sheet.clauses, limits);
        study = game.ok().map(|game| Study {
            game,
            vocabulary: Vocabulary::new(store),
            notation,
            keywords,
        });
    }
    (sheet.diagnostics, study)
}

impl Study {
    /// Which terms can stand where.
    pub fn domains(&self) -> Domains {
        let store = self.vocabulary.store();
        values::collect(store, &self.keywords, self.game.clauses(), self.notation)
    }

    /// What holds in the initial state.
    ///
    /// # Errors
    /// [`WorkbenchError`] if a limit was reached.
    pub fn start(&mut self, limits: &Limits) -> Result<Start, WorkbenchError> {
        start::collect(&self.game, &mut self.vocabulary, self.notation, limits)
    }

    /// What the moves change.
    ///
    /// # Errors
    /// [`WorkbenchError`] if a limit was reached.
    pub fn effects(&mut self, limits: &Limits) -> Result<Effects, WorkbenchError> {
        effects::collect(&self.game, &mut self.vocabulary, limits)
    }
}
