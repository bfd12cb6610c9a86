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

/// A graph to be drawn.
///
/// Indices that point nowhere do no harm: an edge without one of its ends is left out, and a node
/// of an unknown group belongs to none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Printed above the graph; may be empty.
    pub title: String,
    /// The labels of the frames that nodes are gathered in.
    pub groups: Vec<String>,
    /// The nodes; edges name them by their index.
    pub nodes: Vec<DrawnNode>,
    /// The edges. Any number may join the same two nodes.
    pub edges: Vec<DrawnEdge>,
    /// What the outlines and lines stand for; printed below the graph.
    pub legend: Vec<LegendEntry>,
}

/// A node of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnNode {
    /// The text in the node, one line.
    pub label: String,
    /// The shape around the text.
    pub outline: Outline,
    /// The frame the node stands in, an index into [`Drawing::groups`].
    pub group: Option<usize>,
    /// Whether the outline is doubled (bold text if there is no outline).
    pub marked: bool,
}

/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outline {
    /// A rectangle.
    Box,
    /// An ellipse.
    Ellipse,
    /// Text alone.
    Plain,
    /// A rectangle with round corners.
    Rounded,
    /// A rhombus.
    Diamond,
}

/// An arrow of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// Where it starts, an index into [`Drawing::nodes`].
    pub from: usize,
    /// Where its head is, an index into [`Drawing::nodes`]; the start for a loop.
    pub to: usize,
    /// How it is drawn.
    pub line: Line,
    /// What is shown when the pointer rests on it; may be empty.
    pub note: String,
}

/// The style of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// Without gaps.
    Solid,
    /// Strokes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dots with a plus sign at the head: something is added.
    Plus,
    /// Strokes with a minus sign at the head: something is taken away.
    Minus,
    /// Thin and without a head: neither end comes first.
    Tie,
}

/// A line of the legend: a sample and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LegendEntry {
    /// Nodes of this outline, marked or not.
    Node(Outline, bool, String),
    /// Edges of this style.
    Edge(Line, String),
}

impl Drawing {
    /// The picture as a document of SVG 1.1 that needs nothing else.
    ///
    /// Nodes of a group stand in a frame of their own; the legend is at the bottom. The same
    /// drawing gives the same text.
    pub fn svg(&self) -> String {
        svg::document(self)
    }

    /// The graph in the language of Graphviz, groups as clusters, without the legend.
    pub fn dot(&self) -> String {
        dot::document(self)
    }
}
