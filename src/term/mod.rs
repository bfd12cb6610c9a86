//! Terms and clauses: what the trees of [`crate::syntax`] mean, without their places.

mod bits;
mod bounded_text;
mod clause;
mod clause_cycle;
mod dependency;
mod display;
mod import;
mod lower;
mod places;
mod store;
mod substitution;
mod symbol;

pub use crate::syntax::Case;
pub(crate) use bits::{ones, ones_of_all};
pub use bounded_text::bounded_text;
pub use clause::{Clause, Literal, Origin};
pub use clause_cycle::{clause_cycle, may_match};
pub use dependency::{Call, ComponentId, Dependency, DependencyGraph, PredicateSet, Sign, calls};
pub use display::{Infix, Prefix};
pub use import::Import;
pub use lower::{Lowering, SpellingClash};
pub(crate) use places::{Places, Tag};
pub use store::{Functor, Store, Term, TermId};
pub use substitution::{Substitution, map_variables, rename};
pub use symbol::{SymbolId, Symbols};
