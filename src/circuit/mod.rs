//! The propositional circuit of a game: grounding, gates, and simulation of many games at once.

pub mod ground;
