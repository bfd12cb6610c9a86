//! A decomposition as people read it and as programs do.

mod claims;
mod composed;
mod drawing;
mod json;
mod names;
mod subject;
mod text;

pub use claims::certificates;
pub use drawing::view;
pub use json::{DecompositionReport, json};
pub use subject::DecomposedGame;
pub use text::text;
