//! What is known of a game before any state is: its rules by predicate, which of them
//! depend on the state or the moves, the facts that never change, and what was proved of all
//! states.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::fluent::condition::Condition;
use crate::fluent::constraint::Constraint;
use crate::fluent::facts::Facts;
use crate::fluent::stated::Stated;
use crate::gdl::{Domain, Domains, Game, Keyword, Keywords};
use crate::limits::{Limits, Progress, StopFlag};
use crate::rules::{EvaluationError, Rules};
use crate::term::{
    Clause, DependencyGraph, Functor, PredicateSet, Store, Substitution, Term, TermId,
};

/// What the truth of an atom depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dependence {
    /// Nothing: it is a fact of the game.
    Nothing,
    /// The state.
    State,
    /// The moves, and perhaps the state.
    Moves,
}

/// The words of the language that the translation asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanguageWords {
    pub(super) state: Functor,
    pub(super) moves: Functor,
    pub(super) next: Functor,
    pub(super) legal: Functor,
    pub(super) terminal: Functor,
}

impl LanguageWords {
    fn of(keywords: &Keywords) -> Self {
        Self {
            state: keywords.functor(Keyword::True),
            moves: keywords.functor(Keyword::Does),
            next: keywords.functor(Keyword::Next),
            legal: keywords.functor(Keyword::Legal),
            terminal: keywords.functor(Keyword::Terminal),
        }
    }
}

/// What each predicate depends on.
fn dependences(
    graph: &DependencyGraph,
    words: LanguageWords,
) -> IndexMap<Functor, Dependence, FxBuildHasher> {
    let of_state = graph.dependents([words.state]);
    let of_moves = graph.dependents([words.moves]);
    let depends = |predicate: Functor, targets: &PredicateSet, word| {
        predicate == word || targets.contains(&predicate)
    };
    let predicates = graph.predicates().iter();
    let dependences = predicates.map(|&predicate| {
        // On moves before on the state: what depends on both changes with every joint move.
        let dependence = if depends(predicate, &of_moves, words.moves) {
            Dependence::Moves
        } else if depends(predicate, &of_state, words.state) {
            Dependence::State
        } else {
            Dependence::Nothing
        };
        (predicate, dependence)
    });
    dependences.collect()
}

/// The rules of a game with what was found out about them.
pub(super) struct Theory<'s> {
    pub(super) store: &'s mut Store,
    pub(super) words: LanguageWords,
    pub(super) clauses: Vec<Clause>,
    pub(super) roles: Vec<TermId>,
    /// The fluents of the initial state.
    pub(super) initial: Vec<TermId>,
    pub(super) domains: Domains,
    /// By predicate, the indices of its clauses.
    definitions: IndexMap<Functor, Vec<usize>, FxBuildHasher>,
    dependence: IndexMap<Functor, Dependence, FxBuildHasher>,
    recursive: FxHashSet<Functor>,
    /// Predicates that depend on nothing and have few answers.
    facts: FxHashMap<Functor, Facts>,
    /// What was proved of all reachable states.
    pub(super) constraints: Vec<Constraint>,
    /// The constraints, by place, of which something was inferred.
    pub(super) used: FixedBitSet,
    /// What follows from an atom, see [`crate::fluent::consequence`].
    pub(super) consequences: FxHashMap<TermId, Rc<[Stated]>>,
    /// The functions of which it was used that some instance always holds, see
    /// [`crate::fluent::witness`].
    pub(super) relied: IndexSet<Functor, FxBuildHasher>,
    /// Steps of inference made so far, to be held against a limit.
    pub(super) work: u64,
    /// Raised where no more is to be inferred.
    stop: StopFlag,
    progress: Progress,
    /// The first number that no variable has.
    fresh: u32,
}

/// Facts of one predicate that are kept; a relation with more is asked for nothing.
const MAX_FACTS: usize = 20_000;

/// Constants of a domain that are tried one by one.
const MAX_VALUES: usize = 512;

/// Steps that finding all facts of one predicate may take.
const FACT_STEPS: u64 = 1_000_000;

