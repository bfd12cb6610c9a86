//! Properties of the game.

use crate::circuit::ground;
use crate::prove::{self, Finding, GroundedGame, PropertyQuestion, Prover};
use crate::workbench::engine::circuit;
use crate::workbench::forcing::decide;
use crate::workbench::{Workbench, WorkbenchError};

impl Workbench {
    /// Whether a property holds of the game: one with a name, such as `terminates` or `playable:white`, or a formula.
    ///
    /// # Errors
    /// [`WorkbenchError::Property`] if it is none, [`WorkbenchError::Ground`] if the rules have too many instances.
    /// What limits keep from being found out is [`prove::Verdict::Open`].
    ///
    /// # Examples
    /// ```
    /// use flux::prove::Verdict;
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let finding = game.prove("terminates")?;
    /// assert_eq!((finding.verdict, finding.bound), (Verdict::Proved, Some(9)));
    /// let finding = game.prove("(always (not (and (true (cell 1 1 x)) (true (cell 1 1 o)))))")?;
    /// assert_eq!(finding.verdict, Verdict::Proved);
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn prove(&mut self, property: &str) -> Result<Finding, WorkbenchError> {
        let roles = self.roles();
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        // Signals for the rules make the circuit larger, and are of use for this property alone.
        let (circuit, rules) = if property == prove::PropertyKind::RulesApply.name() {
            let grounded = prove::ground(game, vocabulary, &self.limits, ground::MAX_RULES)?;
            (grounded.circuit, grounded.rules)
        } else {
            let circuit = circuit(game, vocabulary, &self.limits, ground::MAX_RULES)?;
            (circuit, Vec::new())
        };
        let question =
            PropertyQuestion::parse(property, &circuit, game.roles(), &roles, vocabulary)?;
        let subject = GroundedGame {
            game,
            circuit: &circuit,
            rules: &rules,
        };
        let effort = prove::ProofEffort::default();
        let questions = [question];
        let mut prover = Prover::new(subject, &questions, vocabulary, effort, &self.limits)?;
        let question = (0, &questions[0]);
        decide(&mut prover, question, (game, vocabulary), &self.limits)
    }
}
