//! Strong solutions on several threads, processes and hosts, with layers on disk.
//!
//! It is the solution by [`layers`](super::layers), with the states of a layer spread by their hash over a fixed number of
//! *shards*. A worker, which is a thread of some process, has some of the shards: it expands their states, sends what
//! follows to the workers that have it, and keeps what it is sent; backwards, it asks those workers what successors are
//! worth. Between two layers all workers agree on what they found.
//!
//! ```text
//! forwards   shard of layer n ── expand ── codes by shard ──▶ worker that has it: sorted runs ── union ──▶ layer n+1
//! backwards  shard of layer n ── expand ── codes by worker ─▶ table of its shards of layer n+1 ──▶ marks ── accumulated
//! ```
//!
//! Codes and marks of a shard do not depend on who computes them, so that files are the same byte for byte however many
//! workers there are. A layer that is finished is a checkpoint. The exchange of messages, and the knowledge that all have
//! arrived, are those of timely dataflow (Murray et al. 2013), which ends if one of its processes does: what was computed up
//! to the last checkpoint is found again by the next start.

mod backward;
mod checkpoint;
mod cluster;
mod collector;
mod connect;
mod exchange;
mod forward;
mod layer_table;
mod line;
mod messages;
mod requests;
mod run;
mod shard;
mod store;
mod worker;

pub use cluster::{Cluster, ClusterError};
pub use layer_table::LayerTable;
pub use run::solve_layers;
