//! Safety: every answer of the rules is ground.
//!
//! A variable of the head or of `distinct` must be bound by a positive condition, in every branch
//! of an `or`. Variables that occur only under one negation are read as "there is no".

use crate::rules::error::RulesError;
use crate::term::{Clause, Literal, Store, TermId};

/// Finds the first clause with a variable that nothing binds.
pub(super) fn check(store: &Store, clauses: &[Clause]) -> Result<(), RulesError> {
    for (number, clause) in clauses.iter().enumerate() {
        let mut bound = vec![false; clause.variables.len()];
        bind(store, &clause.body, &mut bound);
        let unbound = store
            .variables(clause.head)
            .into_iter()
            .find(|&variable| !bound[variable as usize]);
        if let Some(variable) = unbound.or_else(|| unbound_in_distinct(store, &clause.body, &bound))
        {
            return Err(RulesError::Unsafe {
                clause: number,
                variable,
            });
        }
    }
    Ok(())
}

/// Marks the variables that a conjunction binds. Nesting is bounded by the caller's check.
pub(super) fn bind(store: &Store, conjunction: &[TermId], bound: &mut [bool]) {
    for &literal in conjunction {
        match Literal::of(store, literal) {
            Literal::Call(atom) => store
                .variables(atom)
                .iter()
                .for_each(|&variable| bound[variable as usize] = true),
            Literal::And(parts) => bind(store, parts, bound),
            Literal::Or(branches) => {
                // Bound is what all branches bind: `or(p(X), q(X,Y))` binds X and not Y.
                let mut common: Option<Vec<bool>> = None;
                for &branch in branches {
                    let mut here = bound.to_vec();
                    bind(store, &[branch], &mut here);
                    common = Some(match common {
                        None => here,
                        Some(common) => common.iter().zip(&here).map(|(&a, &b)| a && b).collect(),
                    });
                }
                if let Some(common) = common {
                    bound.copy_from_slice(&common);
                }
            }
            Literal::Not(_) | Literal::Distinct(..) => {}
        }
    }
}

fn unbound_in_distinct(store: &Store, conjunction: &[TermId], bound: &[bool]) -> Option<u32> {
    conjunction
        .iter()
        .find_map(|&literal| match Literal::of(store, literal) {
            Literal::Distinct(..) => store
                .variables(literal)
                .into_iter()
                .find(|&variable| !bound[variable as usize]),
            Literal::Not(inner) => unbound_inside(store, &[inner], bound),
            Literal::And(parts) => unbound_inside(store, parts, bound),
            Literal::Or(branches) => branches
                .iter()
                .find_map(|&branch| unbound_inside(store, &[branch], bound)),
            Literal::Call(_) => None,
        })
}

fn unbound_inside(store: &Store, conjunction: &[TermId], bound: &[bool]) -> Option<u32> {
    // Inside a negation the positive conditions there bind as well.
    let mut inside = bound.to_vec();
    bind(store, conjunction, &mut inside);
    unbound_in_distinct(store, conjunction, &inside)
}
