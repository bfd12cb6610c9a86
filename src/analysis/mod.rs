//! What a game is made of: call graphs, potential effects and preconditions, subgames, concepts.

mod analyze;
mod board;
mod call_graph;
mod concept;
mod conditions;
mod definition;
mod domain_view;
mod exact;
mod facts;
mod formula;
mod formulas;
mod goal_structure;
mod heuristic;
mod instances;
mod invariants;
mod leaves;
mod level;
mod levels;
mod link;
mod reading;
mod refusal;
mod report;
mod roots;
mod split;
mod structure;
mod tautology;
mod view;
mod why;

pub use analyze::{Analysis, Concepts, analyze, related_by_definition};
pub use board::{Board, Layer, Named, Naming, Occupied, boards};
pub use call_graph::{CallEdge, CallGraph, CallNode};
pub use concept::Concept;
pub use conditions::{AtomQuestion, Conditions, Cube, Truths};
pub use definition::Related;
pub use domain_view::domain_view;
pub use exact::{
    Comparison, Doubt, Exactness, ExactnessEffort, ExactnessVerdict, ProofTally, prove_exact,
};
pub use formula::Formula;
pub use formulas::Formulas;
pub use goal_structure::{Order, PayoffTable};
pub use heuristic::{Distance, Heuristic, Scratch};
pub(crate) use invariants::requirements;
pub use levels::{Level, LevelDetail, NodeCounts, TooFine};
pub use link::DependencyKind;
pub use refusal::Refusal;
pub use report::{AnalysisReport, json, text};
pub use structure::{ActionNode, Component, Edge, FluentNode, Structure, Subgame};
pub use view::{View, view};
pub use why::{EdgeFault, Meant, why, why_not};
