//! The propositional circuit of a game: grounding, gates, and simulation of many games at once.

mod blocks;
mod certain;
mod circuit;
mod code;
mod factor;
mod gates;
pub mod ground;
mod narrow;
mod reasoner;
mod simulate;

pub use circuit::{Circuit, Fluent, Move, Payoff};
pub use gates::{Gate, Gates, Loop, Signal};
pub use reasoner::Evaluator;
pub use simulate::{Batch, Simulator, Tally};
