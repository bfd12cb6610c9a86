//! Sums of games in which whoever cannot move loses: each part is searched by itself, and its value is what it adds.
//!
//! k parts of n states have nᵏ states together, and k·n values. Where both roles have the same options, values are
//! numbers ([`nimber`]), else canonical forms ([`form`]). The parts are those of [`crate::decomposition`]; that the game
//! is such a sum of them is proved ([`claims`]), not assumed.
//!
//! ```text
//! split     fluents and moves by part, as gates keep them apart     turns    whose turn it is
//! local     the states of a part and its options                    claims   the proof that it is a sum
//! ```

mod claims;
mod form;
mod game;
mod local;
mod nimber;
mod rows;
mod split;
mod turns;

pub(super) use game::Sum;
