//! Questions about all states at once: whether signals of a circuit can have some values together.
//!
//! Gates become clauses as far as questions reach them, and a solver for propositional satisfiability
//! (SAT) answers, keeping what it has learned from one question to the next.

mod cardinality;
mod encode;
mod solver;

pub(crate) use cardinality::{at_most_one, not_both};
pub(crate) use encode::Encoding;
pub(crate) use solver::{Answer, Literal, Solver};
