//! The propositional circuit of a game: grounding, gates, and simulation of many games at once.

mod assemble;
mod blocks;
mod certain;
mod code;
mod components;
mod factor;
mod gates;
pub mod ground;
mod grouped;
mod incremental;
pub(crate) mod invariants;
mod lines;
mod measure;
#[cfg(test)]
mod naive;
mod narrow;
mod planning;
mod reasoner;
pub(crate) mod sat;
mod schedule;
mod simulate;
pub(crate) mod symmetry;
mod uses;
mod watch;

pub use assemble::{Circuit, Fluent, Move, Payoff};
pub use gates::{Gate, Gates, Loop, Signal};
pub(crate) use lines::lines;
pub use measure::CircuitSize;
pub use planning::{PlanningError, PlanningTask, UnknownAction};
pub use reasoner::Evaluator;
pub use simulate::{
    Lockstep, LockstepView, PlayoutBatch, PlayoutTally, Restart, SeriesControl, Simulator,
    StepError, Turns,
};
pub(crate) use simulate::{Probe, joint, lanes, packing, steps, successors};
pub use watch::Watch;
