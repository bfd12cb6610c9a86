//! Strong solutions on several threads, processes and hosts: what is asked for, and how processes end.

use std::path::PathBuf;

use clap::Args;

use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::versus::processes::Processes;
use crate::gdl::Vocabulary;
use crate::limits::{Limits, StopReason};
use crate::search::versus::distributed::{Cluster, ClusterError, solve_layers};
use crate::search::versus::{ForcingOutcome, ForcingSetting};

/// The part of `--max-memory` that tables of a layer may take.
const TABLE_SHARE: u64 = 2;

/// On what a strong solution is computed.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ClusterArguments {
    /// Several players, with --strong: layer by layer on so many threads (of each process)
    #[arg(long, value_name = "T", requires = "strong", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Several players, with --strong: on so many processes of this machine
    #[arg(long, value_name = "P", requires = "strong", conflicts_with = "hosts", value_parser = clap::value_parser!(u16).range(1..=64))]
    processes: Option<u16>,
    /// Several players, with --strong: on the hosts of a file, a line host:port for each process
    #[arg(long, value_name = "FILE", requires_all = ["strong", "process"])]
    hosts: Option<String>,
    /// Which line of --hosts this process is, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// Several players, with --strong: keep layers in a directory, and go on after the last that is there
    #[arg(long, value_name = "DIR", requires = "strong")]
    disk: Option<PathBuf>,
}

impl ClusterArguments {
    /// Whether something of it is asked for.
    pub(in crate::cli) fn is_asked(&self) -> bool {
        let Self {
            threads,
            processes,
            hosts,
            process: _,
            disk,
        } = self;
        threads.is_some() || processes.is_some() || hosts.is_some() || disk.is_some()
    }

    /// What the next start does, if layers are kept for it.
    pub(super) fn next_start(&self) -> Option<String> {
        let directory = self.disk.as_ref()?;
        Some(format!(
            "; the same command goes on after the last layer in {}",
            directory.display()
        ))
    }

    /// The cluster that is asked for, in which each process may use so many bytes, and those of its processes that were
    /// started here.
    fn cluster(&self, bytes: Option<usize>) -> Result<(Cluster, Processes), Failure> {
        let mut cluster = Cluster::of_threads(self.threads.unwrap_or(1).into());
        if let Some(bytes) = bytes {
            cluster = cluster.with_tables_of(bytes as u64 / TABLE_SHARE);
        }
        if let Some(directory) = &self.disk {
            cluster = cluster.in_directory(directory);
        }
        let mut processes = Processes::default();
        match (&self.hosts, self.process, self.processes) {
            (Some(file), Some(process), _) => {
                let text = input::read_any(file)?;
                let lines = text.text().lines().map(str::trim);
                let hosts: Vec<String> = lines
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect();
                cluster = cluster.among(hosts, process);
            }
            (_, _, Some(count)) if count > 1 => {
                let hosts = processes.start(count.into())?;
                cluster = cluster.among(hosts, 0);
            }
            _ => {}
        }
        Ok((cluster, processes))
    }

    /// Solves a game so.
    pub(super) fn solve(
        &self,
        setting: &ForcingSetting,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Result<ForcingOutcome, Failure> {
        let (cluster, processes) = self.cluster(limits.bytes)?;
        ignore_lost_connections();
        let watch = processes.watch(&limits.stop);
        let outcome = solve_layers(setting, vocabulary, &cluster);
        let ended = watch.stop();
        match (outcome, ended) {
            // One that ended before others could reach it has stopped them; its own message stands above.
            (Ok(outcome), Some(ended)) if outcome.halt == Some(StopReason::Interrupted.into()) => {
                Err(Failure::new(Exit::Limit, ended))
            }
            (Ok(outcome), _) => Ok(outcome),
            (Err(ClusterError::Lost), _) => {
                let more = self.next_start();
                let more = more.unwrap_or_else(|| {
                    "; with --disk DIR the next start would go on after the last layer".to_owned()
                });
                Err(Failure::new(Exit::Limit, ClusterError::Lost.to_string()).and(&more))
            }
            (Err(error), _) => Err(error.into()),
        }
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        Failure::bad_input(error.to_string())
    }
}

/// The end of another process is told as such, once, and not as a panic of each thread that reads from it.
fn ignore_lost_connections() {
    const MESSAGES: [&str; 5] = [
        "timely communication error:",
        "MergeQueue poisoned",
        "Send thread panic",
        "Recv thread panic",
        "Worker panic",
    ];
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.to_string();
        if !MESSAGES.iter().any(|known| message.contains(known)) {
            default(panic);
        }
    }));
}
