//! Raises the stop flag: when time or memory runs out, or somebody presses Ctrl-C.

use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cli::arguments::LimitArguments;
use crate::cli::failure::Failure;
use crate::limits::{Limits, StopFlag, StopReason};

/// How often the memory in use, or another flag, is looked at: what grows by a gigabyte a second is noticed within
/// ten megabytes.
const INTERVAL: Duration = Duration::from_millis(10);

pub(super) const MEGABYTE: usize = 1 << 20;

/// Watches over one evaluation; stops watching when dropped.
#[derive(Debug)]
pub(super) struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Raises `flag` after `time`, or when more than `memory` bytes are in use.
    pub(super) fn start(flag: StopFlag, time: Option<Duration>, memory: usize) -> Self {
        Self::new(flag, time, move || {
            let used = memory_stats::memory_stats();
            let is_full = used.is_some_and(|used| used.physical_mem > memory);
            is_full.then_some(StopReason::MemoryLimit)
        })
    }

    /// Raises `flag` after `time`, or when a look that is taken again and again finds a reason.
    fn new(
        flag: StopFlag,
        time: Option<Duration>,
        look: impl Fn() -> Option<StopReason> + Send + 'static,
    ) -> Self {
        let (end, ended) = channel();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            loop {
                let left = time.map(|time| time.saturating_sub(start.elapsed()));
                // When the time is up, looks are still taken, at their own pace.
                let left = left.filter(|left| !left.is_zero());
                let wait = left.unwrap_or(INTERVAL).min(INTERVAL);
                match ended.recv_timeout(wait) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
                if time.is_some_and(|time| start.elapsed() >= time) {
                    flag.raise(StopReason::TimeLimit);
                }
                if let Some(reason) = look() {
                    flag.raise(reason);
                }
            }
        });
        Self {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // The thread only sleeps and reads counters; it has nothing to report.
            let _ = thread.join();
        }
    }
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
    let watch = Watch::start(stop.clone(), time, bytes);
    Ok((
        Limits {
            steps: arguments.max_steps,
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
    if let Some(reason) = all.raised() {
        stop.raise(reason);
    }
    Watch::new(stop.clone(), time, move || all.raised())
}

/// What is on its way when a flag is raised may go on for a twentieth of the time that has passed, but for
/// this at least.
const LEAST_GRACE: Duration = Duration::from_millis(100);

/// Raises `end` some time after `stop` is raised, a twentieth of the time that has passed by then.
pub(super) fn after(stop: &StopFlag, end: &StopFlag) -> Watch {
    let (stop, flag) = (stop.clone(), end.clone());
    let start = Instant::now();
    let deadline = OnceLock::new();
    Watch::new(flag, None, move || {
        let reason = stop.raised()?;
        let passed = start.elapsed();
        let deadline = deadline.get_or_init(|| passed + (passed / 20).max(LEAST_GRACE));
        (passed >= *deadline).then_some(reason)
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