impl<'s> Theory<'s> {
    /// Reads the rules of a game; `rules` is what evaluates them, with what follows from them alone
    /// evaluated already.
    ///
    /// # Errors
    /// [`EvaluationError`] if `limits.stop` was raised.
    pub(super) fn of(
        store: &'s mut Store,
        game: &Game,
        initial: Vec<TermId>,
        rules: Rules,
        limits: &Limits,
    ) -> Result<Self, TheoryError> {
        let keywords = Keywords::of(store);
        let words = LanguageWords::of(&keywords);
        let clauses = game.clauses().to_vec();
        let graph = DependencyGraph::of(store, &clauses);
        let mut definitions: IndexMap<Functor, Vec<usize>, FxBuildHasher> = IndexMap::default();
        for (index, clause) in clauses.iter().enumerate() {
            if let Some(functor) = store.functor(clause.head) {
                definitions.entry(functor).or_default().push(index);
            }
        }
        // Recursive predicates are never unfolded.
        let recursive = graph.predicates().iter().copied();
        let recursive = recursive.filter(|&predicate| graph.is_recursive(predicate));
        let mut theory = Self {
            words,
            domains: Domains::of(store, &keywords, &clauses),
            roles: game.roles().to_vec(),
            initial,
            definitions,
            dependence: dependences(&graph, words),
            recursive: recursive.collect(),
            facts: FxHashMap::default(),
            constraints: Vec::new(),
            used: FixedBitSet::new(),
            consequences: FxHashMap::default(),
            relied: IndexSet::default(),
            work: 0,
            stop: limits.stop.clone(),
            progress: limits.progress.clone(),
            // Variables of clauses are renamed apart from this on.
            fresh: 0,
            clauses,
            store,
        };
        theory.find_facts(&graph, rules, limits)?;
        Ok(theory)
    }

    /// Whether inference is to end: so many steps were made, or a stop was
    /// asked for. What is not inferred is not used, so that all stays true.
    pub(super) fn is_past(&self, end: u64) -> bool {
        self.work > end || self.is_stopped()
    }

    /// Whether a stop was asked for.
    pub(super) fn is_stopped(&self) -> bool {
        self.progress.reach(self.work);
        self.stop.raised().is_some()
    }

