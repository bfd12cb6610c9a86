//! One state at a time: what changes from one state to the next, and nothing else.
//!
//! ```text
//! network   counters of false inputs, and who counts whom     build    from a circuit to its network
//! layout    what can be seen of it, and where                 agenda   what has changed
//! guards    inputs that very many gates share                 settle   loops: least values of definitions
//! dormant   gates at which nobody looks                       practice how often fluents hold
//! values    brings a network up to date
//! ```

mod agenda;
mod build;
mod dormant;
mod guards;
mod layout;
mod network;
mod practice;
mod settle;
mod values;

pub(super) use network::Network;
pub(super) use values::Values;
