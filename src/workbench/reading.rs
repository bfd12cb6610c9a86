//! The value itself: how it is made from a text, what it lends, and its terms as texts.

use crate::analysis::{Analysis, Board};
use crate::fluent::GameAxioms;
use crate::gdl::{Game, MoveId, RoleId, RuleSheet, Vocabulary};
use crate::limits::Limits;
use crate::syntax::{Diagnostic, Notation, OperatorTable, Source, detect, parse_term};
use crate::term::{Case, Lowering, Prefix, Store, TermId};
use crate::workbench::engine::{Engine, Player};
use crate::workbench::error::WorkbenchError;

/// A game, its terms, and a reasoner that plays it.
#[derive(Clone, Debug)]
pub struct Workbench {
    pub(super) game: Game,
    pub(super) vocabulary: Vocabulary,
    pub(super) player: Player,
    pub(super) notation: Notation,
    pub(super) limits: Limits,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The kinds of boards; none before the first question about one.
    pub(super) boards: Option<Vec<Board>>,
    /// The axioms; none before the first question about them.
    pub(super) axioms: Option<GameAxioms>,
    /// What the game is made of; none before the first question about it.
    pub(super) analysis: Option<Analysis>,
}

/// What the layers take: a game, its vocabulary, a reasoner.
#[derive(Debug)]
pub struct Parts<'w> {
    /// The rules.
    pub game: &'w Game,
    /// The terms, fluents and moves of the game.
    pub vocabulary: &'w mut Vocabulary,
    /// What answers questions about states.
    pub player: &'w mut Player,
}

impl Workbench {
    /// Reads the rules of a game, in prefix or infix notation, and prepares the circuit or, where that is too large,
    /// the evaluator of the rules.
    ///
    /// # Errors
    /// [`WorkbenchError::Unplayable`] if the rules have errors ([`diagnose`] lists them all), or what keeps them from
    /// being evaluated.
    pub fn read(text: &str) -> Result<Self, WorkbenchError> {
        Self::with(Source::new("game", text), Engine::Auto, Limits::default())
    }

    /// The same for a named text, with a reasoner of choice and limits.
    ///
    /// # Errors
    /// As [`Workbench::read`], and if a limit was reached.
    pub fn with(source: Source, engine: Engine, limits: Limits) -> Result<Self, WorkbenchError> {
        let notation = detect(&source);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, notation, Case::Fold);
        if let Some(error) = sheet.diagnostics.iter().find(|one| one.is_error()) {
            return Err(WorkbenchError::Unplayable {
                first: error.message.clone(),
            });
        }
        let game = Game::new(&mut store, source, sheet.clauses, &limits)?;
        let mut workbench = Self::of(game, Vocabulary::new(store), engine, limits)?;
        workbench.diagnostics = sheet.diagnostics;
        Ok(workbench)
    }

    /// The same for a game that was read, with its vocabulary; what was found in its text is not known then.
    ///
    /// # Errors
    /// As [`Workbench::with`], but for what is wrong with the text.
    pub fn of(
        game: Game,
        mut vocabulary: Vocabulary,
        engine: Engine,
        limits: Limits,
    ) -> Result<Self, WorkbenchError> {
        let player = Player::new(engine, &game, &mut vocabulary, None, &limits)?;
        Ok(Self {
            notation: detect(game.source()),
            game,
            vocabulary,
            player,
            limits,
            diagnostics: Vec::new(),
            boards: None,
            axioms: None,
            analysis: None,
        })
    }

    /// The warnings about the rules, in the order of the text.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The names of the roles, in the order of the rules.
    pub fn roles(&self) -> Vec<String> {
        let roles = self.game.roles().iter();
        roles.map(|&role| self.text(role)).collect()
    }

    /// What the functions of the layers take.
    pub fn parts(&mut self) -> Parts<'_> {
        Parts {
            game: &self.game,
            vocabulary: &mut self.vocabulary,
            player: &mut self.player,
        }
    }

    /// The role of a name.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`].
    pub fn role(&self, name: &str) -> Result<RoleId, WorkbenchError> {
        let roles = self.game.roles();
        let found = roles.iter().position(|&role| self.text(role) == name);
        match found {
            Some(number) => Ok(RoleId(number as u32)),
            None => Err(WorkbenchError::NoRole {
                name: name.to_owned(),
            }),
        }
    }

    /// The move that a text means, in the notation of the rules or as prefix GDL; it need not be one of the game.
    ///
    /// # Errors
    /// [`WorkbenchError::NotAMove`] if it is no ground term.
    pub fn parse_move(&mut self, text: &str) -> Result<MoveId, WorkbenchError> {
        match self.parse(text) {
            Some((term, names)) if names.is_empty() => Ok(self.vocabulary.mv(term)),
            _ => Err(WorkbenchError::NotAMove {
                text: text.to_owned(),
            }),
        }
    }

    /// A term in the notation of the rules or in the prefix one, with the names of its variables by number.
    pub(super) fn parse(&mut self, text: &str) -> Option<(TermId, Vec<String>)> {
        let source = Source::new("term", text);
        let store = self.vocabulary.store_mut();
        // Prefix comes second: it would read the `f(x)` of an infix game as two terms, `f` and `(x)`.
        [self.notation, Notation::Prefix]
            .into_iter()
            .find_map(|notation| {
                let parsed = parse_term(&source, notation, &OperatorTable::prolog());
                let (document, node) = parsed.ok()?;
                let mut lowering = Lowering::new(&document, &source, Case::Fold);
                let term = lowering.term(store, node);
                let names = lowering.variables().into_iter();
                Some((
                    term,
                    names.map(|name| store.name(name).to_owned()).collect(),
                ))
            })
    }

    pub(super) fn text(&self, term: TermId) -> String {
        Prefix::new(self.vocabulary.store(), term).to_string()
    }
}

/// Everything that is wrong with a text as the rules of a game, in the order of the text; empty if nothing is.
///
/// # Examples
/// ```
/// let faults = flux::workbench::diagnose("(role robot) (<= terminal (true (step ?n)");
/// assert!(faults.iter().any(|fault| fault.message.contains("never closed") || fault.is_error()));
/// ```
pub fn diagnose(text: &str) -> Vec<Diagnostic> {
    diagnose_source(&Source::new("game", text))
}

/// The same for a named text.
pub fn diagnose_source(source: &Source) -> Vec<Diagnostic> {
    RuleSheet::read(&mut Store::new(), source, detect(source), Case::Fold).diagnostics
}
