//! Best play: plans of one role, and what each of several can force.

use crate::gdl::{Game, MoveId, State, Vocabulary};
use crate::search::plan::{
    self, Decomposition, PlanAlgorithm, PlanOutcome, PlanSetting, Problem, highest_value,
};
use crate::search::versus::{self, Arena};
use crate::workbench::{Workbench, WorkbenchError};

impl Workbench {
    /// The best plan of a game of one role, and whether nothing is better.
    ///
    /// # Errors
    /// [`WorkbenchError::SeveralRoles`], or what keeps the rules from being translated and analysed. A limit that ends
    /// the search is in the outcome, with the best plan so far.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/hanoi.gdl"))?;
    /// let outcome = game.solve()?;
    /// let plan = outcome.plan.unwrap_or_default();
    /// assert_eq!(outcome.value.map(|value| value.0), Some(100));
    /// assert!(game.plan_text(&plan).iter().all(|mv| mv.starts_with('(')));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn solve(&mut self) -> Result<PlanOutcome, WorkbenchError> {
        let start = self.initial_state()?;
        self.solve_from(start)
    }

    /// The same from another state.
    ///
    /// # Errors
    /// As [`Workbench::solve`].
    pub fn solve_from(&mut self, start: State) -> Result<PlanOutcome, WorkbenchError> {
        for_one_role(&self.game, &self.vocabulary)?;
        // Copies: the search borrows the fields in which these are kept.
        let axioms = self.translate()?;
        let analysis = self.analyze()?;
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let decomposition = Decomposition::of(game, &axioms, &analysis, vocabulary, &self.limits)?;
        let setting = PlanSetting {
            start,
            highest: highest_value(game, vocabulary.store_mut()),
            states: None,
            undivided: plan::UNDIVIDED,
            limits: self.limits.clone(),
            circuit: self.player.circuit(),
        };
        let problem = Problem::new(&mut self.player, vocabulary, setting);
        Ok(plan::solve(problem, PlanAlgorithm::Auto, decomposition))
    }

    /// What each of several roles can force from a state, whatever the others do, and best play of all.
    ///
    /// # Errors
    /// [`WorkbenchError::Uncertain`]. A limit that ends the search is in the outcome, with the bounds so far.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let outcome = game.values(start)?;
    /// assert!(outcome.is_exact());
    /// assert_eq!(outcome.bounds[0].at_least.value().map(|value| value.0), Some(50));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn values(&mut self, start: State) -> Result<versus::ForcingOutcome, WorkbenchError> {
        self.versus(start, versus::ForcingAlgorithm::Auto, false)
    }

    /// What all states that can be reached from one are worth, in a table that can be kept: see
    /// [`ValueTable`](versus::ValueTable). None if they were too many for the limits.
    ///
    /// # Errors
    /// [`WorkbenchError::Uncertain`].
    pub fn value_table(
        &mut self,
        start: State,
    ) -> Result<Option<versus::ValueTable>, WorkbenchError> {
        let outcome = self.versus(start, versus::ForcingAlgorithm::Strong, true)?;
        Ok(outcome.table)
    }

    /// What each role can force, after all states that can be reached from one were solved on several threads, processes or
    /// hosts: see [`Cluster`](versus::distributed::Cluster).
    ///
    /// # Errors
    /// [`ClusterError`](versus::distributed::ClusterError).
    #[cfg(feature = "distributed")]
    pub fn strong_solution(
        &mut self,
        start: State,
        cluster: &versus::distributed::Cluster,
    ) -> Result<versus::ForcingOutcome, versus::distributed::ClusterError> {
        let setting = self.forcing_setting(start);
        versus::distributed::solve_layers(&setting, &mut self.vocabulary, cluster)
    }

    /// A search from a state, within the limits.
    fn forcing_setting(&mut self, start: State) -> versus::ForcingSetting {
        let circuit = self.player.circuit();
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        versus::ForcingSetting {
            limits: self.limits.clone(),
            ..versus::ForcingSetting::new(game, vocabulary, start, circuit)
        }
    }

    fn versus(
        &mut self,
        start: State,
        algorithm: versus::ForcingAlgorithm,
        is_tabled: bool,
    ) -> Result<versus::ForcingOutcome, WorkbenchError> {
        if let Some(uncertainty) = self.game.uncertainty(self.vocabulary.store()) {
            return Err(WorkbenchError::Uncertain(uncertainty));
        }
        let setting = versus::ForcingSetting {
            is_tabled,
            ..self.forcing_setting(start)
        };
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let arena = Arena::new(player, vocabulary, setting);
        Ok(versus::solve(arena, algorithm))
    }

    /// The moves of a plan as prefix GDL.
    pub fn plan_text(&self, plan: &[MoveId]) -> Vec<String> {
        let terms = plan.iter().map(|&mv| self.vocabulary.move_term(mv));
        terms.map(|term| self.text(term)).collect()
    }
}

/// Refuses games that are not of one role with complete information.
pub(super) fn for_one_role(game: &Game, vocabulary: &Vocabulary) -> Result<(), WorkbenchError> {
    if let Some(uncertainty) = game.uncertainty(vocabulary.store()) {
        return Err(WorkbenchError::Uncertain(uncertainty));
    }
    match game.roles().len() {
        1 => Ok(()),
        roles => Err(WorkbenchError::SeveralRoles { roles }),
    }
}
