//! Simulation of a circuit: many random playouts, or many states of a search, at once, one bit each.
//!
//! ```text
//! lanes      truth values in all playouts     machine   evaluates code in all lanes
//! choose     uniform choice of legal moves    playouts  starts, steps and counts playouts
//! transpose  states to lanes and back         expand    all successors of many states
//! packing    states as numbers of few bits    successors the same of packed states
//! series     steps, ends and payoffs of them  setup      what games in lockstep share, and show
//! lockstep   a move in each of many games     block      the same of 512
//! given      numbers of moves as lanes        bytes      lanes as bytes
//! ternary    what may follow on many states   steps      states one by one in a search
//! joint      the same where several roles choose at once
//! events     the next state after another move, from what changes
//! ```

mod block;
mod bytes;
mod choose;
mod events;
pub(super) mod expand;
mod given;
pub(crate) mod joint;
pub(crate) mod lanes;
mod lockstep;
pub(super) mod machine;
pub(crate) mod packing;
mod playouts;
mod probe;
mod series;
mod setup;
pub(crate) mod steps;
pub(crate) mod successors;
mod ternary;
mod transpose;

pub use lockstep::Lockstep;
pub use playouts::Simulator;
pub(crate) use probe::Probe;
pub use series::{PlayoutBatch, PlayoutTally, SeriesControl};
pub use setup::{LockstepView, Restart, StepError, Turns};
