//! The processes of a cluster on one machine: the same command as this one, each told which it is.

use std::ffi::OsString;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::cli::failure::{Exit, Failure};
use crate::limits::{StopFlag, StopReason};

/// Time between two looks at whether processes are there.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time in which a process ends by itself once the others have.
const GRACE: u32 = 100;

/// Processes that were started; they are ended with this one.
#[derive(Debug, Default)]
pub(super) struct Processes(Vec<Child>);

impl Processes {
    /// Starts all processes of so many but the first, which is this one; the addresses of all.
    pub(super) fn start(&mut self, count: usize) -> Result<Vec<String>, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(
                Exit::BadInput,
                format!("a process cannot be started: {error}"),
            )
        };
        let addresses = free_addresses(count).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let own = arguments(std::env::args_os().skip(1));
        if own.iter().any(|argument| argument == "-") {
            return Err(Failure::bad_input(
                "--processes starts the same command several times, which cannot all read standard input",
            ));
        }
        for process in 1..count {
            let mut child = Command::new(&program)
                .args(&own)
                .args(["--hosts", "-", "--process", &process.to_string()])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .map_err(failed)?;
            let told = child.stdin.take().map_or(Ok(()), |mut input| {
                input.write_all(addresses.join("\n").as_bytes())
            });
            self.0.push(child);
            told.map_err(failed)?;
        }
        Ok(addresses)
    }

    /// Raises `stop` if a process ends, until the watch is stopped.
    pub(super) fn watch(mut self, stop: &StopFlag) -> ProcessWatch {
        let is_over = Arc::new(AtomicBool::new(false));
        if self.0.is_empty() {
            return ProcessWatch {
                is_over,
                thread: None,
            };
        }
        let (stop, over) = (stop.clone(), Arc::clone(&is_over));
        let thread = thread::spawn(move || {
            let mut first = None;
            while first.is_none() && !over.load(Ordering::Relaxed) {
                thread::sleep(INTERVAL);
                first = self.failed();
            }
            // Where all were stopped, as by Ctrl-C, that one has ended before the others is no news.
            if stop.raised().is_some() {
                first = None;
            } else if first.is_some() {
                stop.raise(StopReason::Interrupted);
            }
            while !over.load(Ordering::Relaxed) {
                thread::sleep(INTERVAL);
            }
            self.wait();
            first
        });
        ProcessWatch {
            is_over,
            thread: Some(thread),
        }
    }

    /// What there is to say of a process that has ended otherwise than it should.
    fn failed(&mut self) -> Option<String> {
        self.0.iter_mut().zip(1..).find_map(|(child, number)| {
            let status = child.try_wait().ok().flatten()?;
            (!status.success()).then(|| format!("process {number} has ended: {status}"))
        })
    }

    /// Waits until all have ended, for a while.
    fn wait(&mut self) {
        for _ in 0..GRACE {
            let ended = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
            if self.0.iter_mut().all(ended) {
                return;
            }
            thread::sleep(INTERVAL);
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // Whoever has ended by itself cannot be ended again.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A look at processes from time to time.
pub(super) struct ProcessWatch {
    is_over: Arc<AtomicBool>,
    /// None if there is nothing to look at.
    thread: Option<JoinHandle<Option<String>>>,
}

impl ProcessWatch {
    /// Stops looking; what there is to say of a process that ended too early, if one did.
    pub(super) fn stop(self) -> Option<String> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread?.join().ok().flatten()
    }
}

/// Addresses of this machine that no process is bound to.
fn free_addresses(count: usize) -> std::io::Result<Vec<String>> {
    // All at once, so that no port comes twice.
    let listeners = (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    let listeners = listeners.collect::<std::io::Result<Vec<_>>>()?;
    let addresses = listeners.iter().map(TcpListener::local_addr);
    addresses.map(|address| Ok(address?.to_string())).collect()
}

/// The arguments of this command without the number of processes.
fn arguments(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut all = all;
    while let Some(argument) = all.next() {
        if argument == "--processes" {
            all.next();
        } else if !argument.to_string_lossy().starts_with("--processes=") {
            kept.push(argument);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_is_left_out() {
        for given in [
            &["solve", "--processes", "2", "g"][..],
            &["solve", "g", "--processes=2"],
        ] {
            let given = given.iter().map(OsString::from);
            assert_eq!(arguments(given), ["solve", "g"]);
        }
    }
}
