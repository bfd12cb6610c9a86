//! What a drawing is made of: nodes, edges, frames and a legend.

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
