//! What a game is made of.

mod drawing;

pub use drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
