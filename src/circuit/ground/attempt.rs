//! Attempts at grounding, each with more effort than the one before.
//!
//! Rewriting rules costs time that most games need not spend. So the first attempt takes the rules as they are; when
//! predicates turn out to have very many instances, it is given up, and the next one rewrites, and restricts those
//! predicates to what is asked for ([`Effort`]).

use crate::circuit::ground::catalogue::{self, Catalogue};
use crate::circuit::ground::error::{GroundError, Obstacle};
use crate::circuit::ground::extension::Extension;
use crate::circuit::ground::grounder::Grounder;
use crate::circuit::ground::parts::Parts;
use crate::circuit::ground::plain::{Choices, PlainRules, plain};
use crate::circuit::ground::program::GroundProgram;
use crate::circuit::ground::rewrite::{Effort, rewrite};
use crate::circuit::ground::split::Split;
use crate::circuit::ground::unfold::kinds;
use crate::gdl::{Game, Keyword, Keywords};
use crate::limits::{Limits, Stage};
use crate::term::{Clause, DependencyGraph, PredicateSet, Store, TermId};

/// Rows that may be read for each instance that is allowed.
const MAX_ROWS: usize = 20;

/// Conditions that a rule may have: an order in which to join them is looked for again and again.
const MAX_CONDITIONS: usize = 1_000;

/// Grounds a game, with more effort from attempt to attempt until one is finished.
pub(super) fn ground_by(
    (game, extension): (&Game, &Extension),
    mut effort: Effort,
    store: &mut Store,
    (limits, max_rules): (&Limits, usize),
) -> Result<GroundProgram, GroundError> {
    limits.progress.begin(Stage::Grounding, None);
    let clauses = [game.clauses(), &extension.rules].concat();
    loop {
        let rules = plain_rules(store, &clauses, &extension.wanted, &effort)?;
        let program = PlainRules {
            rules: &rules,
            roles: game.roles(),
            wanted: &extension.wanted,
        };
        let crowded = match attempt(&program, store, &effort, (limits, max_rules)) {
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
    let named = if effort.is_some() {
        catalogue::dependents_of_state(store, &keywords, clauses)
    } else {
        PredicateSet::default()
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
    if rules.iter().any(|rule| rule.body.len() > MAX_CONDITIONS) {
        Err(GroundError::TooMuchWork)
    } else {
        Ok(rules)
    }
}

/// Grounds rules without connectives, some predicates only as far as somebody asks for them.
fn attempt(
    program: &PlainRules<'_>,
    store: &mut Store,
    effort: &Effort,
    (limits, max_rules): (&Limits, usize),
) -> Result<GroundProgram, Obstacle> {
    let rules = program.rules;
    let most_rows = max_rules.saturating_mul(MAX_ROWS);
    let asked = if effort.is_some() {
        kinds(store, rules)
    } else {
        PredicateSet::default()
    };
    let catalogue = Catalogue::new(store, rules, &asked, (limits, most_rows))?;
    let open = rules.iter().filter(|rule| catalogue.is_open(store, rule));
    let rules: Vec<Clause> = open.cloned().collect();
    let is_listed = |store: &Store, condition: TermId| catalogue.is_listed(store, condition);
    let parts = Split {
        guarded: effort.is_some(),
        ..Split::named("part", &is_listed)
    };
    let rules = parts.rules(store, rules);
    let (rules, hints) = if effort.is_some() {
        rewrite(store, rules, program, (&catalogue, effort))
    } else {
        (rules, Vec::new())
    };
    let exempt = program.wanted.iter().copied();
    let exempt = exempt.chain(effort.restricted()).collect();
    let limits = (exempt, effort.bindings());
    let mut grounder = Grounder::new(store, catalogue, (rules, hints), limits);
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
