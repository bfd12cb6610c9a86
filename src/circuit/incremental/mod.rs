//! One state at a time: a propositional network that propagates changes from one state to the next.
//!
//! ```text
//! network       gates as counters of false inputs                        build     from a circuit to its network
//! layout        outputs and their bits                                   agenda    nodes with pending changes
//! shared_input  inputs with a very large fan-out, as masks               fixpoint  recursive atoms
//! lazy          gates that are evaluated only while observable           sample    how often fluents hold
//! values        propagation                                              links     the fan-out of nodes
//! ```

mod agenda;
mod build;
mod fixpoint;
mod layout;
mod lazy;
mod links;
mod network;
mod sample;
mod shared_input;
mod values;

pub(super) use network::Network;
pub(super) use values::Values;
