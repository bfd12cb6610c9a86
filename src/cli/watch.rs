//! Raises the stop flag: when time or memory runs out, or somebody presses Ctrl-C.

use std::time::{Duration, Instant};

use crate::cli::arguments::LimitArguments;
use crate::cli::failure::Failure;
use crate::limits::{Limits, StopFlag, StopReason};
use crate::serve::watch::{Watch, over_memory};

/// How often the memory in use, or another flag, is looked at: what grows by a gigabyte a second is noticed within
/// ten megabytes.
const INTERVAL: Duration = Duration::from_millis(10);

pub(super) const MEGABYTE: usize = 1 << 20;

/// Raises `flag` after `time`, or when more than `memory` bytes are in use.
pub(super) fn start(flag: StopFlag, time: Option<Duration>, memory: usize) -> Watch {
    Watch::start(flag, time, INTERVAL, move |_| over_memory(memory))
}

/// Limits for a command, and the watch that enforces them as long as it lives.
pub(super) fn limits(arguments: &LimitArguments) -> Result<(Limits, Watch), Failure> {
    let stop = StopFlag::default();
    raise_on_interrupt(&stop)?;
    let time = match arguments.max_seconds {
        None => None,
        Some(seconds) => Some(seconds_of(seconds, "--max-seconds")?),
    };
    let bytes = arguments.max_memory.saturating_mul(MEGABYTE);
    let watch = start(stop.clone(), time, bytes);
    Ok((
        Limits {
            steps: arguments.max_steps,
            // Twice: an evaluator bounds what it counts itself, and the watch sees all that the program has.
            bytes: Some(bytes),
            stop,
            ..Limits::default()
        },
        watch,
    ))
}

/// Limits for a part of a command: they end it with the whole, and after some time of its own.
pub(super) fn part(whole: &Limits, time: Option<Duration>) -> (Limits, Watch) {
    let stop = StopFlag::default();
    let watch = over(&stop, whole, time);
    (
        Limits {
            stop,
            ..whole.clone()
        },
        watch,
    )
}

/// Raises `stop` with the whole, and after some time of its own.
pub(super) fn over(stop: &StopFlag, whole: &Limits, time: Option<Duration>) -> Watch {
    let all = whole.stop.clone();
    // At once: a part of a whole that is stopped does not begin.
    if let Some(reason) = all.raised() {
        stop.raise(reason);
    }
    Watch::start(stop.clone(), time, INTERVAL, move |_| all.raised())
}

/// The time of several questions that build on the same work. What one of them leaves is for those after it; what the
/// common work has taken, all that are left pay in equal shares.
pub(super) struct SharedTime {
    each: Duration,
    /// Questions that have not had their time yet.
    open: u32,
    granted: Duration,
    start: Instant,
}

impl SharedTime {
    /// Grants so many questions so much on average, from now on.
    pub(super) fn new(each: Duration, questions: usize) -> Self {
        Self {
            each,
            open: u32::try_from(questions).unwrap_or(u32::MAX),
            granted: Duration::ZERO,
            start: Instant::now(),
        }
    }

    /// The time of all questions together.
    fn all(&self) -> Duration {
        let open = self.each.saturating_mul(self.open);
        self.granted.saturating_add(open)
    }

    /// The time for what questions have in common: until half of what they have together has passed, whichever of them
    /// asks for it, so that none of them is left without.
    pub(super) fn common(&self) -> Duration {
        (self.all() / 2).saturating_sub(self.start.elapsed())
    }

    /// A share of what is left once all questions have had their time, for so many of them that are asked again.
    pub(super) fn rest(&self, questions: usize) -> Duration {
        let left = self.all().saturating_sub(self.start.elapsed());
        left / u32::try_from(questions).unwrap_or(u32::MAX).max(1)
    }

    /// The time of the next question: its own, and what those before it have left, or its share of what is left.
    pub(super) fn grant(&mut self) -> Duration {
        let share = self.all().saturating_sub(self.start.elapsed()) / self.open.max(1);
        self.open = self.open.saturating_sub(1);
        self.granted = self.granted.saturating_add(self.each);
        let left = self.granted.saturating_sub(self.start.elapsed());
        left.max(share)
    }
}

/// What is on its way when a flag is raised may go on for a twentieth of the time that has passed, but for
/// this at least.
const LEAST_GRACE: Duration = Duration::from_millis(100);

/// Raises `end` some time after `stop` is raised, a twentieth of the time that has passed by then.
pub(super) fn after(stop: &StopFlag, end: &StopFlag) -> Watch {
    let (stop, flag) = (stop.clone(), end.clone());
    let mut deadline = None;
    Watch::start(flag, None, INTERVAL, move |passed| {
        let reason = stop.raised()?;
        // The grace begins with the first look that finds the flag raised.
        let deadline = *deadline.get_or_insert_with(|| passed + (passed / 20).max(LEAST_GRACE));
        (passed >= deadline).then_some(reason)
    })
}

/// A length of time given on the command line.
pub(super) fn seconds_of(seconds: f64, option: &str) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        Failure::bad_input(format!(
            "{option} {seconds} is not a length of time in seconds"
        ))
    })
}

/// Makes Ctrl-C raise the flag instead of ending the program; a second Ctrl-C ends it.
pub(super) fn raise_on_interrupt(stop: &StopFlag) -> Result<(), Failure> {
    let stop = stop.clone();
    let handler = move || {
        if stop.raised() == Some(StopReason::Interrupted) {
            // 128 and the number of the signal, as shells have it.
            std::process::exit(130);
        }
        stop.raise(StopReason::Interrupted);
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::new(crate::cli::failure::Exit::Internal, error.to_string()))
}

/// How often Ctrl-C is pressed in vain before the program ends after all.
const PATIENCE: u32 = 5;

/// Makes every Ctrl-C raise the flag, for dialogues that clear it before each evaluation. Only
/// pressing it again and again, while an evaluation does not stop, ends the program.
pub(super) fn raise_on_interrupts(stop: &StopFlag) -> Result<(), Failure> {
    let stop = stop.clone();
    let mut in_vain = 0;
    let handler = move || {
        // The flag is cleared before each line, so that a raised one means that nothing has stopped since.
        in_vain = match stop.raised() {
            Some(_) => in_vain + 1,
            None => 0,
        };
        if in_vain == PATIENCE {
            std::process::exit(130);
        }
        stop.raise(StopReason::Interrupted);
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::new(crate::cli::failure::Exit::Internal, error.to_string()))
}
