//! Exactness: that progression by axioms gives what the rules give, in all states at once.
//!
//! ```text
//! rules of the game ─┐
//! axioms as rules  ──┴─ one ground program ─ one circuit ─ next(f) ≠ after(f)?  ─ SAT, fluent by fluent
//! ```
//!
//! Both successors are signals over the same fluents and moves, so that much of them is the same gates
//! and nothing is left to ask. Where gates differ, a solver looks for a state and a joint move that tell them
//! apart, among the states that satisfy the invariants that were proved and are not terminal, with one
//! legal move a role. If there are none for any fluent, axioms and rules agree in every reachable state,
//! and in all others that satisfy the invariants. If there are, both reasoners are asked about them before
//! anything is said; whether such a state can be reached is another question.

mod comparison;
mod premises;
mod replay;
mod verdict;

pub use comparison::{Comparison, ExactnessEffort, prove_exact};
pub use verdict::{Doubt, Exactness, ExactnessVerdict, ProofTally};
