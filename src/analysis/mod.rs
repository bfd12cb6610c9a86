//! What a game is made of: call graphs, potential effects and preconditions, subgames, concepts.

mod analyze;
mod call_graph;
mod concept;
mod conditions;
mod definition;
mod drawing;
mod facts;
mod gauge;
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

pub use analyze::{Analysis, Concepts, analyze, gauge, related_by_definition};
pub use call_graph::{CallEdge, CallGraph, CallNode};
pub use concept::{Concept, Refusal};
pub use conditions::{Conditions, Cube, Question, Truths};
pub use definition::Related;
pub use drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
pub use gauge::{Distance, Gauge, Scratch};
pub use goal_structure::{Order, Payoffs};
pub use levels::{Counts, Detail, Level, TooFine};
pub use link::Relation;
pub use report::{Report, json, text};
pub use structure::{ActionNode, Edge, FluentNode, Part, Structure, Subgame};
pub use view::{View, view};
pub use why::{EdgeFault, Meant, why, why_not};
