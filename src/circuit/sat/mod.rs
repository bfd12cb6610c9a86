//! Questions about all states at once: whether signals of a circuit can have some values together.
//!
//! Gates become clauses as far as questions reach them, and a solver for propositional satisfiability
//! (SAT) answers, keeping what it has learned from one question to the next.

mod cardinality;
mod encode;
#[cfg(test)]
pub(super) mod equivalence;
mod linear;
mod mutex;
mod persistent;
mod solver;
mod transition;
mod unroll;

pub(crate) use cardinality::Requirement;
pub(crate) use encode::Encoding;
pub(crate) use linear::{LinearEquation, LinearTerm};
pub(crate) use mutex::Mutexes;
pub(crate) use persistent::persistent_fluents;
pub(crate) use solver::{Answer, Literal, Solver};
pub(crate) use transition::{Transition, require_legal_moves, require_move, require_one_move};
pub(crate) use unroll::{Unrolling, ending};
