//! What came of playouts, on one thread or several, and what the rules should not have allowed.

use crate::cli::shown;
use crate::gdl::{Ending, Game, Playout, ReasonerError, Statistics, Vocabulary};

/// Something that the rules of a game should not allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fault {
    pub(super) gravity: Gravity,
    /// Number of the playout.
    playout: u64,
    pub(super) message: String,
}

/// What a fault means for the series; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gravity {
    /// A role has no legal move.
    Broken,
    /// A playout was given up.
    TooLong,
    /// A payoff is missing or is none.
    Payoff,
}

/// The playouts of one or more threads together.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) states: u64,
    pub(super) statistics: Statistics,
    pub(super) stopped: Option<ReasonerError>,
    /// The worst thing that the rules should not allow, in the earliest playout.
    pub(super) fault: Option<Fault>,
}

impl Tally {
    /// No playouts of a game of so many roles.
    pub(super) fn new(roles: usize) -> Self {
        Self {
            states: 0,
            statistics: Statistics::new(roles),
            stopped: None,
            fault: None,
        }
    }

    /// The playouts of some threads, which are given their numbers.
    pub(super) fn of_threads(
        threads: u64,
        roles: usize,
        work: impl Fn(u64) -> Tally + Sync,
    ) -> Self {
        let work = &work;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || work(thread)))
                .collect();
            let mut total = Self::new(roles);
            for thread in threads {
                match thread.join() {
                    Ok(tally) => total.add(tally),
                    // The program catches it where it sets the exit code for bugs.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            total
        })
    }

    /// Counts a playout.
    pub(super) fn take(
        &mut self,
        game: &Game,
        vocabulary: &Vocabulary,
        number: u64,
        playout: &Playout,
    ) {
        self.statistics.take(playout);
        self.blame_playout(game, vocabulary, number, playout);
    }

    /// Keeps the fault of a playout if it is worse than what is known.
    pub(super) fn blame_playout(
        &mut self,
        game: &Game,
        vocabulary: &Vocabulary,
        number: u64,
        playout: &Playout,
    ) {
        let fault = fault(game, vocabulary, number, playout, &self.fault);
        self.blame(fault);
    }

    /// Adds what came of other playouts.
    pub(super) fn add(&mut self, other: Tally) {
        self.states += other.states;
        self.statistics.extend(&other.statistics);
        self.stopped = self.stopped.or(other.stopped);
        self.blame(other.fault);
    }

    /// Keeps the worst fault.
    fn blame(&mut self, fault: Option<Fault>) {
        // By gravity and then by number, so that the fault does not depend on the number of threads.
        self.fault = [self.fault.take(), fault].into_iter().flatten().min();
    }
}

/// What the rules should not have allowed in a playout.
fn fault(
    game: &Game,
    vocabulary: &Vocabulary,
    number: u64,
    playout: &Playout,
    known: &Option<Fault>,
) -> Option<Fault> {
    let gravity = match &playout.ending {
        Ending::NoLegalMove(_) => Gravity::Broken,
        Ending::TooLong => Gravity::TooLong,
        Ending::Terminal(_) => Gravity::Payoff,
    };
    // One of each kind is enough; words for all would cost more than the playouts.
    if known.as_ref().is_some_and(|known| known.gravity <= gravity) {
        return None;
    }
    let moves = || match playout.length {
        1 => "1 move".to_owned(),
        length => format!("{length} moves"),
    };
    let state = || shown::state(vocabulary, &playout.last);
    let message = match &playout.ending {
        Ending::Terminal(goals) => {
            let mut goals = game.roles().iter().zip(goals);
            let fault =
                goals.find_map(|(&role, goal)| shown::goal_fault(vocabulary, role, goal))?;
            format!("{fault} after {}, in the state {}", moves(), state())
        }
        Ending::TooLong => {
            format!(
                "the game did not end within {}; --max-length allows for more",
                moves()
            )
        }
        Ending::NoLegalMove(role) => {
            let role = shown::mention(vocabulary, game.roles()[role.0 as usize]);
            format!(
                "{role} has no legal move after {}, and the game is not over, in the state {}",
                moves(),
                state()
            )
        }
    };
    Some(Fault {
        gravity,
        playout: number,
        message,
    })
}
