//! A game of one role as a planning task in PDDL: its plans are the plays that end with a goal value.
//!
//! ```text
//! circuit ─cofactor─▶ next state under each move ─restrict, effects─▶ conditional effects ─┐
//!         ─conditions─▶ preconditions, derived predicates, goals ──────────────────────────┴─names, write─▶ PDDL
//!                                                                      plan ◀─ what a planner prints
//! ```
//!
//! Actions are the moves, one each: without parameters, since nothing in the rules says that two moves do the same to
//! different things. Their precondition is that the move is legal and the game not over, so that no plan goes on behind
//! an end. There is a problem for each goal value, whose goal is to end the game with just that value. Which requirements
//! of PDDL are needed depends on the game: `:negative-preconditions`, `:conditional-effects`, and for conditions that are
//! no conjunctions `:derived-predicates`.
//!
//! The circuit is what actions are read off, not the rules: whatever grounds can be exported, whatever its rules look
//! like.
//!
//! Source: \[FL03\] for actions and conditional effects, \[EH04\] for derived predicates.

mod action;
mod cofactor;
mod conditions;
mod effects;
mod groups;
mod names;
mod plan;
mod restrict;
mod task;
mod write;

pub use plan::UnknownAction;
pub use task::{PlanningError, PlanningTask};
