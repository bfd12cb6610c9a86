//! Where a strong solution is computed, and what may go wrong there.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::gdl::Uncertainty;

/// The threads, processes and hosts that compute a strong solution, and where its layers are kept.
///
/// # Examples
/// ```
/// use flux::search::versus::distributed::Cluster;
/// use flux::workbench::Workbench;
///
/// let mut game = Workbench::read(include_str!("../../../../kb/games/tic_tac_toe.gdl"))?;
/// let start = game.initial_state()?;
/// let outcome = game.strong_solution(start, &Cluster::of_threads(2))?;
/// let tally = outcome.tally.expect("few states");
/// assert_eq!((tally.positions, tally.won, tally.drawn, tally.lost), (5478, 2936, 1068, 1474));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Threads of each process.
    pub(super) threads: usize,
    /// By process, the address at which it listens; empty if there is one process.
    pub(super) addresses: Vec<String>,
    /// Which of the processes this is.
    pub(super) process: usize,
    /// Where layers are kept; none if that is memory.
    pub(super) directory: Option<PathBuf>,
    /// Bytes that the tables of a process may take; none means no bound.
    pub(super) table_bytes: Option<u64>,
}

impl Cluster {
    /// Workers of one process, with layers in memory.
    pub fn of_threads(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            addresses: Vec::new(),
            process: 0,
            directory: None,
            table_bytes: None,
        }
    }

    /// One process of several, which listen at addresses (`host:port`), all with as many threads. Each of them has to be
    /// started, with the same game and the same list.
    ///
    /// Messages are neither encrypted nor signed: addresses should be those of a network that is trusted.
    #[must_use]
    pub fn among(self, addresses: Vec<String>, process: usize) -> Self {
        Self {
            addresses,
            process,
            ..self
        }
    }

    /// Keeps layers in a directory, as checkpoints: the next start with the same directory goes on after the last layer
    /// that was finished. Processes may share a directory, or have one each on their own hosts.
    #[must_use]
    pub fn in_directory(self, directory: &Path) -> Self {
        Self {
            directory: Some(directory.to_owned()),
            ..self
        }
    }

    /// Bounds the bytes of the tables in which a process looks successors up. If the table of a layer has more, it is made a
    /// part at a time, and the layer before is expanded once for each part.
    #[must_use]
    pub fn with_tables_of(self, bytes: u64) -> Self {
        Self {
            table_bytes: Some(bytes),
            ..self
        }
    }

    pub(super) fn processes(&self) -> usize {
        self.addresses.len().max(1)
    }
}

/// Why a strong solution cannot be computed on several threads, processes or hosts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// Values are not for games of chance or hidden information.
    #[error("{}", .0.refusal("solving"))]
    Uncertain(Uncertainty),
    /// There are more workers than shards, or the number of a process is not one of the list.
    #[error("{0}")]
    Setting(String),
    /// A file or directory cannot be written or read, or is not that of the solution.
    #[error("{}: {reason}", path.display())]
    File {
        /// Of the file or directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process cannot be reached, or solves something else.
    #[error("{address}: {reason}")]
    Connection {
        /// Of the other process, or of this one where it cannot listen.
        address: String,
        /// What went wrong.
        reason: String,
    },
    /// One worker says what went wrong.
    #[error("worker {worker} of {workers}: {reason}")]
    Worker {
        /// Its number.
        worker: usize,
        /// How many there are.
        workers: usize,
        /// What went wrong.
        reason: String,
    },
    /// A process has ended while others needed it.
    #[error("another process has ended, and with it this one")]
    Lost,
}
