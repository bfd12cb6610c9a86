//! The methods, one after the other, on what they share: plays, states, proved variables, frames.

//!
//! ```text
//! prepare     a game with all that is asked of it       decide      which methods decide what
//! claims      whether plays reach targets               covering    whether each of many targets is reached
//! known       invariants, proved once                   counting    … over numbers of fluents
//! ending      whether plays end                         forcing     what the graph of all states tells
//! confirming  findings said again by the rules          symmetry    whether roles can be exchanged
//! shown       what the rules say of a play              missing     rules and moves of no play, in words
//! ```

mod claims;
mod confirming;
mod counting;
mod covering;
mod decide;
mod effort;
mod ending;
mod forcing;
mod invariants;
mod known;
mod missing;
mod prepare;
mod shown;
mod symmetry;

pub use effort::ProofEffort;
pub use prepare::Prover;
