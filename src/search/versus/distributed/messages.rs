//! What workers send each other.

use serde::{Deserialize, Serialize};

use crate::limits::StopReason;
use crate::search::versus::distributed::cluster::ClusterError;

/// Something that is sent to a worker.
pub(super) trait Message:
    Clone + Send + Serialize + for<'d> Deserialize<'d> + 'static
{
    /// The number of the worker.
    fn to(&self) -> u32;
}

/// States of the next layer, ascending, packed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) to: u32,
    pub(super) shard: u32,
    /// Number of states.
    pub(super) states: u32,
    #[serde(with = "serde_bytes")]
    pub(super) bytes: Vec<u8>,
}

/// States whose marks are asked for, the words of one behind those of the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) to: u32,
    pub(super) from: u32,
    /// The shard that has the states.
    pub(super) shard: u32,
    /// Number of the request among those of whoever asks.
    pub(super) ticket: u32,
    pub(super) codes: Vec<u64>,
}

/// The marks of the states of a request, in its order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    pub(super) to: u32,
    pub(super) ticket: u32,
    #[serde(with = "serde_bytes")]
    pub(super) marks: Vec<u8>,
}

/// What a worker says to all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Broadcast<T> {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) what: T,
}

impl Message for Run {
    fn to(&self) -> u32 {
        self.to
    }
}

impl Message for Request {
    fn to(&self) -> u32 {
        self.to
    }
}

impl Message for Reply {
    fn to(&self) -> u32 {
        self.to
    }
}

impl<T: Clone + Send + Serialize + for<'d> Deserialize<'d> + 'static> Message for Broadcast<T> {
    fn to(&self) -> u32 {
        self.to
    }
}

/// Why a worker does not go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum WorkerHalt {
    /// The time is up.
    Time,
    /// The memory is used up.
    Memory,
    /// Somebody asked it to stop.
    Interrupted,
    /// There are more states than were allowed.
    States,
    /// Something cannot be done.
    Failed(String),
}

impl From<StopReason> for WorkerHalt {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::TimeLimit => WorkerHalt::Time,
            StopReason::MemoryLimit => WorkerHalt::Memory,
            StopReason::Complete
            | StopReason::AnswerLimit(_)
            | StopReason::StepLimit(_)
            | StopReason::JointMoveLimit(_)
            | StopReason::Interrupted => WorkerHalt::Interrupted,
        }
    }
}

impl From<ClusterError> for WorkerHalt {
    fn from(error: ClusterError) -> Self {
        WorkerHalt::Failed(error.to_string())
    }
}
