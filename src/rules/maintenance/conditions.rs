//! Bodies in the form for maintenance: conjunctions of rows that must be present or absent.
//!
//! `or` is distributed, so that each of its branches gives a derivation of its own. A negation with
//! variables that nothing else binds, "there is no", becomes the negation of a projection, a view
//! that is made for it:
//!
//! ```text
//! stuck(P) :- role(P), not legal(P,M)        projection(P) :- legal(P,M)
//!                                            stuck(P) :- role(P), not projection(P)
//! ```

use crate::rules::code::RelationId;
use crate::rules::maintenance::obstacle::Obstacle;
use crate::rules::plan::Planner;
use crate::rules::program::FLUENTS;
use crate::rules::safety;
use crate::term::{Clause, Functor, Literal, Store, TermId};

/// Branches that the `or` of one rule may multiply to.
const MAX_BRANCHES: usize = 200;

/// A condition of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A row is present, or absent.
    Row {
        relation: RelationId,
        columns: Vec<TermId>,
        positive: bool,
        /// Whether the relation changes with the state.
        dynamic: bool,
    },
    /// Two terms are the same, or differ.
    Compare {
        left: TermId,
        right: TermId,
        positive: bool,
    },
}

/// One way to derive rows of a predicate.
#[derive(Clone, Debug)]
pub(super) struct Conjunction {
    pub(super) head: Vec<TermId>,
    pub(super) conditions: Vec<Condition>,
    /// Number of variables of the clause.
    pub(super) variables: usize,
}

/// A condition without connectives: an atom or `distinct`, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Simple {
    literal: TermId,
    positive: bool,
}

