//! Evaluation of safe rules: stratified programs all of whose answers are ground.
//!
//! The rules of games are of this kind, and almost all time is spent in them. Where the general
//! machine of [`crate::prolog`] unifies terms on a heap, this evaluator joins relations: a term is
//! an id, a condition is a look-up by the arguments that are bound, and a clause is compiled for
//! each pattern of bound arguments it is called with. What does not depend on the state is
//! evaluated once; what does is tabled where that pays, or maintained if somebody asks for it.
//!
//! Reading order: [`relation`], [`code`], [`machine`], [`tabling`]; then [`program`], [`plan`],
//! [`clause_code`], [`clause_terms`], [`compile`] for how rules get there; [`maintenance`].

mod clause_code;
mod clause_terms;
mod code;
mod compile;
mod error;
mod evaluator;
mod frames;
mod machine;
mod maintenance;
mod plan;
mod program;
mod relation;
mod safety;
mod stacks;
mod table;
mod tabling;

pub use error::{EvaluationError, RulesError};
pub use evaluator::Rules;
pub use maintenance::{Obstacle, Unmaintained};
pub use program::{Dynamic, FluentNumber, MAX_NESTING};
