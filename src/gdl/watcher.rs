//! Atoms that are watched: which of them hold in a state.
//!
//! Analyses that follow some atoms through a game, local concepts for example, ask for all of
//! them at once: each is the body of a rule of its own.
//!
//! ```text
//! watched(0) ← completed(caetower)      watched(1) ← true(gold(w))
//! ```

use fixedbitset::FixedBitSet;

use crate::gdl::error::{GameError, ReasonerError};
use crate::gdl::state::State;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::Vocabulary;
use crate::limits::Limits;
use crate::term::{Clause, Functor, Store, Term, TermId};

/// Atoms that are watched, as a relation of their places.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The relation; no rule of a game can name it.
    pub predicate: Functor,
    /// A rule for each atom.
    pub rules: Vec<Clause>,
}

impl Watched {
    /// Rules that say which atoms hold.
    pub fn of(store: &mut Store, atoms: &[TermId]) -> Self {
        // No rule can name a predicate with a blank.
        let predicate = Functor {
            symbol: store.symbol("watched atom"),
            arity: 1,
        };
        let rules = atoms.iter().enumerate().map(|(number, &atom)| {
            let number = store.integer(number as i64);
            let head = store.compound(predicate.symbol, &[number]);
            Clause::of(store, head, vec![atom])
        });
        Self {
            rules: rules.collect(),
            predicate,
        }
    }

    /// The place of an atom, from the argument of the relation.
    pub fn place(store: &Store, argument: TermId) -> Option<usize> {
        match store.view(argument) {
            Term::Integer(place) => usize::try_from(place).ok(),
            Term::Variable(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Atom(_)
            | Term::Compound(..) => None,
        }
    }
}

/// Tells which of some atoms hold in a state.
#[derive(Clone, Debug)]
pub struct Watcher {
    tabled: Tabled,
    predicate: Functor,
    count: usize,
}

impl Watcher {
    pub(super) fn new(
        vocabulary: &mut Vocabulary,
        clauses: &[Clause],
        atoms: &[TermId],
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let store = vocabulary.store_mut();
        let Watched { predicate, rules } = Watched::of(store, atoms);
        let rules = [clauses, &rules].concat();
        let mut tabled = Tabled::new(store, rules, Vec::new(), limits.clone())?;
        tabled.materialize(store)?;
        Ok(Self {
            tabled,
            predicate,
            count: atoms.len(),
        })
    }

    /// The places of the atoms that hold in a state.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn holding(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<FixedBitSet, ReasonerError> {
        let answers = self.tabled.ask_in(vocabulary, state, self.predicate)?;
        let mut held = FixedBitSet::with_capacity(self.count);
        for answer in answers {
            held.extend(Watched::place(vocabulary.store(), answer));
        }
        Ok(held)
    }
}
