//! Cycles of clauses: recursion seen closer than predicates show it.
//!
//! A predicate may call itself without any of its clauses ever meeting itself again:
//!
//! ```text
//! (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))      goal/2 calls goal/2, but
//! (<= (goal ?r 100) (true (won ?r)))                  no clause for (goal ?r 100) calls goal/2
//! ```
//!
//! Here a call leads only to the clauses whose heads it may match. If no cycle of clauses passes a
//! negation, then no ground atom depends on its own negation, and every query has an answer
//! (the rules are locally stratified), though the predicates are not stratified.

use std::collections::VecDeque;

use crate::term::clause::Clause;
use crate::term::dependency::{Dependency, DependencyGraph};
use crate::term::store::{Store, Term, TermId};

/// A shortest cycle of clauses that starts with the given call: each dependency is a call in a
/// clause whose head the call before it may match, and the last may match the head of the clause
/// of the first. None if no clause that answers the call leads back to its clause.
pub fn clause_cycle(
    store: &Store,
    clauses: &[Clause],
    graph: &DependencyGraph,
    first: &Dependency,
) -> Option<Vec<Dependency>> {
    // By index of the clause: the call that led the search there.
    let mut arrived: Vec<Option<Dependency>> = vec![None; clauses.len()];
    let mut queue = VecDeque::from([*first]);
    while let Some(call) = queue.pop_front() {
        if may_match(store, call.atom, clauses[first.clause].head) {
            return Some(trail(&arrived, first, call));
        }
        for next in graph.dependencies_of(call.to) {
            // Calls of one clause that the search reached by the same call are all entered; by another call it is known
            // already.
            let fresh = arrived[next.clause].is_none_or(|by| by == call);
            if graph.is_in_cycle(next)
                && fresh
                && may_match(store, call.atom, clauses[next.clause].head)
            {
                arrived[next.clause] = Some(call);
                queue.push_back(*next);
            }
        }
    }
    None
}

fn trail(arrived: &[Option<Dependency>], first: &Dependency, last: Dependency) -> Vec<Dependency> {
    let mut trail = vec![last];
    let mut at = last;
    while at != *first
        && let Some(before) = arrived[at.clause]
    {
        trail.push(before);
        at = before;
    }
    trail.reverse();
    trail
}

/// Whether two atoms of different clauses may have a common instance. Every occurrence of a
/// variable counts as one of its own, so the answer errs towards yes.
pub fn may_match(store: &Store, left: TermId, right: TermId) -> bool {
    let mut stack = vec![(left, right)];
    while let Some((left, right)) = stack.pop() {
        if left == right {
            continue;
        }
        let is_variable = |term| matches!(store.view(term), Term::Variable(_));
        // A variable matches anything here, also two different things at two places.
        if is_variable(left) || is_variable(right) {
            continue;
        }
        // Numbers and texts have no functor, and equal ones were passed over above: two of them differ.
        if store.functor(left).is_none() || store.functor(left) != store.functor(right) {
            return false;
        }
        let (left, right) = (store.arguments(left), store.arguments(right));
        stack.extend(left.iter().copied().zip(right.iter().copied()));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_functions_tell_atoms_apart() {
        let mut store = Store::new();
        let (f, g) = (store.symbol("f"), store.symbol("g"));
        let (a, b, x) = (store.constant("a"), store.constant("b"), store.variable(0));
        let fx = store.compound(f, &[x]);
        let ga = store.compound(g, &[a]);
        let goal = |store: &mut Store, s, t| {
            let goal = store.symbol("goal");
            store.compound(goal, &[s, t])
        };
        let open = goal(&mut store, x, fx);
        let other = goal(&mut store, a, ga);
        let nested = store.compound(f, &[ga]);
        let fitting = goal(&mut store, b, nested);
        assert!(!may_match(&store, open, other));
        assert!(may_match(&store, open, fitting));
    }
}
