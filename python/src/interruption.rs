//! Work without the interpreter lock, and its end by Ctrl-C or a time limit.
//!
//! Short work runs in the thread that asks for it. Long work runs in one of its own, while the one that asks looks for
//! signals every few milliseconds: Python runs its signal handlers in its main thread only, and only when asked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use flux::limits::{StopFlag, StopReason};
use pyo3::prelude::*;

use crate::failure::{Class, exception, panicked};

/// Between two looks for signals.
const GLANCE: Duration = Duration::from_millis(20);

/// Bytes of the stack of a worker, as that of a main thread.
const STACK: usize = 8 << 20;

/// Runs work that takes no longer than a call may.
pub(crate) fn short<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|payload| panicked(py, payload.as_ref()))
}

/// Runs work that polls a flag, which is raised by a signal or when so many seconds are over. Whoever works clears it before it begins.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    seconds: Option<f64>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let limit = seconds.map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("seconds: {error}")))
    });
    let deadline = limit
        .transpose()?
        .and_then(|limit| Instant::now().checked_add(limit));
    let (is_done, waits) = (&AtomicBool::new(false), thread::current());
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                let result = catch_unwind(AssertUnwindSafe(work));
                is_done.store(true, Ordering::Release);
                waits.unpark();
                result
            });
        let worker = worker.map_err(|error| {
            exception(py, Class::Limit, format!("no thread to work in: {error}"))
        })?;
        let mut signal = Ok(());
        while !is_done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(GLANCE));
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.raise(StopReason::TimeLimit);
            }
            if signal.is_ok() {
                signal = py.check_signals();
            }
            // Raised again and again, since whoever works takes back what was raised before it began.
            if signal.is_err() {
                stop.raise(StopReason::Interrupted);
            }
        }
        let result = py.detach(|| worker.join());
        signal?;
        result
            .and_then(|result| result)
            .map_err(|payload| panicked(py, payload.as_ref()))
    })
}
