//! States and moves: the game as it is played, by chance and by choice, and what holds in its states.

use std::collections::BTreeMap;

use crate::circuit::{PlayoutBatch, SeriesControl, Simulator};
use crate::gdl::{
    GoalValue, Playout, Playouts, Reasoner, ReasonerError, RoleId, State, Statistics,
};
use crate::limits::{Limits, Stage};
use crate::term::TermId;
use crate::workbench::{Workbench, WorkbenchError};

/// Joint moves after which a random playout is given up.
pub(super) const MAX_LENGTH: u64 = 10_000;

/// Playouts that are on their way at once.
const LANES: usize = 512;

impl Workbench {
    /// The state in which the game starts.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`], as with all questions about states.
    pub fn initial_state(&mut self) -> Result<State, WorkbenchError> {
        Ok(self.player.initial_state(&mut self.vocabulary)?)
    }

    /// The fluents that hold in a state, as prefix GDL, in order of their text.
    pub fn fluents(&self, state: &State) -> Vec<String> {
        let fluents = state.fluents();
        let terms = fluents.map(|fluent| self.vocabulary.fluent_term(fluent));
        let mut texts: Vec<String> = terms.map(|term| self.text(term)).collect();
        texts.sort_unstable();
        texts
    }

    /// Whether the game is over in a state.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, WorkbenchError> {
        Ok(self.player.is_terminal(&mut self.vocabulary, state)?)
    }

    /// The goal value of a role in a state, 0 to 100; none if the rules give none or several.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`], [`WorkbenchError::Reasoner`].
    pub fn goal_value(
        &mut self,
        state: &State,
        role: &str,
    ) -> Result<Option<GoalValue>, WorkbenchError> {
        let role = self.role(role)?;
        let goal = self.player.goal(&mut self.vocabulary, state, role)?;
        Ok(goal.value())
    }

    /// The legal moves of a role in a state, as prefix GDL, in a fixed order.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`], [`WorkbenchError::Reasoner`].
    pub fn legal_moves(
        &mut self,
        state: &State,
        role: &str,
    ) -> Result<Vec<String>, WorkbenchError> {
        let role = self.role(role)?;
        let mut moves = Vec::new();
        self.player
            .legal_moves(&mut self.vocabulary, state, role, &mut moves)?;
        let terms = moves.into_iter().map(|mv| self.vocabulary.move_term(mv));
        Ok(terms.map(|term| self.text(term)).collect())
    }

    /// The state after a joint move: one legal move for each role, in the order of the roles, in the notation of the
    /// rules or as prefix GDL.
    ///
    /// # Errors
    /// [`WorkbenchError::MoveCount`], [`WorkbenchError::NotAMove`], [`WorkbenchError::Illegal`],
    /// [`WorkbenchError::Reasoner`].
    pub fn play(&mut self, state: &State, joint_move: &[&str]) -> Result<State, WorkbenchError> {
        let roles = self.game.roles().len();
        if joint_move.len() != roles {
            return Err(WorkbenchError::MoveCount {
                given: joint_move.len(),
                roles,
            });
        }
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for (number, text) in joint_move.iter().enumerate() {
            let mv = self.parse_move(text)?;
            let role = RoleId(number as u32);
            self.player
                .legal_moves(&mut self.vocabulary, state, role, &mut legal)?;
            if !legal.contains(&mv) {
                return Err(WorkbenchError::Illegal {
                    mv: self.text(self.vocabulary.move_term(mv)),
                    role: self.text(self.game.roles()[number]),
                });
            }
            moves.push(mv);
        }
        Ok(self.player.successor(&mut self.vocabulary, state, &moves)?)
    }

    /// A random playout; the same number gives the same one.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    ///
    /// # Examples
    /// ```
    /// use flux::gdl::Ending;
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let playout = game.playout(7)?;
    /// assert!((5..=9).contains(&playout.length) && matches!(playout.ending, Ending::Terminal(_)));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn playout(&mut self, number: u64) -> Result<Playout, WorkbenchError> {
        let roles = self.game.roles().len() as u32;
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let mut playouts = Playouts::new(player, vocabulary, roles, 0, MAX_LENGTH)?;
        Ok(playouts.run(player, vocabulary, number)?)
    }

    /// The instances of a condition that hold in a state: for each, its variables with their values, as prefix GDL; each
    /// once, in order of discovery. A condition without variables has one answer, without values, if it holds.
    ///
    /// The condition is one that a rule may have, in the notation of the rules or as prefix GDL; several stand in `and`.
    ///
    /// # Errors
    /// [`WorkbenchError::NotACondition`]; [`WorkbenchError::Game`] if nothing binds a variable of a `distinct`.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let free = game.query(&start, "(and (true (cell 2 ?y b)) (not (true (cell 1 ?y x))))")?;
    /// assert_eq!(free.len(), 3);
    /// assert_eq!(free[0]["y"], "1");
    /// assert!(game.query(&start, "terminal")?.is_empty());
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn query(
        &mut self,
        state: &State,
        condition: &str,
    ) -> Result<Vec<BTreeMap<String, String>>, WorkbenchError> {
        let (condition, names) = self.parse(condition).ok_or(WorkbenchError::NotACondition {
            text: condition.to_owned(),
        })?;
        let vocabulary = &mut self.vocabulary;
        let mut query = self.game.query(vocabulary, condition, &self.limits)?;
        let answers = query.answers(vocabulary, state)?;
        let named = |answer: Box<[TermId]>| {
            let values = answer.iter().map(|&value| self.text(value));
            let variables = query.variables().iter();
            let names = variables.map(|&variable| names[variable as usize].clone());
            names.zip(values).collect()
        };
        Ok(answers.into_iter().map(named).collect())
    }

    /// How so many random playouts go: how many end, what each role gets, how long they are. Many at once where the
    /// circuit plays; the same seed gives the same. If a stop is asked for, those that were played until then.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let statistics = game.playouts(10_000, 1)?;
    /// assert_eq!(statistics.finished, 10_000);
    /// assert!(statistics.payoffs[0].mean() > statistics.payoffs[1].mean());
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn playouts(&mut self, number: u64, seed: u64) -> Result<Statistics, WorkbenchError> {
        let Limits { stop, progress, .. } = self.limits.clone();
        progress.begin(Stage::Playing, Some(number));
        if let Some(circuit) = self.player.circuit() {
            let batch = PlayoutBatch {
                playouts: number,
                seed,
                max_length: MAX_LENGTH,
            };
            let control = SeriesControl {
                stop,
                done: progress.counter(),
                ..SeriesControl::default()
            };
            let simulator = Simulator::new(circuit, &mut self.vocabulary);
            return Ok(simulator.run(batch, LANES, &control).statistics);
        }
        let mut statistics = Statistics::new(self.game.roles().len());
        match self.one_by_one((number, seed), &mut statistics) {
            // What was played until the stop is a result, as it is where the circuit plays.
            Err(ReasonerError::Stopped(reason)) if stop.raised() == Some(reason) => {}
            played => played?,
        }
        Ok(statistics)
    }

    /// So many playouts with this seed, one after the other.
    fn one_by_one(
        &mut self,
        (number, seed): (u64, u64),
        statistics: &mut Statistics,
    ) -> Result<(), ReasonerError> {
        let roles = self.game.roles().len() as u32;
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let mut playouts = Playouts::new(player, vocabulary, roles, seed, MAX_LENGTH)?;
        for number in 0..number {
            // Reasoners poll the flag every few thousand steps, which a short playout does not take.
            self.limits.stop.poll().map_err(ReasonerError::Stopped)?;
            statistics.take(&playouts.run(player, vocabulary, number)?);
            self.limits.progress.reach(number + 1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Seen, StopReason};
    use crate::syntax::Source;
    use crate::workbench::Engine;

    const ENGINES: [Engine; 3] = [Engine::Circuit, Engine::Tabled, Engine::Fluent];

    fn tic_tac_toe(engine: Engine) -> Workbench {
        let source = Source::new("game", include_str!("../../kb/games/tic_tac_toe.gdl"));
        let game = Workbench::with(source, engine, Limits::default());
        game.unwrap_or_else(|error| unreachable!("{error}"))
    }

    #[test]
    fn playouts_are_counted_while_they_are_made() {
        for engine in ENGINES {
            let mut game = tic_tac_toe(engine);
            let statistics = game.playouts(20, 1);
            assert_eq!(statistics.map(|all| all.finished).ok(), Some(20));
            let seen = game.limits.progress.seen();
            assert_eq!((seen.stage, seen.done), (Stage::Playing, 20), "{engine:?}");
            assert_eq!(seen.total, Some(20), "{engine:?}");
        }
    }

    #[test]
    fn a_stop_leaves_the_playouts_that_were_made() {
        for engine in ENGINES {
            let mut game = tic_tac_toe(engine);
            let Limits { stop, progress, .. } = game.limits.clone();
            let watch = std::thread::spawn(move || {
                // The translation of the rules counts its steps, too.
                let is_under_way = |seen: Seen| seen.stage == Stage::Playing && seen.done > 0;
                while !is_under_way(progress.seen()) {
                    std::thread::yield_now();
                }
                stop.raise(StopReason::Interrupted);
            });
            let made = game.playouts(u64::MAX, 1).map(|all| all.playouts());
            assert!(
                watch.join().is_ok() && made.is_ok_and(|made| made > 0),
                "{engine:?}"
            );
        }
    }
}
