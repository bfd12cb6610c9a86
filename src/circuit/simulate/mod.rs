//! Simulation of a circuit: many random playouts at once, one bit a playout.
//!
//! ```text
//! lanes    truth values in all playouts       machine   evaluates code in all lanes
//! choose   uniform choice of legal moves      playouts  starts, steps and counts playouts
//! ```

mod choose;
pub(super) mod lanes;
pub(super) mod machine;
mod playouts;

pub use playouts::{Batch, Simulator, Tally};
