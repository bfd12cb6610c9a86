//! All claims of a decomposition, checked anew.
//!
//! A certificate is a claim with what it stands on. Here each is a question of its own to a fresh solver, written
//! down straight from the claim ([`worlds`]): no samples, no search for what belongs together, nothing that was
//! learned when the claim was found. Only the forms of moves, end and goal values are asked by the code that found
//! them, about the parts as they are reported.
//!
//! | claim | stands on | there are no states such that |
//! |---|---|---|
//! | variables | | the start, or the state after a legal move, has another number of values of one |
//! | phases | variables | a phase that is over goes on after a move |
//! | constant, by itself | variables, phases | two states agree in it, and not after some moves |
//! | part | variables, phases, what runs by itself | two states agree in it, and differ after like moves, or in what is offered |
//! | useless | variables | two states agree in all else, and differ in the end, a goal value or the phase |
//! | moves, end, goal values | variables, parts | (see [`crate::decomposition::composition`]) |

//!
//! ```text
//! claim      what is claimed, and what on         checks     each claim as a question
//! variables  the invariants as an induction       worlds     two states in a solver
//! ```

mod checks;
mod claim;
mod variables;
mod worlds;

pub use checks::certify;
pub use claim::{Certificate, CertificateVerdict, DecompositionClaim};
