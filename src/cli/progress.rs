//! Says on a terminal what long work does, how far it is, and the best result so far.
//!
//! A line with the seconds that have passed; nothing if standard error is no terminal, so that files and pipes
//! get messages only.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::limits::{Progress, Seen};

/// How often what is shown is renewed.
const INTERVAL: Duration = Duration::from_millis(100);

/// Shows how far work is, until it is dropped; then the line is cleared.
pub(super) struct Display {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Display {
    /// Shows what is written into `progress`, if standard error is a terminal.
    pub(super) fn of(progress: &Progress) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self {
                end: None,
                thread: None,
            };
        }
        let progress = progress.clone();
        let (end, ended) = channel();
        let thread = std::thread::spawn(move || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // The template is fixed; if it were wrong, that of the library would do.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            // The first line comes after the first interval: work that takes less shows none.
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(words(progress.seen()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Self {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // It only reads numbers and shows them.
            let _ = thread.join();
        }
    }
}

/// `searching: 20480 states, best value 50`
fn words(seen: Seen) -> String {
    let (what, counted) = seen.stage.words();
    let mut text = what.to_owned();
    if !counted.is_empty() && (seen.done > 0 || seen.total.is_some()) {
        text += &match seen.total {
            Some(total) => format!(": {} of {total} {counted}", seen.done),
            None => format!(": {} {counted}", seen.done),
        };
    }
    if let Some(best) = seen.best {
        text += &format!(", best value {best}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Stage;

    #[test]
    fn numbers_are_said_as_far_as_they_are_known() {
        let progress = Progress::default();
        assert_eq!(words(progress.seen()), "reading");
        progress.begin(Stage::Grounding, None);
        assert_eq!(words(progress.seen()), "grounding");
        progress.reach(7);
        assert_eq!(words(progress.seen()), "grounding: 7 instances of rules");
        progress.begin(Stage::Searching, None);
        progress.reach(512);
        progress.found(50);
        assert_eq!(
            words(progress.seen()),
            "searching: 512 states, best value 50"
        );
        progress.begin(Stage::Playing, Some(100));
        assert_eq!(words(progress.seen()), "playing: 0 of 100 playouts");
    }
}
