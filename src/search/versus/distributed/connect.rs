//! Connections between the processes of a cluster.
//!
//! A process listens at its address for those after it in the list, and calls those before it. Both sides then say who they
//! are and what they solve, in a line of JSON, before timely dataflow has the connection.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::StopFlag;
use crate::search::versus::distributed::checkpoint::FORMAT;
use crate::search::versus::distributed::cluster::{Cluster, ClusterError};

/// Time between two calls of a process that does not answer, and between two looks at who calls.
const PAUSE: Duration = Duration::from_millis(50);

/// Time in which a caller has to say who it is.
const GREETING_TIME: Duration = Duration::from_secs(5);

/// Bytes of the line in which it does.
const MOST_OF_GREETING: usize = 4096;

/// What processes say to each other first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Greeting {
    /// Which program and version.
    format: String,
    solution: String,
    process: usize,
    processes: usize,
    threads: usize,
}

/// Why there are no connections.
#[derive(Debug)]
pub(super) enum NoConnection {
    /// Somebody asked to stop before all processes were there.
    Stopped,
    /// It cannot be.
    Failed(ClusterError),
}

/// Connections to all other processes, by process; none to this one itself.
pub(super) fn connect(
    cluster: &Cluster,
    solution: &str,
    stop: &StopFlag,
) -> Result<Vec<Option<TcpStream>>, NoConnection> {
    let greeting = Greeting {
        format: FORMAT.to_owned(),
        solution: solution.to_owned(),
        process: cluster.process,
        processes: cluster.processes(),
        threads: cluster.threads,
    };
    let own = &cluster.addresses[cluster.process];
    let failed = |address: &str, error: io::Error| {
        NoConnection::Failed(ClusterError::Connection {
            address: address.to_owned(),
            reason: error.to_string(),
        })
    };
    let listener = TcpListener::bind(own).map_err(|error| failed(own, error))?;
    let nonblocking = listener.set_nonblocking(true);
    nonblocking.map_err(|error| failed(own, error))?;
    let mut streams: Vec<Option<TcpStream>> = greeting.others().map(|_| None).collect();
    for (process, address) in cluster.addresses[..cluster.process].iter().enumerate() {
        streams[process] = Some(call(address, &greeting, process, stop)?);
    }
    while greeting.awaits(&streams) {
        if stop.raised().is_some() {
            return Err(NoConnection::Stopped);
        }
        match listener.accept() {
            Ok((stream, _)) => {
                if let Some((process, stream)) = greeting.welcome(stream, own)? {
                    streams[process] = Some(stream);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) => return Err(failed(own, error)),
        }
    }
    Ok(streams)
}

/// Calls a process until it answers.
fn call(
    address: &str,
    greeting: &Greeting,
    process: usize,
    stop: &StopFlag,
) -> Result<TcpStream, NoConnection> {
    loop {
        if stop.raised().is_some() {
            return Err(NoConnection::Stopped);
        }
        // Whoever does not answer as yet may be about to start.
        let Ok(mut stream) = TcpStream::connect(address) else {
            thread::sleep(PAUSE);
            continue;
        };
        let Ok(Some(other)) = greeting.exchange(&mut stream) else {
            thread::sleep(PAUSE);
            continue;
        };
        greeting.compare(&other, process, address)?;
        return Ok(stream);
    }
}

impl Greeting {
    fn others(&self) -> std::ops::Range<usize> {
        0..self.processes
    }

    /// Whether processes after this one have not called.
    fn awaits(&self, streams: &[Option<TcpStream>]) -> bool {
        streams[self.process + 1..].iter().any(Option::is_none)
    }

    /// The number of the process that calls; none if it is no process of a solution.
    fn welcome(
        &self,
        mut stream: TcpStream,
        address: &str,
    ) -> Result<Option<(usize, TcpStream)>, NoConnection> {
        let Ok(Some(other)) = self.exchange(&mut stream) else {
            return Ok(None);
        };
        let process = other.process;
        if process <= self.process || process >= self.processes {
            return Ok(None);
        }
        self.compare(&other, process, address)?;
        Ok(Some((process, stream)))
    }

    /// Says who this is and hears who the other one is; none if it says nothing of the sort.
    fn exchange(&self, stream: &mut TcpStream) -> io::Result<Option<Self>> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(GREETING_TIME))?;
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        stream.write_all(&line)?;
        let mut heard = Vec::new();
        let mut byte = [0];
        // Not a byte more than the line: what follows is not for here.
        while heard.len() < MOST_OF_GREETING {
            stream.read_exact(&mut byte)?;
            if byte[0] == b'\n' {
                break;
            }
            heard.push(byte[0]);
        }
        stream.set_read_timeout(None)?;
        Ok(serde_json::from_slice(&heard).ok())
    }

    /// Refuses a process that solves something else, or in another way.
    fn compare(&self, other: &Self, process: usize, address: &str) -> Result<(), NoConnection> {
        let expected = Self {
            process,
            ..self.clone()
        };
        if *other == expected {
            return Ok(());
        }
        let reason = if other.format != expected.format {
            format!("process {process} is of another version of flux")
        } else if other.solution != expected.solution {
            format!("process {process} solves another game, or from another start")
        } else if other.processes != expected.processes || other.process != process {
            format!("process {process} has another list of hosts")
        } else {
            format!(
                "process {process} has {} threads, this one {}: all must have as many",
                other.threads, expected.threads
            )
        };
        Err(NoConnection::Failed(ClusterError::Connection {
            address: address.to_owned(),
            reason,
        }))
    }
}
