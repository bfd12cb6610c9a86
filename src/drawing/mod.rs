//! Graphs as pictures: SVG to look at, DOT to go on working with.
//!
//! What an analysis finds are graphs of a few dozen nodes. They should be seen without another
//! program to be installed, so the layout is done here, in passes that each leave a value:
//!
//! ```text
//! layout      blocks of a group each ─▶ component: its connected parts ─▶ packing: side by side
//! component   layers ─▶ crossings ─▶ columns ─▶ routes
//!             (which row) (which order) (which x)  (which curve)
//! ```
//!
//! Within a connected part the layout is layered: arrows run down as far as cycles allow, and every
//! edge passes rows on its way through a place of its own, so that no edge runs through a label.
//!
//! Source: K. Sugiyama, S. Tagawa, M. Toda: Methods for Visual Understanding of Hierarchical System
//! Structures, IEEE Trans. SMC 11(2), 1981.

mod board;
mod columns;
mod component;
mod condense;
mod crossings;
mod dot;
mod elements;
mod geometry;
mod graph;
mod layers;
mod layout;
mod packing;
mod routes;
#[cfg(test)]
mod samples;
mod shape;
mod svg;

pub use board::{DrawnBoard, DrawnCell, boards_svg};
pub use condense::{Condensed, Detail};
pub use elements::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
