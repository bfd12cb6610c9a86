//! Evaluation of clauses by tabled resolution.

mod limits;
pub mod rules;

pub use limits::{Limits, StopFlag, StopReason};
