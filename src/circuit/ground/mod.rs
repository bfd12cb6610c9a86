//! Grounding: from rules with variables to the instances of them that can apply in some state.
//!
//! ```text
//! clauses → plain (no connectives) → split (few variables a rule) → rule (slots, views)
//!         → plan, join: bottom up, with what may be true so far, until nothing is new
//! ```
//!
//! What may be true in some state is approximated from above: a negated condition that depends on the
//! state may always be satisfied, fluents that may be true at all may be true together, and so may a
//! move and a state in which it is not legal. Everything that depends on no state is evaluated away.
//! No `base` and no `input` is needed.

mod catalogue;
mod demand;
mod join;
mod plain;
mod plan;
mod program;
mod relation;
mod rule;
mod split;

use hashbrown::HashTable;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::{BuildHasher, Hash, Hasher};
use thiserror::Error;

use crate::circuit::ground::catalogue::{Catalogue, FLUENTS, Face, MOVES, RelationNumber};
use crate::circuit::ground::demand::Demand;
use crate::circuit::ground::join::Join;
use crate::circuit::ground::plan::{Ranges, plan};
use crate::circuit::ground::relation::{AtomNumber, NO_ATOM};
use crate::circuit::ground::rule::{Compiler, Rule};
use crate::circuit::ground::split::Parts;
use crate::engine::Limits;
use crate::engine::rules::{EvaluationError, RulesError};
use crate::gdl::{Game, Keyword, Keywords};
use crate::term::{Clause, DependencyGraph, PredicateSet, Store, TermId};

pub use program::{Atom, GroundLiteral, GroundProgram};

/// Instances of rules at most, unless the caller allows for fewer.
pub const MAX_RULES: usize = 5_000_000;

/// How often it is looked at whether there is too much of something, in bindings.
const POLL: usize = 1 << 12;

/// Bindings of a game that is grounded without a look at what is asked for.
const MAX_LOOSE: usize = 3_000_000;

/// In games with more, predicates with more than this are restricted to what is asked for.
const CROWD: usize = 100_000;

/// Rows that may be looked at for each instance that is allowed.
const MAX_ROWS: usize = 20;

/// Why a game has no ground form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroundError {
    /// The rules are not safe.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// What depends on no state could not be evaluated, or somebody asked for a stop.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A rule has so many `or` that it is thousands of rules.
    #[error("a rule has too many alternatives")]
    TooManyAlternatives {
        /// Index of the clause.
        clause: usize,
    },
    /// A rule binds its variables in no order in which its conditions can be asked.
    #[error("a rule asks a question that has no end of answers")]
    Unbound {
        /// Index of the clause.
        clause: usize,
    },
    /// Too many rows were looked at for the instances that are allowed.
    #[error("joining the rules looks at more than {limit} atoms")]
    TooMuchWork {
        /// Rows that may be looked at.
        limit: usize,
    },
    /// There are more instances than are allowed.
    #[error("the rules have more than {limit} instances")]
    TooLarge {
        /// Instances that are allowed.
        limit: usize,
    },
}

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
    let mut rules = Vec::new();
    for (number, clause) in relevant(store, game.clauses()) {
        rules.extend(plain::plain(store, clause, number)?);
    }
    let mut restricted = PredicateSet::default();
    loop {
        match attempt(game, store, &rules, &restricted, limits, max_rules) {
            Err(Obstacle::Crowds(predicates)) => restricted.extend(predicates),
            Err(Obstacle::Error(error)) => return Err(error),
            Ok(program) => return Ok(program),
        }
    }
}

/// Why an attempt to ground a game ended.
enum Obstacle {
    /// Predicates have very many instances, and were not restricted to what is asked for.
    Crowds(PredicateSet),
    Error(GroundError),
}

impl<E: Into<GroundError>> From<E> for Obstacle {
    fn from(error: E) -> Self {
        Obstacle::Error(error.into())
    }
}

