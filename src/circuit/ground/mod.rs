//! Grounding: from rules with variables to the instances of them that can apply in some state.
//!
//! ```text
//! clauses → plain (no connectives) → split (few variables a rule)
//!         → rewrite (fewer instances, where there are too many)
//!         → rule (slots, views) → plan, join: bottom up, with what may be true so far, until nothing is new
//! ```
//!
//! What may be true in some state is approximated from above: a negated condition that depends on the
//! state may always be satisfied, fluents that may be true at all may be true together, and so may a
//! move and a state in which it is not legal. Everything that depends on no state is evaluated away.
//! No `base` and no `input` is needed; what they leave out can be told (`hints.rs`).

mod attempt;
mod batch;
mod catalogue;
mod definitions;
mod demand;
mod error;
mod extension;
mod grounder;
mod hints;
mod inline;
mod instances;
mod join;
mod parameters;
mod parts;
mod plain;
mod plan;
mod program;
mod relation;
mod rewrite;
mod rule;
mod split;
mod unfold;
mod unique;

use crate::circuit::ground::attempt::ground_by;
use crate::circuit::ground::rewrite::Effort;
use crate::gdl::Game;
use crate::limits::Limits;
#[cfg(test)]
use crate::term::PredicateSet;
use crate::term::Store;

pub use error::GroundError;
pub use extension::Extension;
pub use hints::Unnamed;
pub use program::{Atom, GroundLiteral, GroundProgram, Predicate};

/// Instances of rules at most, unless the caller allows for fewer.
pub const MAX_RULES: usize = 5_000_000;

/// Instances of the rules of a game that is grounded within moments, two seconds at most: whoever is not asked to
/// ground a game goes no further.
pub const MOMENTS: usize = 250_000;

/// Grounds a game.
///
/// # Errors
/// [`GroundError`]; the game can be played by reasoners that do not ground it.
pub fn ground(
    game: &Game,
    store: &mut Store,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, GroundError> {
    ground_with(game, &Extension::default(), store, limits, max_rules)
}

/// Grounds a game together with more rules.
///
/// # Errors
/// [`GroundError`] as for [`ground`].
pub fn ground_with(
    game: &Game,
    extension: &Extension,
    store: &mut Store,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, GroundError> {
    let effort = Effort::default();
    ground_by((game, extension), effort, store, (limits, max_rules))
}

/// Grounds a game as if some predicates had turned out to have very many instances, in spite of all that was done
/// about it.
#[cfg(test)]
pub(super) fn ground_crowded(
    game: &Game,
    crowded: &PredicateSet,
    store: &mut Store,
    limits: &Limits,
) -> Result<GroundProgram, GroundError> {
    let mut effort = Effort::default();
    effort.increase(crowded.clone());
    effort.increase(crowded.clone());
    let extension = Extension::default();
    ground_by((game, &extension), effort, store, (limits, MAX_RULES))
}
