//! The axioms of a game in the forms that people and programs read.

mod book;
mod flux;
mod json;
mod layout;
mod names;

pub use book::{BookStyle, action_axioms, book};
pub use flux::flux_program;
pub use json::{Axioms, json};
