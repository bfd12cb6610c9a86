//! What the rules of the game mean, and what the game is made of.

use crate::analysis::{Analysis, analyze};
use crate::circuit::{PlanningTask, ground};
use crate::decomposition::{self, DecompositionEffort};
use crate::fluent::{BookStyle, GameAxioms, book, translate};
use crate::gdl::{Game, Vocabulary, answer_set_program};
use crate::limits::Limits;
use crate::workbench::engine::circuit;
use crate::workbench::solving::for_one_role;
use crate::workbench::{Workbench, WorkbenchError};

impl Workbench {
    /// The axioms of the fluent calculus that the rules mean.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    pub fn translate(&mut self) -> Result<GameAxioms, WorkbenchError> {
        Ok(self.translated()?.clone())
    }

    /// The same, kept from the first call on.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    pub fn translated(&mut self) -> Result<&GameAxioms, WorkbenchError> {
        keep(&mut self.axioms, || {
            Ok(translate(&self.game, &mut self.vocabulary, &self.limits)?)
        })
    }

    /// The same as text.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// assert!(game.axioms("blocks world")?.contains("Poss"));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn axioms(&mut self, title: &str) -> Result<String, WorkbenchError> {
        let axioms = self.translate()?;
        let store = self.vocabulary.store();
        Ok(book(&axioms, store, BookStyle::Unicode, title))
    }

    /// The plays of at most so many joint moves as an answer set program for clingo.
    ///
    /// # Errors
    /// [`WorkbenchError::Cases`] if a rule has too many alternatives.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// let program = game.answer_set_program("blocks world", 3)?;
    /// assert!(program.contains("1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), goes_on(T)."));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn answer_set_program(
        &mut self,
        title: &str,
        horizon: u32,
    ) -> Result<String, WorkbenchError> {
        let store = self.vocabulary.store_mut();
        Ok(answer_set_program(&self.game, store, title, horizon)?)
    }

    /// The game as a planning task in PDDL: a domain, a problem for each goal value, and the moves of plans.
    ///
    /// # Errors
    /// [`WorkbenchError::SeveralRoles`], [`WorkbenchError::Uncertain`]; [`WorkbenchError::Ground`] and
    /// [`WorkbenchError::Planning`] if the game is too large, or has no end with a goal value.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// let task = game.planning_task("blocks world")?;
    /// assert!(task.domain().contains("(:action s-a-b"));
    /// assert!(task.problem(task.values()[0]).is_some_and(|problem| problem.contains("(:goal")));
    /// assert_eq!(task.moves("(u-c-a)\n(s-b-c)\n(s-a-b)"), Ok(vec!["(u c a)", "(s b c)", "(s a b)"]));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn planning_task(&mut self, title: &str) -> Result<PlanningTask, WorkbenchError> {
        planning_task(&self.game, &mut self.vocabulary, title, &self.limits)
    }

    /// What the game is made of, at the level of detail that says most.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`], [`WorkbenchError::TooFine`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/incredible.gdl"))?;
    /// assert_eq!(game.analyze()?.structure.subgames.len(), 3);
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn analyze(&mut self) -> Result<Analysis, WorkbenchError> {
        Ok(self.analyzed()?.clone())
    }

    /// The same, kept from the first call on.
    ///
    /// # Errors
    /// As [`Workbench::analyze`].
    pub fn analyzed(&mut self) -> Result<&Analysis, WorkbenchError> {
        // Field by field: `translated` would borrow the whole value, of which the store is needed below.
        let axioms = keep(&mut self.axioms, || {
            Ok(translate(&self.game, &mut self.vocabulary, &self.limits)?)
        })?;
        keep(&mut self.analysis, || {
            let store = self.vocabulary.store_mut();
            Ok(analyze(axioms, store, None, &self.limits)?)
        })
    }

    /// The games that the game is made of, in the function that its rules compute, with proofs.
    ///
    /// # Errors
    /// [`WorkbenchError::Ground`] if the rules have too many instances, [`WorkbenchError::Undecomposed`] if the game
    /// is too large otherwise or a limit is reached.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/incredible.gdl"))?;
    /// let found = game.decompose()?;
    /// assert!(found.is_certified());
    /// assert_eq!((found.parts.len(), found.autonomous.len()), (2, 1));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn decompose(&mut self) -> Result<decomposition::Decomposition, WorkbenchError> {
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let circuit = circuit(game, vocabulary, &self.limits, ground::MAX_RULES)?;
        let found =
            decomposition::decompose(&circuit, &DecompositionEffort::default(), &self.limits)?;
        Ok(found)
    }
}

/// What a place holds; made and put there if it is empty.
fn keep<T>(
    place: &mut Option<T>,
    make: impl FnOnce() -> Result<T, WorkbenchError>,
) -> Result<&T, WorkbenchError> {
    // If `make` fails, the place stays empty, and the next call tries again.
    let kept = match place.take() {
        Some(kept) => kept,
        None => make()?,
    };
    Ok(place.insert(kept))
}

/// The planning task of a game of one role.
///
/// # Errors
/// As [`Workbench::planning_task`].
pub fn planning_task(
    game: &Game,
    vocabulary: &mut Vocabulary,
    title: &str,
    limits: &Limits,
) -> Result<PlanningTask, WorkbenchError> {
    for_one_role(game, vocabulary)?;
    let circuit = circuit(game, vocabulary, limits, ground::MAX_RULES)?;
    Ok(PlanningTask::new(
        &circuit,
        vocabulary.store(),
        title,
        limits,
    )?)
}
