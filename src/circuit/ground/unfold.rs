//! Differences unfolded: that two tuples differ is that they differ in the first place or in the second.
//!
//! ```text
//! p(X,Y,K) ← attacks(U,V,K), different(X,Y,U,V)      different(X,Y,U,V) ← distinct(X,U), …
//!                                                    different(X,Y,U,V) ← distinct(Y,V), …
//!
//! p(X,Y,K) ← part(X,K), …       part(X,K) ← attacks(U,_,K), distinct(X,U), …
//! p(X,Y,K) ← other(Y,K), …      other(Y,K) ← attacks(_,V,K), distinct(Y,V), …
//! ```
//!
//! A relation of two tuples ties all their places together, though each way to differ is about one place. Where
//! rules can be split into smaller ones without it, its definition takes its place.

use rustc_hash::FxHashSet;

use crate::circuit::ground::definitions::{Definitions, definitions};
use crate::circuit::ground::split::Split;
use crate::term::{Clause, Literal, PredicateSet, Store, Substitution, TermId, calls, rename};

/// A rule becomes so many for each difference, at most.
const MAX_WAYS: usize = 4;

/// Unfolds differences where that leads to smaller rules. `all` are the rules of the game, `may_move` says which
/// conditions may become part of another rule.
pub(super) fn unfold(
    store: &mut Store,
    rules: Vec<Clause>,
    all: &[Clause],
    may_move: &dyn Fn(&Store, TermId) -> bool,
) -> Vec<Clause> {
    let differences = differences(store, all);
    let mut done = Vec::with_capacity(rules.len());
    let mut open: Vec<Clause> = rules.into_iter().rev().collect();
    while let Some(rule) = open.pop() {
        match smaller(store, &rule, &differences, may_move) {
            Some(rules) => open.extend(rules.into_iter().rev()),
            None => done.push(rule),
        }
    }
    done
}

/// What rules that were unfolded may ask for: of what kind the arguments of differences are.
pub(super) fn kinds(store: &Store, all: &[Clause]) -> PredicateSet {
    let differences = differences(store, all);
    let conditions = differences
        .values()
        .flatten()
        .flat_map(|rule| rule.body.iter());
    let calls = conditions.flat_map(|&condition| calls(store, condition));
    calls.filter_map(|call| store.functor(call.atom)).collect()
}

/// The rules that a rule becomes if one of its differences is unfolded and that is worth it.
fn smaller(
    store: &mut Store,
    rule: &Clause,
    differences: &Definitions<'_>,
    may_move: &dyn Fn(&Store, TermId) -> bool,
) -> Option<Vec<Clause>> {
    let places = 0..rule.body.len();
    let called = |&at: &usize| difference(store, rule.body[at], differences).is_some();
    // The first difference that makes the rule narrower; its products are tried again.
    for at in places.filter(called).collect::<Vec<usize>>() {
        let ways = difference(store, rule.body[at], differences)?;
        let rules: Vec<Clause> = ways
            .iter()
            .filter_map(|way| unfolded(store, rule, at, way))
            .collect();
        // Width decides how many bindings a rule has: values to the power of it.
        let before = width(store, vec![rule.clone()], may_move);
        if width(store, rules.clone(), may_move) < before {
            return Some(rules);
        }
    }
    None
}

/// The definition of a difference that is called.
fn difference<'d>(
    store: &Store,
    condition: TermId,
    differences: &'d Definitions<'_>,
) -> Option<&'d [&'d Clause]> {
    match Literal::of(store, condition) {
        Literal::Call(atom) => Some(differences.get(&store.functor(atom)?)?),
        Literal::Not(_) | Literal::And(_) | Literal::Or(_) | Literal::Distinct(..) => None,
    }
}

/// Relations all of whose rules say that two arguments differ, and beside this only of what kind each argument
/// is.
fn differences<'r>(store: &Store, rules: &'r [Clause]) -> Definitions<'r> {
    let mut all = definitions(store, rules);
    all.retain(|_, rules| {
        rules.len() <= MAX_WAYS && rules.iter().all(|rule| is_difference(store, rule))
    });
    all
}

fn is_difference(store: &Store, rule: &Clause) -> bool {
    let arguments: FxHashSet<u32> = store.variables(rule.head).into_iter().collect();
    let mut differs = false;
    for &condition in &rule.body {
        let variables = store.variables(condition);
        let one_kind = match Literal::of(store, condition) {
            Literal::Distinct(..) => {
                differs = true;
                true
            }
            Literal::Call(_) => variables.len() == 1,
            Literal::Not(_) | Literal::And(_) | Literal::Or(_) => false,
        };
        if !one_kind
            || !variables
                .iter()
                .all(|variable| arguments.contains(variable))
        {
            return false;
        }
    }
    differs
}

/// A rule with a definition in the place of a condition; nothing if the two do not unify.
fn unfolded(store: &mut Store, rule: &Clause, at: usize, way: &Clause) -> Option<Clause> {
    let offset = rule.variables.len() as u32;
    let head = rename(store, way.head, offset);
    let mut bound = Substitution::default();
    if !bound.unify(store, rule.body[at], head) {
        return None;
    }
    // The definition's conditions take the place of the call, so that the order of the rest stays.
    let mut body = rule.body.clone();
    let conditions = way.body.iter();
    let conditions: Vec<TermId> = conditions
        .map(|&condition| rename(store, condition, offset))
        .collect();
    body.splice(at..=at, conditions);
    let head = bound.apply(store, rule.head);
    let mut kept: Vec<TermId> = Vec::with_capacity(body.len());
    for condition in body {
        let condition = bound.apply(store, condition);
        if !kept.contains(&condition) {
            kept.push(condition);
        }
    }
    Some(Clause {
        origin: rule.origin.clone(),
        ..Clause::of(store, head, kept)
    })
}

/// The most variables that are bound together when rules are split.
fn width(
    store: &mut Store,
    rules: Vec<Clause>,
    may_move: &dyn Fn(&Store, TermId) -> bool,
) -> usize {
    let rules = Split::named("trial", may_move).rules(store, rules);
    let widths = rules.iter().map(|rule| {
        let terms = rule.body.iter().chain([&rule.head]);
        let variables = terms.flat_map(|&term| store.variables(term));
        variables.collect::<FxHashSet<u32>>().len()
    });
    widths.max().unwrap_or(0)
}
