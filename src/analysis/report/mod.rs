//! The analysis as people and programs read it.

mod json;
pub(super) mod names;
mod text;

pub use json::{AnalysisReport, json};
pub use text::text;
