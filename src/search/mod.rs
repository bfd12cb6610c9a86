//! How a game is won, and by whom.
//!
//! [`plan`] finds plans for games of one role; [`versus`] says what each role of a game of several can force.

mod halt;
pub mod plan;
pub mod versus;

pub use halt::Halt;
