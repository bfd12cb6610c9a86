//! Programs: predicates, their clauses, the code of these, and which clauses a call tries.
//!
//! ```text
//! instruction  what the machine executes     key        what clauses are told apart by
//! chain        clauses in their order        predicate  predicates and stored clauses
//! database     all of them                   index      the chain that a call tries
//! switch       where a call begins           compile    clauses to instructions
//! install      their way into the database   call_graph which predicates a call may reach
//! ```

pub(super) mod call_graph;
pub(super) mod chain;
pub(super) mod compile;
pub(super) mod database;
pub(super) mod index;
pub(super) mod install;
pub(super) mod instruction;
pub(super) mod key;
pub(super) mod predicate;
pub(super) mod switch;
