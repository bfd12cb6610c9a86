//! What the rules speak of in all, and many playouts one by one.

use std::sync::Arc;

use crate::circuit::{Circuit, PlayoutBatch, SeriesControl, Simulator, ground};
use crate::gdl::{Outcomes, Playouts, ReasonerError};
use crate::term::TermId;
use crate::workbench::engine::circuit;
use crate::workbench::playing::MAX_LENGTH;
use crate::workbench::{Workbench, WorkbenchError};

/// Playouts of which each is told of.
const MAX_OUTCOMES: u64 = 100_000_000;

impl Workbench {
    /// The circuit of the game: the one that plays it, or else one that is made for it.
    ///
    /// # Errors
    /// [`WorkbenchError::Ground`] if the rules have too many instances.
    pub fn circuit(&mut self) -> Result<Arc<Circuit>, WorkbenchError> {
        match self.player.circuit() {
            Some(circuit) => Ok(circuit),
            None => circuit(
                &self.game,
                &mut self.vocabulary,
                &self.limits,
                ground::MAX_RULES,
            ),
        }
    }

    /// The fluents that some state may have, as prefix GDL, in order of their text.
    ///
    /// # Errors
    /// [`WorkbenchError::Ground`] if the rules have too many instances.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// assert_eq!(game.all_fluents()?.len(), 29);
    /// assert_eq!(game.all_moves("xplayer")?.len(), 10);
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn all_fluents(&mut self) -> Result<Vec<String>, WorkbenchError> {
        let circuit = self.circuit()?;
        Ok(self.sorted(circuit.fluents.iter().map(|fluent| fluent.term)))
    }

    /// The moves that a role may have in some state, as prefix GDL, in order of their text.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`]; [`WorkbenchError::Ground`] if the rules have too many instances.
    pub fn all_moves(&mut self, role: &str) -> Result<Vec<String>, WorkbenchError> {
        let role = self.role(role)?;
        let circuit = self.circuit()?;
        let moves = circuit.moves[role.0 as usize].iter();
        Ok(self.sorted(moves.map(|mv| mv.term)))
    }

    fn sorted(&self, terms: impl Iterator<Item = TermId>) -> Vec<String> {
        let mut texts: Vec<String> = terms.map(|term| self.text(term)).collect();
        texts.sort_unstable();
        texts
    }

    /// How each of so many random playouts goes. Many at once where the circuit plays; the same seed gives the same.
    ///
    /// # Errors
    /// [`WorkbenchError::TooMany`] for more than a hundred million, [`WorkbenchError::Reasoner`] if it was stopped.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let outcomes = game.outcomes(1000, 1)?;
    /// assert!(outcomes.finished.iter().all(|&finished| finished));
    /// assert!(outcomes.lengths.iter().all(|length| (5..=9).contains(length)));
    /// // Two roles share a hundred points.
    /// let points = |pair: &[Option<flux::gdl::GoalValue>]| pair.iter().flatten().map(|v| v.0).sum();
    /// assert!(outcomes.values.chunks(2).map(points).all(|sum: u8| sum == 100));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn outcomes(&mut self, number: u64, seed: u64) -> Result<Outcomes, WorkbenchError> {
        if number > MAX_OUTCOMES {
            return Err(WorkbenchError::TooMany {
                given: number,
                limit: MAX_OUTCOMES,
            });
        }
        if let Some(circuit) = self.player.circuit() {
            let vocabulary = &mut self.vocabulary;
            let batch = PlayoutBatch {
                playouts: number,
                seed,
                max_length: MAX_LENGTH,
            };
            let control = SeriesControl {
                // What is stopped gives no outcomes, so that playouts on their way are cut and not finished.
                end: self.limits.stop.clone(),
                ..SeriesControl::default()
            };
            let (_, outcomes) = Simulator::new(circuit, vocabulary).record(batch, &control);
            self.go_on()?;
            return Ok(outcomes);
        }
        let roles = self.game.roles().len();
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let mut playouts = Playouts::new(player, vocabulary, roles as u32, seed, MAX_LENGTH)?;
        let mut outcomes = Outcomes::new(roles, number as usize);
        for number in 0..number {
            let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
            let playout = playouts.run(player, vocabulary, number)?;
            outcomes.put(number as usize, &playout);
            // Reasoners poll the flag every few thousand steps, which a short playout does not take.
            self.go_on()?;
        }
        Ok(outcomes)
    }

    /// # Errors
    /// [`WorkbenchError::Reasoner`] if a stop was asked for.
    fn go_on(&self) -> Result<(), WorkbenchError> {
        let raised = self.limits.stop.raised();
        raised.map_or(Ok(()), |reason| Err(ReasonerError::Stopped(reason).into()))
    }
}
