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
mod grounder;
mod inline;
mod join;
mod parameters;
mod parts;
mod plain;
mod plan;
mod program;
mod relation;
mod rule;
mod split;
mod unfold;

use thiserror::Error;

use crate::circuit::ground::catalogue::Catalogue;
use crate::circuit::ground::demand::{Context, Demand, Wanted};
use crate::circuit::ground::grounder::Grounder;
use crate::circuit::ground::inline::{Kind, inline};
use crate::circuit::ground::parameters::parameters;
use crate::circuit::ground::parts::Parts;
use crate::circuit::ground::plain::{Choices, plain};
use crate::circuit::ground::split::Split;
use crate::circuit::ground::unfold::unfold;
use crate::engine::Limits;
use crate::engine::rules::{EvaluationError, RulesError};
use crate::gdl::{Game, Keyword, Keywords};
use crate::term::{Clause, DependencyGraph, Functor, PredicateSet, Store, TermId};

pub use program::{Atom, GroundLiteral, GroundProgram};

/// Instances of rules at most, unless the caller allows for fewer.
pub const MAX_RULES: usize = 5_000_000;

/// Instances of the rules of a game that is grounded within moments, a second at most: whoever is not asked to
/// ground a game goes no further.
pub const MOMENTS: usize = 250_000;

/// Bindings of a game that is grounded without a look at what is asked for.
const MAX_LOOSE: usize = 700_000;

/// Bindings of a game before predicates are restricted to atoms that somebody asks for.
const MAX_ASKED: usize = 8_000_000;

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
    let effort = Effort(vec![crowded.clone(), crowded.clone()]);
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
    let mut rules = Vec::new();
    let keywords = Keywords::of(store);
    let mut choices = Choices {
        parts: Parts::named("either"),
        joined: &catalogue::dependents_of_state(store, &keywords, &clauses),
    };
    for (number, clause) in relevant(store, &clauses, &more.wanted) {
        rules.extend(plain(store, &mut choices, clause, number)?);
    }
    rules.append(&mut choices.parts.rules);
    if rules.iter().any(|rule| rule.body.len() > MAX_CONDITIONS) {
        return Err(GroundError::TooMuchWork);
    }
    let program = Program {
        rules: &rules,
        roles: game.roles(),
        wanted: &more.wanted,
    };
    loop {
        let crowded = match attempt(&program, store, &effort, limits, max_rules) {
            Err(Obstacle::Crowds(crowded)) => crowded,
            Err(Obstacle::Error(error)) => return Err(error),
            Ok(program) => return Ok(program),
        };
        effort.0.push(crowded);
    }
}

/// What is done to have few instances: nothing but splitting rules at first. After that rules are rewritten, and
/// predicates are restricted to the parameters that somebody asks for; some even to the atoms: the crowded ones that
/// are recursive, since what a predicate asks of itself hangs together, and all that are crowded even so.
#[derive(Default)]
struct Effort(Vec<PredicateSet>);

impl Effort {
    /// The bindings that may be found before more is tried.
    fn bindings(&self) -> usize {
        match self.0.is_empty() {
            true => MAX_LOOSE,
            false => MAX_ASKED,
        }
    }

    /// Whether a predicate is restricted to the atoms that somebody asks for.
    fn restricts(&self, graph: &DependencyGraph, predicate: Functor) -> bool {
        let mut crowded = self.0.iter();
        let at_first = crowded
            .next()
            .is_some_and(|first| first.contains(&predicate));
        at_first && graph.is_recursive(predicate) || crowded.any(|more| more.contains(&predicate))
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
    let catalogue = Catalogue::new(store, rules, limits, most_rows)?;
    let open = rules.iter().filter(|rule| catalogue.is_open(store, rule));
    let rules: Vec<Clause> = open.cloned().collect();
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let parts = Split {
        name: "part",
        may_move: &is_listed,
        tests: None,
    };
    let rules = parts.rules(store, rules);
    let (rules, hints) = match effort.0.is_empty() {
        true => (rules, Vec::new()),
        false => rewrite(store, rules, program, &catalogue, effort),
    };
    let more = effort.0.iter().skip(1).flatten();
    let settled = program.wanted.iter().chain(more).copied().collect();
    let mut grounder = Grounder::new(store, catalogue, rules, hints, settled, effort.bindings());
    grounder.start(store)?;
    grounder.saturate(store, max_rules)?;
    Ok(grounder.finish(store, program.roles))
}

/// Rules that have fewer instances, with rules that say which of them are wanted.
fn rewrite(
    store: &mut Store,
    rules: Vec<Clause>,
    program: &Program<'_>,
    catalogue: &Catalogue,
    effort: &Effort,
) -> (Vec<Clause>, Vec<Clause>) {
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let is_asked = |functor: Functor| {
        catalogue.keywords.predicate(functor).is_some() || program.wanted.contains(&functor)
    };
    let is_static = |functor: Functor| catalogue.is_listed_always(functor);
    let rules = unfold(store, rules, program.rules, &is_listed);
    let pieces = Split {
        name: "piece",
        may_move: &is_listed,
        tests: None,
    };
    let rules = pieces.rules(store, rules);
    let dynamic = catalogue::dependents_of_state(store, &catalogue.keywords, &rules);
    let rules = inline(store, rules, &|functor| match (
        dynamic.contains(&functor),
        is_asked(functor),
    ) {
        (true, true) => Kind::Asked,
        (true, false) => Kind::Derived,
        (false, _) if is_static(functor) => Kind::Listed,
        (false, _) => Kind::Other,
    });
    let mut tests = PredicateSet::default();
    let split = Split {
        name: "test",
        may_move: &is_listed,
        tests: Some(&mut tests),
    };
    let rules = split.rules(store, rules);
    let mut wanted = parameters(store, &rules, &is_static);
    let graph = DependencyGraph::of(store, &rules);
    for &functor in graph.predicates() {
        if is_asked(functor) {
            wanted.shift_remove(&functor);
        } else if tests.contains(&functor) || effort.restricts(&graph, functor) {
            let known = vec![true; functor.arity as usize];
            let apart = false;
            wanted.insert(functor, Wanted { known, apart });
        }
    }
    let context = Context {
        is_listed: &is_listed,
        tests: &tests,
    };
    let demand = Demand::of(store, &rules, wanted, &context);
    let hints = Split {
        name: "hint",
        may_move: &is_listed,
        tests: None,
    };
    (demand.rules, hints.rules(store, demand.hints))
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