    fn find_facts(
        &mut self,
        graph: &DependencyGraph,
        mut rules: Rules,
        limits: &Limits,
    ) -> Result<(), TheoryError> {
        let limits = Limits {
            steps: Some(FACT_STEPS),
            ..limits.clone()
        };
        // Callees first, so that the rules of callers find rows where they would evaluate.
        for &predicate in graph.components().iter().flatten() {
            if self.dependence(predicate) != Dependence::Nothing {
                continue;
            }
            let mut rows: Vec<Vec<TermId>> = Vec::new();
            let open = vec![None; predicate.arity as usize];
            let outcome = rules.solve(self.store, predicate, &open, &limits, &mut |_, answer| {
                rows.push(answer.to_vec());
                rows.len() <= MAX_FACTS
            });
            match outcome {
                // Too many facts, or too much work to find them: then nothing is inferred of the predicate.
                Ok(()) if rows.len() <= MAX_FACTS => {
                    self.facts.insert(predicate, Facts::new(rows));
                }
                Ok(()) => {}
                Err(EvaluationError::Stopped(_)) if limits.stop.raised().is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// What a predicate depends on; nothing if there is no such predicate.
    pub(super) fn dependence(&self, predicate: Functor) -> Dependence {
        let dependence = self.dependence.get(&predicate).copied();
        dependence.unwrap_or(match predicate {
            _ if predicate == self.words.moves => Dependence::Moves,
            _ if predicate == self.words.state => Dependence::State,
            _ => Dependence::Nothing,
        })
    }

    /// The predicates with this dependence, in order of first occurrence.
    pub(super) fn predicates(&self, dependence: Dependence) -> Vec<Functor> {
        let predicates = self.dependence.iter();
        let found = predicates.filter(|&(_, &of)| of == dependence);
        found.map(|(&predicate, _)| predicate).collect()
    }

    /// What the truth of an atom depends on.
    pub(super) fn dependence_of(&self, atom: TermId) -> Dependence {
        let functor = self.store.functor(atom);
        functor.map_or(Dependence::Nothing, |functor| self.dependence(functor))
    }

    /// Whether a predicate depends on itself.
    pub(super) fn is_recursive(&self, predicate: Functor) -> bool {
        self.recursive.contains(&predicate)
    }

    /// The indices of the clauses of a predicate.
    pub(super) fn definition(&self, predicate: Functor) -> &[usize] {
        self.definitions.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// All facts of a predicate that depends on nothing, if they are few.
    pub(super) fn facts(&self, predicate: Functor) -> Option<&Facts> {
        self.facts.get(&predicate)
    }

    /// The numbers of so many variables that occur nowhere else; the first of them.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = self.fresh;
        self.fresh += count;
        first
    }

    /// A variable that occurs nowhere else.
    pub(super) fn fresh_variable(&mut self) -> TermId {
        let number = self.fresh(1);
        self.store.variable(number)
    }

    /// For each of some variables one that occurs nowhere else.
    pub(super) fn apart(&mut self, variables: impl IntoIterator<Item = u32>) -> Substitution {
        let mut apart = Substitution::default();
        for variable in variables {
            if apart.of(variable).is_none() {
                let fresh = self.fresh_variable();
                apart.bind(variable, fresh);
            }
        }
        apart
    }

    /// An atom `true(f)` or another with one argument.
    pub(super) fn unary(&mut self, predicate: Functor, argument: TermId) -> TermId {
        self.store.compound(predicate.symbol, &[argument])
    }

    /// The atom `does(r,m)` or `legal(r,m)`.
    pub(super) fn binary(&mut self, predicate: Functor, role: TermId, mv: TermId) -> TermId {
        self.store.compound(predicate.symbol, &[role, mv])
    }

    /// The fluent of an atom `true(f)`.
    pub(super) fn fluent_of(&self, atom: TermId) -> Option<TermId> {
        match (self.store.functor(atom), self.store.arguments(atom)) {
            (Some(functor), &[fluent]) if functor == self.words.state => Some(fluent),
            _ => None,
        }
    }

    /// Role and move of an atom `does(r,m)`.
    pub(super) fn move_of(&self, atom: TermId) -> Option<(TermId, TermId)> {
        match (self.store.functor(atom), self.store.arguments(atom)) {
            (Some(functor), &[role, mv]) if functor == self.words.moves => Some((role, mv)),
            _ => None,
        }
    }

    /// Whether a condition depends on the moves.
    pub(super) fn is_of_moves(&self, condition: &Condition) -> bool {
        condition.mentions(&|atom| self.dependence_of(atom) == Dependence::Moves)
    }

    /// A functor applied to variables that occur nowhere else; a constant stays what it is.
    pub(super) fn pattern(&mut self, functor: Functor) -> TermId {
        let variables: Vec<TermId> = (0..functor.arity).map(|_| self.fresh_variable()).collect();
        self.store.compound(functor.symbol, &variables)
    }

    /// The constants that can stand at an argument of a fluent, given its ground arguments; none if
    /// other terms can or they are more than [`MAX_VALUES`].
    pub(super) fn values(&self, fluent: TermId, at: usize) -> Option<Vec<TermId>> {
        self.values_in(self.domains.fluents(), fluent, at)
    }

    /// The same for a move.
    pub(super) fn values_of_move(&self, mv: TermId, at: usize) -> Option<Vec<TermId>> {
        self.values_in(self.domains.moves(), mv, at)
    }

    fn values_in(&self, domain: Domain<'_>, term: TermId, at: usize) -> Option<Vec<TermId>> {
        let functor = self.store.functor(term);
        let arguments = self.store.arguments(term);
        let mut values = Vec::new();
        // All forms that the ground arguments fit; what they allow at the position is united.
        for form in domain.forms() {
            let fits = Some(form.functor()) == functor
                && arguments.iter().enumerate().all(|(index, &argument)| {
                    !self.store.is_ground(argument)
                        || form.argument(index).contains(self.store, argument)
                });
            if !fits {
                continue;
            }
            if form.argument(at).forms().next().is_some() {
                // A compound may stand there: no list of constants would be complete.
                return None;
            }
            values.extend(form.argument(at).constants());
            if values.len() > MAX_VALUES {
                return None;
            }
        }
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    /// Whether an instance of a fluent function with these arguments at the positions of a key
    /// holds at the start.
    pub(super) fn starts_with(&self, fluent: Functor, key: &[usize], terms: &[TermId]) -> bool {
        let mut same = self
            .initial
            .iter()
            .filter(|&&f| self.store.functor(f) == Some(fluent));
        same.any(|&instance| {
            let arguments = self.store.arguments(instance);
            key.iter()
                .zip(terms)
                .all(|(&at, &term)| arguments[at] == term)
        })
    }

    /// Whether a term is a variable.
    pub(super) fn is_variable(&self, term: TermId) -> bool {
        matches!(self.store.view(term), Term::Variable(_))
    }
}

/// Why nothing is known of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TheoryError {
    /// The evaluation of facts was stopped.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}