/// Grounds rules without connectives, some predicates only as far as somebody asks for them.
fn attempt(
    game: &Game,
    store: &mut Store,
    rules: &[Clause],
    restricted: &PredicateSet,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, Obstacle> {
    let mut catalogue = Catalogue::new(store, rules, limits)?;
    catalogue.most_rows = max_rules.saturating_mul(MAX_ROWS);
    let keywords = Keywords::of(store);
    let dynamic = catalogue::dependents_of_state(store, &keywords, rules);
    let mut rules = rules.to_vec();
    rules.retain(|rule| {
        store
            .functor(rule.head)
            .is_some_and(|head| dynamic.contains(&head))
    });
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let demand = Demand::of(store, &rules, restricted, &is_listed);
    let rules = Parts::split(store, demand.rules, "part", &is_listed);
    let hints = Parts::split(store, demand.hints, "hint", &is_listed);
    let mut grounder = Grounder::new(store, catalogue, &keywords, rules, hints);
    grounder.restricted = restricted.clone();
    grounder.start(store)?;
    grounder.saturate(store, max_rules)?;
    Ok(grounder.finish(store, &keywords, game.roles()))
}

/// The rules on which a play depends, with their places.
fn relevant<'c>(store: &mut Store, clauses: &'c [Clause]) -> Vec<(usize, &'c Clause)> {
    let keywords = Keywords::of(store);
    let words = [
        Keyword::Init,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
    ];
    let graph = DependencyGraph::of(store, clauses);
    let needed = graph.reachable(words.map(|keyword| keywords.functor(keyword)));
    let is_needed = |clause: &Clause| {
        store
            .functor(clause.head)
            .is_some_and(|f| needed.contains(&f))
    };
    let clauses = clauses.iter().enumerate();
    clauses.filter(|(_, clause)| is_needed(clause)).collect()
}

/// Rules and what is known to be possible so far.
struct Grounder {
    catalogue: Catalogue,
    /// Callees first.
    rules: Vec<Rule>,
    program: GroundProgram,
    /// Instances by content, so that each is kept once.
    known: HashTable<u32>,
    /// Fluents that hold at the start.
    initial: Vec<TermId>,
    columns: Vec<TermId>,
    stack: Vec<TermId>,
    literals: Vec<GroundLiteral>,
    /// Predicates that are restricted to what is asked for.
    restricted: PredicateSet,
    /// Instances by relation of the head.
    crowds: IndexMap<RelationNumber, usize, FxBuildHasher>,
    /// Bindings found so far.
    work: usize,
}

