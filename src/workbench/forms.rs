//! A game as a text of another kind.

use crate::analysis::{
    AnalysisReport, Level, View, json as analysis_json, related_by_definition, view,
};
use crate::drawing::Drawing;
use crate::fluent::{BookStyle, book, flux_program, json};
use crate::syntax::{self, Notation, PrintOptions, parse, print_with};
use crate::workbench::{Workbench, WorkbenchError};

/// What a game is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Axioms as formulas in plain text.
    Text,
    /// Axioms as a LaTeX document.
    Latex,
    /// Axioms for programs.
    Json,
    /// A program in Prolog, to be loaded after the kernel.
    Flux,
    /// The rules in prefix notation.
    Kif,
    /// The rules in infix notation.
    Infix,
}

impl Form {
    /// All forms, by the names that select them.
    pub const ALL: [(&'static str, Form); 6] = [
        ("text", Form::Text),
        ("latex", Form::Latex),
        ("json", Form::Json),
        ("flux", Form::Flux),
        ("kif", Form::Kif),
        ("infix", Form::Infix),
    ];
}

impl Workbench {
    /// The game, or the axioms that its rules mean, as a text.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::{Form, Workbench};
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// assert!(game.written(Form::Infix, "blocks world")?.contains("role(robot)."));
    /// assert!(game.written(Form::Latex, "blocks world")?.contains("begin{document}"));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn written(&mut self, form: Form, title: &str) -> Result<String, WorkbenchError> {
        let style = match form {
            Form::Kif => return Ok(self.rules(Notation::Prefix)),
            Form::Infix => return Ok(self.rules(Notation::Infix)),
            Form::Text => BookStyle::Unicode,
            Form::Latex => BookStyle::Latex,
            Form::Json => {
                let axioms = self.translate()?;
                let line_of = line_of(&self.game);
                let axioms = json(&axioms, self.vocabulary.store_mut(), &line_of);
                return Ok(written(&axioms));
            }
            Form::Flux => {
                let axioms = self.translate()?;
                return Ok(flux_program(&axioms, self.vocabulary.store_mut(), title));
            }
        };
        let axioms = self.translate()?;
        Ok(book(&axioms, self.vocabulary.store(), style, title))
    }

    /// The rules in canonical form.
    fn rules(&self, notation: Notation) -> String {
        // From the text: its comments belong to the canonical form, and clauses have none.
        let source = self.game.source();
        let parsed = parse(source, self.notation);
        let case = syntax::Case::Fold;
        print_with(&parsed.document, source, PrintOptions { notation, case })
    }

    /// What the game is made of, as JSON: what `flux analyze --format json` prints.
    ///
    /// # Errors
    /// As [`Workbench::analyze`].
    pub fn analysis_json(&mut self) -> Result<String, WorkbenchError> {
        Ok(written(&self.analysis_report()?))
    }

    /// The same as a value.
    ///
    /// # Errors
    /// As [`Workbench::analyze`].
    pub fn analysis_report(&mut self) -> Result<AnalysisReport, WorkbenchError> {
        let axioms = self.translate()?;
        let analysis = self.analyze()?;
        let line_of = line_of(&self.game);
        let store = self.vocabulary.store_mut();
        let related = match analysis.level {
            Level::Symbol => {
                related_by_definition(&axioms, store, &analysis.structure, &self.limits)
            }
            Level::Partial | Level::Ground => Default::default(),
        };
        Ok(analysis_json(&analysis, store, &related, &line_of))
    }

    /// A picture of what the game is made of.
    ///
    /// # Errors
    /// As [`Workbench::analyze`].
    ///
    /// # Examples
    /// ```
    /// use flux::analysis::View;
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// assert!(game.view(View::Dependency, "blocks world")?.svg().contains("<svg"));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn view(&mut self, what: View, title: &str) -> Result<Drawing, WorkbenchError> {
        let analysis = self.analyze()?;
        let line_of = line_of(&self.game);
        Ok(view(
            &analysis,
            self.vocabulary.store(),
            what,
            title,
            &line_of,
        ))
    }
}

/// Says on which line a rule, by index, stands.
fn line_of(game: &crate::gdl::Game) -> impl Fn(usize) -> usize {
    |rule| game.source().line(game.clauses()[rule].origin.span) as usize
}

/// A report as text. Reports have no keys but names and no numbers but finite ones, so that nothing can fail.
fn written(report: &impl serde::Serialize) -> String {
    serde_json::to_string(report).unwrap_or_default()
}
