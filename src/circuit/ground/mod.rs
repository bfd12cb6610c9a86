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

mod batch;
mod catalogue;
mod demand;
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

use thiserror::Error;

use crate::circuit::ground::catalogue::Catalogue;
use crate::circuit::ground::grounder::Grounder;
use crate::circuit::ground::parts::Parts;
use crate::circuit::ground::plain::{Choices, plain};
use crate::circuit::ground::rewrite::{Effort, rewrite};
use crate::circuit::ground::split::Split;
use crate::circuit::ground::unfold::kinds;
use crate::gdl::{Game, Keyword, Keywords};
use crate::limits::Limits;
use crate::rules::{EvaluationError, RulesError};
use crate::term::{Clause, DependencyGraph, PredicateSet, Store, TermId};

pub use hints::Unnamed;
pub use program::{Atom, GroundLiteral, GroundProgram, Predicate};

/// Instances of rules at most, unless the caller allows for fewer.
pub const MAX_RULES: usize = 5_000_000;

/// Instances of the rules of a game that is grounded within moments, two seconds at most: whoever is not asked to
/// ground a game goes no further.
pub const MOMENTS: usize = 250_000;

/// Rows that may be looked at for each instance that is allowed.
const MAX_ROWS: usize = 20;

/// Conditions that a rule may have: an order in which to join them is looked for again and again.
const MAX_CONDITIONS: usize = 1_000;

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
    /// Joining the rules, or evaluating what depends on no state, would take too long for what the
    /// instances that are allowed are worth.
    #[error("grounding the rules takes too much work")]
    TooMuchWork,
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
    ground_with(game, &More::default(), store, limits, max_rules)
}

/// What is grounded beside the rules of a game.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// Rules of relations that the game does not know.
    pub rules: Vec<Clause>,
    /// The relations whose atoms are wanted as those of `next` are.
    pub wanted: PredicateSet,
}

/// Grounds a game together with more rules.
///
/// # Errors
/// [`GroundError`] as for [`ground`].
pub fn ground_with(
    game: &Game,
    more: &More,
    store: &mut Store,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, GroundError> {
    let effort = Effort::default();
    ground_by(game, more, effort, store, limits, max_rules)
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
    ground_by(game, &More::default(), effort, store, limits, MAX_RULES)
}

fn ground_by(
    game: &Game,
    more: &More,
    mut effort: Effort,
    store: &mut Store,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, GroundError> {
    let clauses = [game.clauses(), &more.rules].concat();
    loop {
        let rules = plain_rules(store, &clauses, &more.wanted, &effort)?;
        let program = Program {
            rules: &rules,
            roles: game.roles(),
            wanted: &more.wanted,
        };
        let crowded = match attempt(&program, store, &effort, limits, max_rules) {
            Err(Obstacle::Crowds(crowded)) => crowded,
            Err(Obstacle::Error(error)) => return Err(error),
            Ok(program) => return Ok(program),
        };
        effort.increase(crowded);
    }
}

/// The rules on which a play depends, without connectives.
fn plain_rules(
    store: &mut Store,
    clauses: &[Clause],
    wanted: &PredicateSet,
    effort: &Effort,
) -> Result<Vec<Clause>, GroundError> {
    let keywords = Keywords::of(store);
    let named = match effort.is_some() {
        true => catalogue::dependents_of_state(store, &keywords, clauses),
        false => PredicateSet::default(),
    };
    let mut choices = Choices {
        parts: Parts::named("either"),
        named: &named,
    };
    let mut rules = Vec::new();
    for (number, clause) in relevant(store, clauses, wanted) {
        rules.extend(plain(store, &mut choices, clause, number)?);
    }
    rules.append(&mut choices.parts.rules);
    match rules.iter().any(|rule| rule.body.len() > MAX_CONDITIONS) {
        true => Err(GroundError::TooMuchWork),
        false => Ok(rules),
    }
}

/// Why an attempt to ground a game ended.
pub(super) enum Obstacle {
    /// Predicates have very many instances, and were not restricted to what is asked for.
    Crowds(PredicateSet),
    Error(GroundError),
}

impl<E: Into<GroundError>> From<E> for Obstacle {
    fn from(error: E) -> Self {
        Obstacle::Error(error.into())
    }
}

/// Rules without connectives, and what is asked of them.
struct Program<'p> {
    rules: &'p [Clause],
    roles: &'p [TermId],
    wanted: &'p PredicateSet,
}

/// Grounds rules without connectives, some predicates only as far as somebody asks for them.
fn attempt(
    program: &Program<'_>,
    store: &mut Store,
    effort: &Effort,
    limits: &Limits,
    max_rules: usize,
) -> Result<GroundProgram, Obstacle> {
    let rules = program.rules;
    let most_rows = max_rules.saturating_mul(MAX_ROWS);
    let asked = match effort.is_some() {
        true => kinds(store, rules),
        false => PredicateSet::default(),
    };
    let catalogue = Catalogue::new(store, rules, &asked, limits, most_rows)?;
    let open = rules.iter().filter(|rule| catalogue.is_open(store, rule));
    let rules: Vec<Clause> = open.cloned().collect();
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let parts = Split {
        guarded: effort.is_some(),
        ..Split::named("part", &is_listed)
    };
    let rules = parts.rules(store, rules);
    let (rules, hints) = match effort.is_some() {
        true => rewrite(store, rules, program, &catalogue, effort),
        false => (rules, Vec::new()),
    };
    let settled = program.wanted.iter().copied();
    let settled = settled.chain(effort.restricted()).collect();
    let mut grounder = Grounder::new(store, catalogue, rules, hints, settled, effort.bindings());
    grounder.start(store)?;
    grounder.saturate(store, max_rules)?;
    Ok(grounder.finish(program.roles))
}

/// The rules on which a play depends, with their places.
fn relevant<'c>(
    store: &mut Store,
    clauses: &'c [Clause],
    wanted: &PredicateSet,
) -> Vec<(usize, &'c Clause)> {
    let keywords = Keywords::of(store);
    let words = [
        Keyword::Init,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
    ];
    let graph = DependencyGraph::of(store, clauses);
    let needed = words.map(|keyword| keywords.functor(keyword));
    let needed = graph.reachable(needed.into_iter().chain(wanted.iter().copied()));
    let is_needed = |clause: &Clause| {
        store
            .functor(clause.head)
            .is_some_and(|f| needed.contains(&f))
    };
    let clauses = clauses.iter().enumerate();
    clauses.filter(|(_, clause)| is_needed(clause)).collect()
}
