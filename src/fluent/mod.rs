//! The fluent calculus: what the actions of a game do.

mod action;
mod ascribe;
mod assemble;
mod axioms;
mod certainty;
mod condition;
mod consequence;
mod constraint;
mod define;
mod dependency;
mod effect;
mod emit;
mod evaluable;
mod facts;
mod forecast;
mod invariant;
mod known;
mod program;
mod progress;
mod refine;
mod restate;
mod support;
mod theory;
mod translate;
mod unfold;
mod verify;

pub use axioms::{Alternative, Case, GameAxioms, GoalAxiom, PreconditionAxiom, StateUpdateAxiom};
pub use condition::{Condition, Conjunction};
pub use constraint::Constraint;
pub use effect::{Effect, Sign};
pub use emit::{BookStyle, action_axioms, book, flux_program, json};
pub use forecast::{EffectRules, Forecast, Occurrence};
pub use progress::progression;
pub use theory::TheoryError;
pub use translate::{TranslationError, translate};
pub use verify::{Bounds, Coverage, Difference, Verification, verify};
