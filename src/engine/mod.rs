//! Evaluation of clauses by tabled resolution.

mod limits;

pub use limits::{Limits, StopFlag, StopReason};
