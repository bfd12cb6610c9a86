//! How a game is won, and by whom.
//!
//! [`plan`] finds plans for games of one role.

pub mod plan;