impl Grounder {
    /// Takes rules in, and rules that are no part of the ground program.
    fn new(
        store: &mut Store,
        mut catalogue: Catalogue,
        keywords: &Keywords,
        mut rules: Vec<Clause>,
        hints: Vec<Clause>,
    ) -> Self {
        let dynamic = catalogue::dependents_of_state(store, keywords, &rules);
        let heads = |rules: &[Clause]| -> PredicateSet {
            let heads = rules.iter().filter_map(|rule| store.functor(rule.head));
            heads.collect()
        };
        let parts = heads(&rules)
            .into_iter()
            .filter(|head| !dynamic.contains(head));
        for functor in parts.chain(heads(&hints)) {
            catalogue.add(functor, true);
        }
        rules.extend(hints);
        let rules = &rules;
        let graph = DependencyGraph::of(store, rules);
        let rank = |rule: &Clause| {
            let component = store
                .functor(rule.head)
                .and_then(|head| graph.component(head));
            component.map_or(0, |component| component.index())
        };
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|&at| rank(&rules[at]));
        let mut compiler = Compiler::new(store, &mut catalogue);
        let rules = order
            .iter()
            .map(|&at| compiler.rule(&rules[at], at))
            .collect();
        Self {
            catalogue,
            rules,
            program: GroundProgram::default(),
            known: HashTable::new(),
            initial: Vec::new(),
            columns: Vec::new(),
            stack: Vec::new(),
            literals: Vec::new(),
            restricted: PredicateSet::default(),
            crowds: IndexMap::default(),
            work: 0,
        }
    }

    /// The fluents of the initial state are possible.
    fn start(&mut self, store: &mut Store) -> Result<(), GroundError> {
        self.initial = self.catalogue.initial(store)?;
        let Catalogue {
            relations, atoms, ..
        } = &mut self.catalogue;
        for &fluent in &self.initial {
            relations[FLUENTS].insert(store, &[fluent], || take(atoms, 2));
        }
        Ok(())
    }

    /// Joins rules with what is new until nothing is.
    fn saturate(&mut self, store: &mut Store, max_rules: usize) -> Result<(), Obstacle> {
        let mut rules = std::mem::take(&mut self.rules);
        let mut at = 0;
        let mut idle = 0;
        while idle < rules.len() {
            idle = match self.join(store, &mut rules[at], max_rules)? {
                true => 0,
                false => idle + 1,
            };
            at = (at + 1) % rules.len();
        }
        self.rules = rules;
        Ok(())
    }

    /// Joins a rule with what is new for it. False if nothing was.
    fn join(
        &mut self,
        store: &mut Store,
        rule: &mut Rule,
        max_rules: usize,
    ) -> Result<bool, Obstacle> {
        let length = |positive: &rule::Positive| {
            self.catalogue.relations[positive.relation].views[positive.view].len()
        };
        let lengths: Vec<usize> = rule.positive.iter().map(length).collect();
        let news: Vec<Option<usize>> = match (rule.started, rule.positive.is_empty()) {
            (true, true) => Vec::new(),
            (false, true) => vec![None],
            // What was never joined is joined at once, in the best order.
            (false, false) => match lengths.contains(&0) {
                true => Vec::new(),
                false => vec![None],
            },
            (true, false) => (0..lengths.len())
                .filter(|&at| rule.positive[at].done < lengths[at])
                .map(Some)
                .collect(),
        };
        let worked = !news.is_empty();
        for new in news {
            let ranges = Ranges {
                new,
                lengths: lengths.clone(),
            };
            let Some(plan) = plan(rule, &mut self.catalogue.relations, &ranges) else {
                return Err(GroundError::Unbound {
                    clause: rule.clause,
                }
                .into());
            };
            let mut join = Join::new(rule, &plan);
            while join.next(store, &mut self.catalogue)? {
                self.emit(store, rule, &join);
                self.work += 1;
                if self.work.is_multiple_of(POLL) {
                    self.look_around(rule, max_rules)?;
                }
            }
        }
        if worked {
            rule.started = true;
            for (positive, &length) in rule.positive.iter_mut().zip(&lengths) {
                positive.done = length;
            }
        }
        Ok(worked)
    }

    /// Ends the attempt if there are too many instances.
    fn look_around(&mut self, rule: &Rule, max_rules: usize) -> Result<(), Obstacle> {
        if self.program.rules() > max_rules {
            return Err(GroundError::TooLarge { limit: max_rules }.into());
        }
        *self.crowds.entry(rule.head).or_default() += POLL;
        if self.work < MAX_LOOSE {
            return Ok(());
        }
        let crowded = self
            .crowds
            .iter()
            .filter(|&(_, &bindings)| bindings > CROWD);
        let crowded = crowded.filter_map(|(&relation, _)| self.catalogue.predicate(relation));
        let crowded: PredicateSet = crowded
            .filter(|predicate| !self.restricted.contains(predicate))
            .collect();
        match crowded.is_empty() {
            true => Ok(()),
            false => Err(Obstacle::Crowds(crowded)),
        }
    }

    /// Adds the instance of a rule that a join has found.
    fn emit(&mut self, store: &mut Store, rule: &Rule, join: &Join<'_>) {
        self.literals.clear();
        let Catalogue {
            relations, atoms, ..
        } = &mut self.catalogue;
        for (condition, row) in join.rows() {
            let positive = &rule.positive[condition];
            let atom = relations[positive.relation].views[positive.view].atom(row);
            if atom != NO_ATOM {
                self.literals
                    .push(GroundLiteral::new(atom + positive.face as u32, false));
            }
        }
        for negative in rule.negative.iter().filter(|negative| !negative.is_static) {
            self.columns.clear();
            for column in &negative.columns {
                let term = column.build(store, &join.slots, &mut self.stack);
                self.columns.push(term);
            }
            let faces = faces(negative.relation);
            let atom = relations[negative.relation].atom(&self.columns, || take(atoms, faces));
            self.literals
                .push(GroundLiteral::new(atom + negative.face as u32, true));
        }
        self.columns.clear();
        for column in &rule.columns {
            let term = column.build(store, &join.slots, &mut self.stack);
            self.columns.push(term);
        }
        let is_static = self.catalogue.is_static(rule.head);
        let Catalogue {
            relations, atoms, ..
        } = &mut self.catalogue;
        let faces = faces(rule.head);
        let (atom, _) = relations[rule.head].insert(store, &self.columns, || match is_static {
            true => NO_ATOM,
            false => take(atoms, faces),
        });
        if !is_static {
            self.keep(atom + rule.face as u32);
        }
    }

    /// Keeps an instance with the literals collected, unless it is known or contradicts itself.
    fn keep(&mut self, head: AtomNumber) {
        self.literals.sort_unstable();
        self.literals.dedup();
        if self
            .literals
            .windows(2)
            .any(|pair| pair[0].atom() == pair[1].atom())
        {
            return;
        }
        let program = &mut self.program;
        let hash = hash(head, &self.literals);
        let same = |&rule: &u32| program.rule(rule as usize) == (head as usize, &self.literals[..]);
        if self.known.find(hash, same).is_some() {
            return;
        }
        let rule = program.rules() as u32;
        program.heads.push(head);
        program.conditions.extend_from_slice(&self.literals);
        program.ends.push(program.conditions.len() as u32);
        let program = &self.program;
        self.known.insert_unique(hash, rule, |&rule| {
            let (head, conditions) = program.rule(rule as usize);
            self::hash(head as u32, conditions)
        });
    }

    /// Says what all atoms are.
    fn finish(mut self, store: &mut Store, keywords: &Keywords, roles: &[TermId]) -> GroundProgram {
        let mut program = std::mem::take(&mut self.program);
        let initial: FxHashSet<TermId> = self.initial.iter().copied().collect();
        program.atoms = vec![Atom::Void; self.catalogue.atoms as usize];
        let role_of = |term: TermId| {
            roles
                .iter()
                .position(|&role| role == term)
                .map(|at| at as u32)
        };
        for (columns, atom, _) in self.catalogue.relations[FLUENTS].atoms() {
            let fluent = program.fluents.len() as u32;
            program.fluents.push(columns[0]);
            program.atoms[atom as usize] = Atom::True(fluent);
            program.atoms[atom as usize + 1] = Atom::Next(fluent);
            if initial.contains(&columns[0]) {
                program.initial.push(fluent);
            }
        }
        for (columns, atom, _) in self.catalogue.relations[MOVES].atoms() {
            if let Some(role) = role_of(columns[0]) {
                let mv = program.moves.len() as u32;
                program.moves.push((role, columns[1]));
                program.atoms[atom as usize] = Atom::Does(mv);
                program.atoms[atom as usize + 1] = Atom::Legal(mv);
            }
        }
        for (functor, relation) in self.catalogue.named() {
            if self.catalogue.is_static(relation) {
                continue;
            }
            for (columns, atom, _) in self.catalogue.relations[relation].atoms() {
                program.atoms[atom as usize] = match keywords.predicate(functor) {
                    Some(Keyword::Terminal) => Atom::Terminal,
                    Some(Keyword::Goal) => match role_of(columns[0]) {
                        Some(role) => Atom::Goal(role, columns[1]),
                        None => Atom::Void,
                    },
                    _ => Atom::Other(store.compound(functor.symbol, columns)),
                };
            }
        }
        program
    }
}

/// The number of faces of the atoms of a relation.
fn faces(relation: RelationNumber) -> AtomNumber {
    match relation {
        FLUENTS | MOVES => Face::Derived as AtomNumber + 1,
        _ => 1,
    }
}

/// Takes so many numbers for atoms; the first of them.
fn take(atoms: &mut AtomNumber, count: AtomNumber) -> AtomNumber {
    *atoms += count;
    *atoms - count
}

fn hash(head: AtomNumber, literals: &[GroundLiteral]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write_u32(head);
    literals
        .iter()
        .for_each(|literal| literal.hash(&mut hasher));
    hasher.finish()
}
