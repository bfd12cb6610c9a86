//! Preconditions that make no difference: an action that is possible where a fluent holds, and
//! possible all the same where it does not, does not depend on it.
//!
//! ```text
//! Poss(foobar(x), z) ≡ (Holds(foo(23), z) ∨ ¬Holds(foo(23), z)) ∧ x > 0
//! ```
//!
//! The alternatives of an axiom are resolved with each other: two that differ in one condition
//! only, which one asks for and the other negates, become one without it; and one that asks for
//! more than another goes.
//!
//! Source: \[G07, Section 3.4.2\] shows the case and leaves it as a dependency.

use std::collections::BTreeSet;

use crate::fluent::{Alternative, Condition};

/// Alternatives that are compared with each other.
const MAX_COMPARED: usize = 64;

/// What an alternative asks for, with its rule.
type Asked<'c> = (BTreeSet<&'c Condition>, usize);

/// The alternatives without conditions that make no difference, and those conditions.
pub(super) fn without_tautologies(
    alternatives: &[Alternative],
) -> (Vec<Alternative>, Vec<Alternative>) {
    let asked = alternatives.iter();
    let mut kept: Vec<Asked<'_>> = asked
        .map(|alternative| (alternative.conditions.iter().collect(), alternative.rule))
        .collect();
    let mut dropped = Vec::new();
    while kept.len() <= MAX_COMPARED
        && let Some((goes, stays, idle)) = superfluous(&kept)
    {
        let (conditions, rule) = kept[goes].clone();
        let lost = conditions.difference(&kept[stays].0).copied().chain(idle);
        dropped.push(Alternative {
            conditions: lost.cloned().collect(),
            rule,
        });
        if let Some(idle) = idle {
            kept[stays].0.remove(idle);
        }
        kept.remove(goes);
    }
    let kept = kept.into_iter().map(|(conditions, rule)| Alternative {
        conditions: conditions.into_iter().cloned().collect(),
        rule,
    });
    (kept.collect(), dropped)
}

/// An alternative that can go, the one that makes up for it, and the condition that this one need
/// not ask for any more.
fn superfluous<'c>(kept: &[Asked<'c>]) -> Option<(usize, usize, Option<&'c Condition>)> {
    for (goes, (special, _)) in kept.iter().enumerate() {
        for (stays, (general, _)) in kept.iter().enumerate() {
            if goes == stays {
                continue;
            }
            // Absorption: a ∨ (a ∧ b) is a.
            if general.is_subset(special) {
                return Some((goes, stays, None));
            }
            // Resolution: (a ∧ b) ∨ (a ∧ ¬b) is a; one differs from the other in b alone, and the other has its
            // negation.
            let mut own = general.difference(special);
            if let (Some(&idle), None) = (own.next(), own.next())
                && general.len() == special.len()
                && special.iter().any(|condition| negates(idle, condition))
            {
                return Some((goes, stays, Some(idle)));
            }
        }
    }
    None
}

/// Whether one of two conditions holds where the other does not.
fn negates(condition: &Condition, other: &Condition) -> bool {
    match (condition, other) {
        (Condition::Holds(left), Condition::Fails(right))
        | (Condition::Fails(left), Condition::Holds(right)) => left == right,
        (Condition::Equal(left, right), Condition::Differ(pairs))
        | (Condition::Differ(pairs), Condition::Equal(left, right)) => {
            // That one of several pairs differs is negated by all of them being equal, not by one equality.
            pairs[..] == [(*left, *right)]
        }
        _ => false,
    }
}
