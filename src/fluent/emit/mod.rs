//! The axioms of a game in the forms that people and programs read.

mod book;
mod flux;
mod json;
mod layout;
mod names;
mod style;

pub use book::{action_axioms, book};
pub use flux::flux_program;
pub use json::{Axioms, json};
pub use style::BookStyle;
