//! Many games at once, a move in each at a time.

use crate::circuit::{Lockstep, Restart, Turns};
use crate::gdl::State;
use crate::workbench::{Workbench, WorkbenchError};

/// Bytes that the games of one lockstep may take.
const MAX_BYTES: usize = 4 << 30;

impl Workbench {
    /// So many games side by side, in their initial states; see [`Lockstep::new`]. They stand on the circuit, whatever
    /// engine plays otherwise.
    ///
    /// # Errors
    /// [`WorkbenchError::Ground`] if the rules have too many instances, [`WorkbenchError::TooManyGames`].
    ///
    /// # Examples
    /// ```
    /// use flux::circuit::{Restart, LockstepView, Turns};
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let mut games = game.lockstep(1000, None, (Restart::SameStep, None))?;
    /// assert_eq!(games.turns(), Turns::One);
    ///
    /// let mut moves = vec![0; 1000];
    /// let mut over = vec![0; 1000];
    /// for _ in 0..4 {
    ///     games.draw(&mut moves);
    ///     let mut seen = LockstepView { over: &mut over, ..LockstepView::default() };
    ///     games.step(&moves, &mut seen)?;
    ///     // Nobody wins before the fifth move.
    ///     assert!(over.iter().all(|&over| over == 0));
    /// }
    /// let state = game.state_of(&games, 999).ok_or("no such game")?;
    /// assert_eq!(game.fluents(&state).len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lockstep(
        &mut self,
        games: usize,
        turns: Option<Turns>,
        (restart, max_length): (Restart, Option<u32>),
    ) -> Result<Lockstep, WorkbenchError> {
        let circuit = self.circuit()?;
        let limit = MAX_BYTES / Lockstep::bytes_a_game(&circuit);
        if games > limit {
            return Err(WorkbenchError::TooManyGames {
                given: games,
                limit,
            });
        }
        Ok(Lockstep::new(circuit, games, turns, (restart, max_length)))
    }

    /// The state of one of many games; none if there is no such game.
    pub fn state_of(&mut self, games: &Lockstep, game: usize) -> Option<State> {
        games.state(game, &mut self.vocabulary)
    }
}
