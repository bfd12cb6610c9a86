//! Which worker has which states.

use crate::search::versus::codes::{Code, hash};

/// Shards of a layer, whatever the number of workers, so that files do not depend on it.
pub(super) const SHARDS: usize = 64;

/// The shard of a state.
pub(super) fn shard_of<const W: usize>(code: &Code<W>) -> usize {
    // Bits that neither say where a state is in a table (the upper ones) nor depend on few bits of the code (the lower
    // ones).
    (hash(code) >> 24) as usize % SHARDS
}

/// The shards that a worker has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) worker: usize,
    pub(super) workers: usize,
}

impl Share {
    /// The worker's shards, ascending.
    pub(super) fn shards(self) -> impl Iterator<Item = usize> {
        (self.worker..SHARDS).step_by(self.workers)
    }

    /// The worker that has a shard.
    pub(super) fn owner(self, shard: usize) -> usize {
        shard % self.workers
    }

    /// The place of a shard among those of the worker that has it.
    pub(super) fn place(self, shard: usize) -> usize {
        shard / self.workers
    }
}
