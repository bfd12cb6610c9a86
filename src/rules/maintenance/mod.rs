//! Maintenance: keeping the answers of some predicates as rows while the state changes.
//!
//! A move changes few fluents, so most of what followed from the state before still follows. A
//! maintained predicate is a relation, a *view*, with the number of derivations of each of its
//! rows. When a row changes, the plans of all places where it stands in a body find the
//! derivations gained or lost; a row without derivations left is absent, and absence and presence
//! are passed on to the views above:
//!
//! ```text
//! occupied(X,Y) :- cell(X,Y,P)          cell(1,1,w) goes, cell(1,1,b) comes
//! free(X,Y) :- at(X,Y), not occupied(X,Y)
//!   occupied(1,1): 1 - 1 + 1 derivations: unchanged, so nothing happens to free(1,1)
//! ```
//!
//! Views are brought up to date callees first, so that each row is passed on at most once for a
//! change of state, except in recursive components, see [`propagate`]. To the rest of the
//! evaluator a view is a relation like any other: predicates that are not maintained look it up.
//!
//! Source: \[GMS93\], the counting algorithm. DIVERGENCE: rows are passed on one by one rather than in sets;
//! the relations are then at every moment the old ones or the new ones but for one row, so that no
//! copy of the old ones is needed.

mod conditions;
mod obstacle;
mod plan_compiler;
mod plan_run;
mod plans;
mod propagate;
mod views;
mod workspace;

pub(super) use obstacle::Halt;
pub use obstacle::{Obstacle, Unmaintained};
pub(super) use plans::PlanAddress;
pub(super) use views::{Maintenance, Site};
