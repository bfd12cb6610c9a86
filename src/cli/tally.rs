//! What came of playouts, on one thread or several, and what the rules should not have allowed.

use crate::cli::shown;
use crate::gdl::{Ending, Game, Playout, ReasonerError, Vocabulary};

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
    /// The game cannot be played on.
    Broken,
    /// A playout was given up.
    TooLong,
    /// A payoff is missing or is none.
    Payoff,
}

/// The playouts of one or more threads together.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) playouts: u64,
    pub(super) states: u64,
    pub(super) length: u64,
    /// For each role, the sum of its payoffs and the number of playouts that define one.
    pub(super) goals: Vec<(u64, u64)>,
    pub(super) stopped: Option<ReasonerError>,
    /// The worst thing that the rules should not allow, in the earliest playout.
    pub(super) fault: Option<Fault>,
}

impl Tally {
    /// No playouts of a game of so many roles.
    pub(super) fn new(roles: usize) -> Self {
        Self {
            playouts: 0,
            states: 0,
            length: 0,
            goals: vec![(0, 0); roles],
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
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            total
        })
    }

    /// Counts a playout. False if the series cannot go on because of what went wrong in it.
    pub(super) fn take(
        &mut self,
        game: &Game,
        vocabulary: &Vocabulary,
        number: u64,
        playout: &Playout,
    ) -> bool {
        self.playouts += 1;
        self.length += playout.length;
        self.count(&playout.ending);
        let Some(fault) = fault(game, vocabulary, number, playout, &self.fault) else {
            return true;
        };
        let goes_on = fault.gravity == Gravity::Payoff;
        self.blame(Some(fault));
        goes_on
    }

    fn count(&mut self, ending: &Ending) {
        let Ending::Terminal(goals) = ending else {
            return;
        };
        for (sum, goal) in self.goals.iter_mut().zip(goals) {
            if let Some(value) = goal.value() {
                sum.0 += u64::from(value.0);
                sum.1 += 1;
            }
        }
    }

    /// Takes the fault of a playout of the circuit in.
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

    fn add(&mut self, other: Tally) {
        self.playouts += other.playouts;
        self.states += other.states;
        self.length += other.length;
        for (sum, more) in self.goals.iter_mut().zip(other.goals) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
        self.stopped = self.stopped.or(other.stopped);
        self.blame(other.fault);
    }

    /// Keeps the worst fault.
    fn blame(&mut self, fault: Option<Fault>) {
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
    let moves = match playout.length {
        1 => "1 move".to_owned(),
        length => format!("{length} moves"),
    };
    let state = || shown::state(vocabulary, &playout.last);
    let (gravity, message) = match &playout.ending {
        // One is told of; looking for words again and again would cost more than the playouts.
        Ending::Terminal(_) if known.is_some() => return None,
        Ending::Terminal(goals) => {
            let mut goals = game.roles().iter().zip(goals);
            let fault =
                goals.find_map(|(&role, goal)| shown::goal_fault(vocabulary, role, goal))?;
            let message = format!("{fault} after {moves}, in the state {}", state());
            (Gravity::Payoff, message)
        }
        Ending::TooLong => (
            Gravity::TooLong,
            format!("the game did not end within {moves}; --max-length allows for more"),
        ),
        Ending::NoLegalMove(role) => {
            let role = shown::mention(vocabulary, game.roles()[role.0 as usize]);
            let message = format!(
                "{role} has no legal move after {moves}, and the game is not over, in the state {}",
                state()
            );
            (Gravity::Broken, message)
        }
    };
    Some(Fault {
        gravity,
        playout: number,
        message,
    })
}
