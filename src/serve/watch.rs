//! A thread beside some work that raises a flag: when time runs out, or when a look that it takes again and again finds
//! a reason.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::limits::{StopFlag, StopReason};

/// Watches over one piece of work; stops watching when dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Raises `flag` after `time`, or when a look finds a reason. Looks are taken at least as often as `interval` says,
    /// each with the time that has passed, and go on when the time is up.
    pub(crate) fn start(
        flag: StopFlag,
        time: Option<Duration>,
        interval: Duration,
        mut look: impl FnMut(Duration) -> Option<StopReason> + Send + 'static,
    ) -> Self {
        let (end, ended) = channel();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            loop {
                // The thread wakes when the time is up; after that nothing is left, and looks have their own pace.
                let left = time.map(|time| time.saturating_sub(start.elapsed()));
                let left = left.filter(|left| !left.is_zero());
                let wait = left.unwrap_or(interval).min(interval);
                // Nothing is ever sent: the channel is a sleep that ends at once when the watch is dropped.
                match ended.recv_timeout(wait) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
                let passed = start.elapsed();
                if time.is_some_and(|time| passed >= time) {
                    flag.raise(StopReason::TimeLimit);
                }
                if let Some(reason) = look(passed) {
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

/// A reason to stop if more than so many bytes are in use.
pub(crate) fn over_memory(most: usize) -> Option<StopReason> {
    let used = memory_stats::memory_stats();
    // Where the system does not tell what is in use, memory is not limited.
    let is_full = used.is_some_and(|used| used.physical_mem > most);
    is_full.then_some(StopReason::MemoryLimit)
}
