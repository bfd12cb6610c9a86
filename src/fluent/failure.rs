//! The ways in which the body of a rule fails where a conjunction is known to hold.
//!
//! ```text
//! known:    does(robot, grab), true(cell(C))            at most one cell(_) holds
//! body:     does(robot, grab), true(cell(X)), distinct(X, Y)
//! fails if: C = Y
//! ```

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::known::{Known, opened};
use crate::fluent::refine::refine;
use crate::fluent::theory::Theory;
use crate::term::{Store, Term, TermId};

/// How a conjunction can fail.
#[derive(Clone, Debug)]
pub(super) enum BodyFailure {
    /// It always does.
    Always,
    /// It does where one of these holds; none means never.
    Where(Vec<Conjunction>),
}

/// The ways in which a body fails, given what is known.
pub(super) fn failure(
    theory: &mut Theory<'_>,
    known: &mut Known,
    local: &[u32],
    body: &[Condition],
) -> BodyFailure {
    let Some(rest) = refine(theory, known, local, body) else {
        return BodyFailure::Always;
    };
    // ¬(a ∧ b ∧ ∃x. c(x)) is ¬a ∨ ¬b ∨ ¬∃x. c(x): each closed condition fails on its own, those that share a local
    // variable only together.
    let mut ways: Vec<Conjunction> = Vec::new();
    let mut equations: Vec<(TermId, TermId)> = Vec::new();
    let mut groups: Vec<(Vec<u32>, Conjunction)> = Vec::new();
    for condition in rest.conditions {
        let inner: Vec<u32> = condition
            .variables(theory.store)
            .into_iter()
            .filter(|variable| local.contains(variable))
            .collect();
        match (&inner[..], condition) {
            // All equations fail together as one "differ": (1,2) ≠ (x,y), and not x ≠ 1 or y ≠ 2.
            ([], Condition::Equal(left, right)) => {
                equations.extend(equations_of_parts(theory.store, left, right));
            }
            ([], condition) => ways.push(negation(theory, &condition)),
            (_, condition) => group(&mut groups, inner, condition),
        }
    }
    if !equations.is_empty() {
        ways.push(vec![Condition::Differ(equations)]);
    }
    ways.extend(
        groups
            .into_iter()
            .map(|(inner, conditions)| vec![Condition::None(inner.into(), conditions.into())]),
    );
    BodyFailure::Where(ways)
}

/// What must be equal for two terms to be equal, as near to variables as it can be said: `x = 1` for
/// `q(x) = q(1)`.
fn equations_of_parts(store: &Store, left: TermId, right: TermId) -> Vec<(TermId, TermId)> {
    let mut equations = Vec::new();
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        // From the outside in, and from left to right.
        match (store.view(left), store.view(right)) {
            _ if left == right => {}
            (Term::Compound(one, some), Term::Compound(other, others))
                if one == other && some.len() == others.len() =>
            {
                let parts = some.iter().copied().zip(others.iter().copied());
                pending.extend(parts.rev());
            }
            _ => equations.push((left, right)),
        }
    }
    equations
}

/// Adds a condition to the group with which it shares variables; groups that it connects become
/// one.
fn group(groups: &mut Vec<(Vec<u32>, Conjunction)>, inner: Vec<u32>, condition: Condition) {
    let (shared, apart): (Vec<_>, Vec<_>) = std::mem::take(groups)
        .into_iter()
        .partition(|(variables, _)| variables.iter().any(|variable| inner.contains(variable)));
    let mut merged = (Vec::new(), Vec::new());
    for (variables, conditions) in shared {
        merged.0.extend(variables);
        merged.1.extend(conditions);
    }
    for variable in inner {
        if !merged.0.contains(&variable) {
            merged.0.push(variable);
        }
    }
    merged.1.push(condition);
    *groups = apart;
    groups.push(merged);
}

/// The conditions under which a condition without variables of its own fails.
pub(super) fn negation(theory: &mut Theory<'_>, condition: &Condition) -> Conjunction {
    match condition {
        Condition::Holds(atom) => vec![Condition::Fails(*atom)],
        Condition::Fails(atom) => vec![Condition::Holds(*atom)],
        Condition::Equal(left, right) => {
            let equations = equations_of_parts(theory.store, *left, *right);
            vec![Condition::Differ(equations)]
        }
        Condition::Differ(pairs) => pairs
            .iter()
            .map(|&(left, right)| Condition::Equal(left, right))
            .collect(),
        Condition::None(local, inner) => opened(theory, local, inner),
    }
}
