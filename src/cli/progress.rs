//! Says on a terminal what long work does and how far it is.
//!
//! A spinner with the seconds that have passed and what is known so far; nothing if standard error is no
//! terminal, so that files and pipes get messages only.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often what is shown is renewed.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line that shows one activity after the other; it is cleared in the end.
pub(super) struct Activity(ProgressBar);

impl Activity {
    /// Shows that something is done.
    pub(super) fn start(what: &str) -> Self {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        // The template is fixed; if it were wrong, that of the library would do.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {prefix}{msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        if !bar.is_hidden() {
            bar.enable_steady_tick(INTERVAL);
        }
        Self(bar)
    }

    /// Whether nobody sees it.
    pub(super) fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Says how far it is.
    pub(super) fn tell(&self, how_far: &str) {
        self.0.set_message(format!(": {how_far}"));
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Shows a number that grows while others work.
pub(super) struct Counter {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Counter {
    /// Shows how much is done, of how much if that is known.
    pub(super) fn start(what: &'static str, done: Arc<AtomicU64>, total: Option<u64>) -> Self {
        let activity = Activity::start(what);
        if activity.is_hidden() {
            return Self {
                end: None,
                thread: None,
            };
        }
        let (end, ended) = channel();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let done = done.load(Ordering::Relaxed);
                activity.tell(&match total {
                    Some(total) => format!("{done} of {total}"),
                    None => done.to_string(),
                });
            }
        });
        Self {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // It only reads a number and shows it.
            let _ = thread.join();
        }
    }
}
