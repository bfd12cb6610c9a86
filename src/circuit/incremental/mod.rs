//! One state at a time: what changes from one state to the next, and nothing else.
//!
//! ```text
//! network   counters of false inputs, and who counts whom     build    from a circuit to its network
//! layout    what can be seen of it, and where                 agenda   what has changed
//! guards    inputs that very many gates share                 settle   loops: least values of definitions
//! values    brings a network up to date
//! ```

mod agenda;
mod build;
mod guards;
mod layout;
mod network;
mod settle;
mod values;

pub(super) use network::Network;
pub(super) use values::Values;
