//! What a state has of the concepts, and how far it is from having them.

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::analysis::{Distance, Heuristic, Scratch};
use crate::circuit::{Watch, ground};
use crate::gdl::{
    FluentId, Game, GameError, Keyword, Keywords, Reasoner, ReasonerError, State, Vocabulary,
    Watcher,
};
use crate::limits::Limits;
use crate::search::halt::Halt;
use crate::search::plan::problem::Problem;
use crate::term::TermId;

/// An atom of the formulas.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    /// A ground fluent.
    Fluent(FluentId),
    /// Anything else, by its place among those that are watched.
    Watched(usize),
}

/// Tells which atoms hold.
#[derive(Clone, Debug)]
enum AtomEvaluator {
    Circuit(Box<Watch>),
    Rules(Box<Watcher>),
}

impl AtomEvaluator {
    /// Watches atoms by the circuit if it is made within moments.
    fn new(
        game: &Game,
        vocabulary: &mut Vocabulary,
        atoms: &[TermId],
        limits: &Limits,
    ) -> Result<Self, GameError> {
        match Watch::new(game, vocabulary, atoms, limits, ground::MOMENTS) {
            Ok(watch) => Ok(Self::Circuit(Box::new(watch))),
            // Why there is no circuit does not matter here: a stop is met again by the first question.
            Err(_) => {
                let watcher = game.watcher(vocabulary, atoms, limits)?;
                Ok(Self::Rules(Box::new(watcher)))
            }
        }
    }

    fn holding(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<FixedBitSet, ReasonerError> {
        match self {
            AtomEvaluator::Circuit(watch) => Ok(watch.holding(state)),
            AtomEvaluator::Rules(watcher) => watcher.holding(vocabulary, state),
        }
    }
}

/// Measures states by the concepts.
#[derive(Clone, Debug)]
pub(super) struct Estimator {
    heuristic: Heuristic,
    leaves: Vec<Leaf>,
    watcher: Option<AtomEvaluator>,
    scratch: Scratch,
}

impl Estimator {
    /// Takes concepts as formulas over fluents, in their order, for an estimator each; all of them read
    /// the same atoms, which are prepared once.
    ///
    /// # Errors
    /// [`GameError`] if the atoms among them cannot be evaluated.
    pub(super) fn of<const N: usize>(
        game: &Game,
        vocabulary: &mut Vocabulary,
        heuristics: [Heuristic; N],
        limits: &Limits,
    ) -> Result<[Self; N], GameError> {
        let keywords = Keywords::of(vocabulary.store_mut());
        let mut watched: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        let mut leaf = |atom| match ground_fluent(vocabulary, &keywords, atom) {
            Some(fluent) => Leaf::Fluent(vocabulary.fluent(fluent)),
            None => Leaf::Watched(watched.insert_full(atom).0),
        };
        let measured = heuristics.map(|heuristic| {
            let leaves: Vec<Leaf> = heuristic.leaves().iter().map(|&atom| leaf(atom)).collect();
            (heuristic, leaves)
        });
        let watched: Vec<TermId> = watched.into_iter().collect();
        let watcher = if watched.is_empty() {
            None
        } else {
            Some(AtomEvaluator::new(game, vocabulary, &watched, limits)?)
        };
        Ok(measured.map(|(heuristic, leaves)| Self {
            heuristic,
            leaves,
            watcher: watcher.clone(),
            scratch: Scratch::default(),
        }))
    }

    /// Takes formulas whose leaves are fluents.
    pub(super) fn of_fluents(vocabulary: &mut Vocabulary, heuristic: Heuristic) -> Self {
        let fluents = heuristic.leaves().iter();
        let leaves = fluents.map(|&fluent| Leaf::Fluent(vocabulary.fluent(fluent)));
        Self {
            leaves: leaves.collect(),
            heuristic,
            watcher: None,
            scratch: Scratch::default(),
        }
    }

    /// Whether the concepts are the leaves of the formulas themselves.
    pub(super) fn is_plain(&self) -> bool {
        self.heuristic.is_plain()
    }

    /// How far a state is from each concept and from its opposite.
    pub(super) fn measure(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<Vec<Distance>, Halt> {
        let held = match &mut self.watcher {
            Some(watcher) => watcher.holding(vocabulary, state)?,
            None => FixedBitSet::new(),
        };
        let leaves = &self.leaves;
        let leaf = |leaf: usize| match leaves[leaf] {
            Leaf::Fluent(fluent) => state.contains(fluent),
            Leaf::Watched(place) => held.contains(place),
        };
        Ok(self.heuristic.measure(&leaf, &mut self.scratch).collect())
    }

    /// How far the first concept is from where plans begin.
    pub(super) fn distance<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
    ) -> Result<u32, Halt> {
        let start = problem.start().clone();
        let distances = self.measure(problem.vocabulary_mut(), &start)?;
        Ok(distances.first().map_or(0, |one| u32::from(one.to_true)))
    }
}

/// The fluent of an atom `true(f)` without variables.
fn ground_fluent(vocabulary: &Vocabulary, keywords: &Keywords, atom: TermId) -> Option<TermId> {
    let store = vocabulary.store();
    let functor = store.functor(atom)?;
    let is_fluent = keywords.is(functor, Keyword::True) && store.is_ground(atom);
    store.arguments(atom).first().copied().filter(|_| is_fluent)
}
