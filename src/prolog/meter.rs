//! The limits, as seen from loops whose length a term decides.
//!
//! Terms may be as large as memory allows for, and terms that share much are small in memory and
//! endless on paper. Copying, comparing or writing one must not outlast the limits. Such a loop calls
//! [`Heap::may_go_on`] once a round; when that says no it ends with any result, and whoever asked the
//! heap sees from [`Heap::stopped`] that the result is none:
//!
//! - the machine looks behind each built-in, before it backtracks and before it catches;
//! - what keeps a result (clauses, tables, output) looks before it does so.

use crate::limits::{Limits, StopReason};
use crate::prolog::error::{self, Interruption};
use crate::prolog::heap::Heap;

/// Rounds between two looks at the limits; to a limit on steps, so many rounds are one.
const ROUNDS: u32 = 2048;

/// What the loops over terms may still do.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    /// Rounds until the next look.
    rounds: u32,
    steps: u64,
    limits: Limits,
    stopped: Option<StopReason>,
    /// A loop met a cyclic term where only a finite one has a result.
    pub(super) met_cycle: bool,
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
}

impl Heap {
    /// Counts a round of a loop that holds so many bytes; says whether the limits allow the next.
    #[inline(always)]
    pub(crate) fn may_go_on(&mut self, bytes: usize) -> bool {
        self.meter.rounds -= 1;
        self.meter.rounds > 0 || self.look_at_limits(bytes)
    }

    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self, bytes: usize) -> bool {
        let used = bytes + self.cells.len() * size_of::<crate::prolog::cell::Cell>();
        let meter = &mut self.meter;
        meter.steps += 1;
        if meter.stopped.is_none() {
            meter.stopped = match (meter.limits.steps, meter.limits.bytes) {
                (Some(steps), _) if meter.steps > steps => Some(StopReason::StepLimit(steps)),
                (_, Some(bytes)) if used > bytes => Some(StopReason::MemoryLimit),
                _ => meter.limits.stop.raised(),
            };
        }
        // Once stopped, every later loop ends in its first round.
        meter.rounds = if meter.stopped.is_some() { 1 } else { ROUNDS };
        meter.stopped.is_none()
    }

    /// # Errors
    /// If a loop was ended by a limit since the query began, or by a cyclic term: its result is of no use.
    #[inline(always)]
    pub(crate) fn stopped(&mut self) -> Result<(), Interruption> {
        if self.meter.stopped.is_none() && !self.meter.met_cycle {
            return Ok(());
        }
        Err(self.why_stopped())
    }

    #[cold]
    fn why_stopped(&mut self) -> Interruption {
        self.meter.met_cycle = false;
        match self.meter.stopped {
            None => error::representation_error(self, "cyclic_term"),
            Some(reason) => Interruption::Limit(reason),
        }
    }
}