/// The conjunctions of a clause. Negated atoms with local variables are given to
/// `projection` together with the variables that are bound; it returns the relation of the rows of
/// these for which the atom holds. Whole: one loop over a branch tells conditions, what always or never holds, and
/// negations that need a projection apart.
pub(super) fn conjunctions(
    planner: &mut Planner<'_>,
    clause: &Clause,
    is_dynamic: &dyn Fn(Functor) -> bool,
    projection: &mut dyn FnMut(&mut Planner<'_>, Condition, Vec<TermId>) -> RelationId,
) -> Result<Vec<Conjunction>, Obstacle> {
    let store = planner.store;
    let variables = clause.variables.len();
    let mut bound = vec![false; variables];
    safety::bind(store, &clause.body, &mut bound);
    // `bound` is what the body binds whatever branch is taken: over these variables a negated conjunction may be taken
    // apart.
    let mut found = Vec::new();
    // Each branch is one way to derive the head and is counted apart. `p :- q or r` with both true has two
    // derivations, and p stays when one of them goes.
    for branch in conjoin(store, &clause.body, true, &bound)? {
        let mut bound = vec![false; variables];
        for simple in branch.iter().filter(|simple| simple.positive) {
            safety::bind(store, &[simple.literal], &mut bound);
        }
        let mut conditions: Vec<Condition> = Vec::new();
        let mut is_void = false;
        for simple in branch {
            let condition = match condition(planner, simple, is_dynamic)? {
                Read::Condition(condition) => condition,
                // What always holds is no condition, and what never does makes the whole branch void.
                Read::True => continue,
                Read::False => {
                    is_void = true;
                    break;
                }
            };
            let condition = match condition {
                Condition::Row {
                    positive: false, ..
                } if !planner.is_bound(simple.literal, &bound) => {
                    let columns = bound_variables(store, simple.literal, &bound);
                    absent_row(projection(planner, condition, columns.clone()), columns)
                }
                Condition::Row { .. } | Condition::Compare { .. } => condition,
            };
            // A condition that stands twice is one, so that each has a place of its own.
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        if !is_void {
            found.push(Conjunction {
                head: store.arguments(clause.head).to_vec(),
                conditions,
                variables,
            });
        }
    }
    Ok(found)
}

/// The columns of the projection that stands for a negated atom: `not legal(P,M)` with P bound keeps P, and how many
/// M there are is its count.
fn bound_variables(store: &Store, literal: TermId, bound: &[bool]) -> Vec<TermId> {
    let outer = store.variables(literal).into_iter();
    let outer: Vec<u32> = outer.filter(|&v| bound[v as usize]).collect();
    variable_terms(store, literal, &outer)
}

/// That a projection does not have a row.
fn absent_row(relation: RelationId, columns: Vec<TermId>) -> Condition {
    Condition::Row {
        relation,
        columns,
        positive: false,
        dynamic: true,
    }
}

/// What a condition comes to.
enum Read {
    Condition(Condition),
    True,
    False,
}

fn condition(
    planner: &mut Planner<'_>,
    simple: Simple,
    is_dynamic: &dyn Fn(Functor) -> bool,
) -> Result<Read, Obstacle> {
    let Simple { literal, positive } = simple;
    let store = planner.store;
    if let Literal::Distinct(left, right) = Literal::of(store, literal) {
        return Ok(Read::Condition(Condition::Compare {
            left,
            right,
            positive: !positive,
        }));
    }
    let functor = store.functor(literal);
    if functor == Some(planner.program.dynamic.moves) {
        return Err(Obstacle::Moves);
    }
    if let Some((relation, row)) = planner.relation_of(literal) {
        // The relation of all fluents has one column, the fluent itself.
        let columns = if relation == FLUENTS {
            vec![row]
        } else {
            store.arguments(row).to_vec()
        };
        let state = functor == Some(planner.program.dynamic.state);
        return Ok(Read::Condition(Condition::Row {
            relation,
            columns,
            positive,
            dynamic: state || functor.is_some_and(is_dynamic),
        }));
    }
    match functor {
        Some(functor) if planner.program.predicate(functor).is_some() => {
            Err(Obstacle::Callee(functor))
        }
        // What nothing defines never holds.
        _ if positive => Ok(Read::False),
        _ => Ok(Read::True),
    }
}

/// The branches of a conjunction, or of its negation. Nesting is bounded by the check of the rules.
fn conjoin(
    store: &Store,
    parts: &[TermId],
    positive: bool,
    bound: &[bool],
) -> Result<Vec<Vec<Simple>>, Obstacle> {
    let mut branches: Vec<Vec<Simple>> = vec![Vec::new()];
    for &part in parts {
        let more = expand(store, part, positive, bound)?;
        if branches.len() * more.len() > MAX_BRANCHES {
            return Err(Obstacle::TooManyBranches);
        }
        // Distribution: (a or b) and (c or d) has the branches ac, ad, bc, bd.
        let extended = branches.iter().flat_map(|branch| {
            more.iter()
                .map(move |other| branch.iter().chain(other).copied().collect())
        });
        branches = extended.collect();
    }
    Ok(branches)
}

fn disjoin(
    store: &Store,
    parts: &[TermId],
    positive: bool,
    bound: &[bool],
) -> Result<Vec<Vec<Simple>>, Obstacle> {
    let mut branches = Vec::new();
    for &part in parts {
        branches.extend(expand(store, part, positive, bound)?);
    }
    Ok(branches)
}

fn expand(
    store: &Store,
    literal: TermId,
    positive: bool,
    bound: &[bool],
) -> Result<Vec<Vec<Simple>>, Obstacle> {
    let all_bound = |term: TermId| {
        let mut variables = store.variables(term).into_iter();
        variables.all(|variable| bound[variable as usize])
    };
    match (Literal::of(store, literal), positive) {
        (Literal::Call(_) | Literal::Distinct(..), _) => {
            Ok(vec![vec![Simple { literal, positive }]])
        }
        (Literal::And(parts), true) => conjoin(store, parts, true, bound),
        (Literal::Or(parts), true) => disjoin(store, parts, true, bound),
        // "There is none of these" is "there is no first and no second".
        (Literal::Or(parts), false) => conjoin(store, parts, false, bound),
        // "There is no such pair" cannot be said of its parts one by one.
        (Literal::And(parts), false) if all_bound(literal) => disjoin(store, parts, false, bound),
        (Literal::Not(inner), true) => expand(store, inner, false, bound),
        (Literal::Not(inner), false) if all_bound(inner) => expand(store, inner, true, bound),
        (Literal::And(_) | Literal::Not(_), false) => Err(Obstacle::NestedNegation),
    }
}

/// The terms of some variables, which occur in a term.
fn variable_terms(store: &Store, term: TermId, wanted: &[u32]) -> Vec<TermId> {
    let mut terms = vec![None; wanted.len()];
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if let crate::term::Term::Variable(number) = store.view(term)
            && let Some(at) = wanted.iter().position(|&wanted| wanted == number)
        {
            terms[at] = Some(term);
        }
        if !store.is_ground(term) {
            stack.extend(store.arguments(term));
        }
    }
    terms.into_iter().flatten().collect()
}
