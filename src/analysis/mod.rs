//! What a game is made of: call graphs, potential effects and preconditions, subgames, concepts.

mod analyze;
mod call_graph;
mod concept;
mod definition;
mod domain_view;
mod drawing;
mod facts;
mod goal_structure;
mod instances;
mod leaves;
mod level;
mod levels;
mod link;
mod reading;
mod report;
mod split;
mod structure;
mod tautology;
mod view;
mod why;

pub use analyze::{Analysis, Concepts, analyze, related_by_definition};
pub use call_graph::{CallEdge, CallGraph, CallNode};
pub use concept::{Concept, Refusal};
pub use definition::Related;
pub use domain_view::domain_view;
pub use drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
pub use goal_structure::{Order, Payoffs};
pub use levels::{Counts, Detail, Level, TooFine};
pub use link::Relation;
pub use report::{Report, json, text};
pub use structure::{ActionNode, Edge, FluentNode, Part, Structure, Subgame};
pub use view::{View, view};
pub use why::{EdgeFault, Meant, why, why_not};
