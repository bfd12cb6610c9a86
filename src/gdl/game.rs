//! A game: validated rules with their roles, ready to be reasoned about.

use crate::gdl::changes::Changes;
use crate::gdl::error::GameError;
use crate::gdl::fnv::Fnv;
use crate::gdl::incremental::{GameRules, Incremental};
use crate::gdl::query::StateQuery;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::Vocabulary;
use crate::gdl::watcher::Watcher;
use crate::limits::Limits;
use crate::syntax::Source;
use crate::term::{Clause, Functor, Prefix, Store, TermId};

/// The rules of one game.
#[derive(Clone, Debug)]
pub struct Game {
    source: Source,
    clauses: Vec<Clause>,
    roles: Vec<TermId>,
}

impl Game {
    /// Takes validated clauses in and finds out who plays; roles are in the order of the rules.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn new(
        store: &mut Store,
        source: Source,
        clauses: Vec<Clause>,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let rules = Tabled::new(store, clauses.clone(), Vec::new(), limits.clone())?;
        let role = Functor {
            symbol: store.symbol("role"),
            arity: 1,
        };
        let roles = rules.into_rules().answers(store, role, limits)?;
        Ok(Self {
            source,
            clauses,
            roles: roles.into_iter().flatten().collect(),
        })
    }

    /// The text of the rules.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The rules, in the order of the text.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The players, in the order of the text.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The players as the rules name them, as prefix GDL, in the order of the text.
    pub fn role_names(&self, store: &Store) -> Vec<String> {
        let roles = self.roles.iter();
        roles
            .map(|&role| Prefix::new(store, role).to_string())
            .collect()
    }

    /// A hash of the rules that does not depend on layout and comments, as hexadecimal digits: whether a file is about
    /// this game.
    pub fn fingerprint(&self, store: &Store) -> String {
        let mut hash = Fnv::new();
        let mut feed = |text: &str| {
            hash.feed(text.as_bytes());
            hash.feed(b"\n");
        };
        // Variables are written by their numbers, so that their names do not count. Line ends and dots keep the rule
        // p ← q apart from the facts p and q.
        for clause in &self.clauses {
            for &term in std::iter::once(&clause.head).chain(&clause.body) {
                feed(&Prefix::new(store, term).to_string());
            }
            feed(".");
        }
        format!("{:016x}", hash.value())
    }

    /// The reasoner that evaluates the rules by tabled resolution.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn tabled(&self, vocabulary: &mut Vocabulary, limits: Limits) -> Result<Tabled, GameError> {
        let store = vocabulary.store_mut();
        let mut tabled = Tabled::new(store, self.clauses.clone(), self.roles.clone(), limits)?;
        tabled.materialize(store)?;
        Ok(tabled)
    }

    /// What tells which of some atoms hold in a state; their variables stand for some value.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn watcher(
        &self,
        vocabulary: &mut Vocabulary,
        atoms: &[TermId],
        limits: &Limits,
    ) -> Result<Watcher, GameError> {
        Watcher::new(vocabulary, &self.clauses, atoms, limits)
    }

    /// A condition, with variables or without, that can be asked of states. There is no joint move, so that `does` holds
    /// of nothing.
    ///
    /// # Errors
    /// [`GameError::Rules`] if a variable of the condition is bound by nothing.
    pub fn query(
        &self,
        vocabulary: &mut Vocabulary,
        condition: TermId,
        limits: &Limits,
    ) -> Result<StateQuery, GameError> {
        StateQuery::new(vocabulary, &self.clauses, condition, limits)
    }

    /// The reasoner that keeps up to date what follows from the state, as far as that pays.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn incremental(
        &self,
        vocabulary: &mut Vocabulary,
        limits: Limits,
    ) -> Result<Incremental, GameError> {
        let rules = GameRules {
            clauses: &self.clauses,
            changes: None,
            roles: &self.roles,
            limits: &limits,
        };
        Incremental::new(vocabulary, &rules)
    }

    /// The same with successors found by rules of change instead of `next`.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn progressing(
        &self,
        vocabulary: &mut Vocabulary,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Incremental, GameError> {
        let clauses = [&self.clauses[..], &changes.rules].concat();
        let rules = GameRules {
            clauses: &clauses,
            changes: Some(&changes.predicates),
            roles: &self.roles,
            limits,
        };
        Incremental::new(vocabulary, &rules)
    }
}
