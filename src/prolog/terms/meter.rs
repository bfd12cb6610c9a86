//! The limits, as seen from loops whose length a term decides.
//!
//! Terms may be as large as memory allows for, and terms that share much are small in memory and
//! endless on paper. Copying, comparing or writing one must not outlast the limits. Such a loop calls
//! [`super::heap::Heap::may_go_on`] once a round; when that says no it ends with any result, and whoever
//! reads the result learns from
//! [`super::heap::Heap::stopped`] that it is none:
//!
//! - the machine looks behind each built-in, before it backtracks and before it catches;
//! - what keeps a result (clauses, tables, output) looks before it does so.

use crate::limits::{Limits, StopReason};

/// Rounds between two looks at the limits; to a limit on steps, so many rounds are one.
const ROUNDS: u32 = 2048;

/// What the loops over terms may still do.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    /// Rounds until the next look.
    rounds: u32,
    steps: u64,
    limits: Limits,
    /// The limit that ended a loop.
    pub(in crate::prolog) stopped: Option<StopReason>,
    /// A loop met a cyclic term where only a finite one has a result.
    pub(in crate::prolog) met_cycle: bool,
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            rounds: ROUNDS,
            steps: 0,
            limits: limits.clone(),
            stopped: None,
            met_cycle: false,
        }
    }

    /// Counts a round; says whether the next one comes before the next look at the limits.
    #[inline(always)]
    pub(in crate::prolog) fn count_round(&mut self) -> bool {
        self.rounds -= 1;
        self.rounds > 0
    }

    /// Counts several rounds at once.
    #[inline(always)]
    pub(in crate::prolog) fn count_rounds(&mut self, rounds: usize) -> bool {
        let left = (self.rounds as usize).saturating_sub(rounds);
        self.rounds = left as u32;
        left > 0
    }

    /// Looks at the limits with so many bytes in use; says whether they allow the next round.
    pub(in crate::prolog) fn look_at_limits(&mut self, used: usize) -> bool {
        self.steps += 1;
        if self.stopped.is_none() {
            self.stopped = match (self.limits.steps, self.limits.bytes) {
                (Some(steps), _) if self.steps > steps => Some(StopReason::StepLimit(steps)),
                (_, Some(bytes)) if used > bytes => Some(StopReason::MemoryLimit),
                _ => self.limits.stop.raised(),
            };
        }
        // Once stopped, every later loop ends in its first round.
        self.rounds = if self.stopped.is_some() { 1 } else { ROUNDS };
        self.stopped.is_none()
    }
}
