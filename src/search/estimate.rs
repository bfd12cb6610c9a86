//! How far a state is from what is wanted: the least number of fluents that must change.
//!
//! Goal values, the end and local concepts are formulas over fluents; each tells how many of them
//! are not yet as they should be. The estimate neither over- nor underestimates moves: it orders
//! states, and proves nothing.

use fixedbitset::FixedBitSet;

use crate::analysis::{Conditions, Distances};
use crate::engine::Limits;
use crate::gdl::{FluentId, Game, GameError, Keyword, Keywords, State, Vocabulary, Watcher};
use crate::search::problem::Halt;
use crate::term::TermId;

/// An atom of the conditions.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    /// A ground fluent.
    Fluent(FluentId),
    /// Anything else, by its place among those that are watched.
    Watched(usize),
}

/// Estimates distances of states.
#[derive(Clone, Debug)]
pub struct Estimator {
    conditions: Conditions,
    leaves: Vec<Leaf>,
    watcher: Option<Watcher>,
}

impl Estimator {
    /// Takes conditions over fluents, as [`crate::analysis::fluent_conditions`] gives them.
    ///
    /// # Errors
    /// [`GameError`] if the atoms among them cannot be evaluated.
    pub fn new(
        game: &Game,
        vocabulary: &mut Vocabulary,
        conditions: Conditions,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let keywords = Keywords::of(vocabulary.store_mut());
        let mut watched: Vec<TermId> = Vec::new();
        let atoms: Vec<TermId> = conditions.leaves().collect();
        let leaves =
            atoms
                .into_iter()
                .map(|atom| match ground_fluent(vocabulary, &keywords, atom) {
                    Some(fluent) => Leaf::Fluent(vocabulary.fluent(fluent)),
                    None => {
                        watched.push(atom);
                        Leaf::Watched(watched.len() - 1)
                    }
                });
        let leaves = leaves.collect();
        let watcher = match watched.is_empty() {
            true => None,
            false => Some(game.watcher(vocabulary, &watched, limits)?),
        };
        Ok(Self {
            conditions,
            leaves,
            watcher,
        })
    }

    /// What is asked for.
    pub(super) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// How far a state is from everything that may be wanted.
    pub(super) fn distances(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<Distances, Halt> {
        let held = match &mut self.watcher {
            Some(watcher) => watcher.holding(vocabulary, state)?,
            None => FixedBitSet::new(),
        };
        let leaves = &self.leaves;
        Ok(self.conditions.distances(&|leaf| match leaves[leaf] {
            Leaf::Fluent(fluent) => state.contains(fluent),
            Leaf::Watched(place) => held.contains(place),
        }))
    }
}

/// The fluent of an atom `true(f)` without variables.
fn ground_fluent(vocabulary: &Vocabulary, keywords: &Keywords, atom: TermId) -> Option<TermId> {
    let store = vocabulary.store();
    let functor = store.functor(atom)?;
    let is_fluent = keywords.is(functor, Keyword::True) && store.is_ground(atom);
    store.arguments(atom).first().copied().filter(|_| is_fluent)
}
