//! Rules that the translation keeps as they are but for their form: preconditions, the end, and
//! the payoffs.

use crate::fluent::axioms::{Alternative, GoalAxiom, PreconditionAxiom};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::theory::Theory;
use crate::fluent::unfold;
use crate::gdl::{Keyword, Keywords};
use crate::term::{DependencyGraph, Functor, Substitution, TermId};

/// The precondition axioms: what the rules of `legal` ask for.
pub(super) fn preconditions(
    theory: &mut Theory<'_>,
    actions: &[Vec<TermId>],
) -> Vec<PreconditionAxiom> {
    let legal = theory.words.legal;
    let clauses = theory.definition(legal).to_vec();
    let mut axioms = Vec::new();
    for (role, own) in actions.iter().enumerate() {
        for &action in own {
            let name = theory.roles[role];
            let head = theory.binary(legal, name, action);
            let mut alternatives = Vec::new();
            for &clause in &clauses {
                if crate::term::may_match(theory.store, theory.clauses[clause].head, head) {
                    alternatives.extend(instances(theory, clause, head));
                }
            }
            axioms.push(PreconditionAxiom {
                role,
                action,
                alternatives,
            });
        }
    }
    axioms
}

/// The bodies of a rule for atoms of this form. Variables of the atom stay; what they must be
/// becomes a condition. A rule with too many alternatives is called by its head.
fn instances(theory: &mut Theory<'_>, clause: usize, head: TermId) -> Vec<Alternative> {
    let Ok(alternatives) = unfold::alternatives(theory, clause) else {
        return vec![Alternative {
            conditions: vec![Condition::Holds(head)],
            rule: clause,
        }];
    };
    let mut found = Vec::new();
    for alternative in alternatives {
        let mut unifier = Substitution::default();
        if !unifier.unify(theory.store, head, alternative.head) {
            continue;
        }
        let mut conditions: Conjunction = Vec::new();
        for variable in theory.store.variables(head) {
            let variable = theory.store.variable(variable);
            let value = unifier.apply(theory.store, variable);
            if value != variable {
                conditions.push(Condition::Equal(variable, value));
            }
        }
        let body = alternative.conditions.iter();
        conditions.extend(body.map(|condition| condition.apply(theory.store, &unifier)));
        found.push(Alternative {
            conditions,
            rule: clause,
        });
    }
    found
}

/// The termination axiom.
pub(super) fn termination(theory: &mut Theory<'_>) -> Vec<Alternative> {
    let terminal = theory.words.terminal;
    let head = theory.store.atom(terminal.symbol);
    let clauses = theory.definition(terminal).to_vec();
    clauses
        .into_iter()
        .flat_map(|clause| instances(theory, clause, head))
        .collect()
}

/// The goal value axiom.
pub(super) fn goals(theory: &mut Theory<'_>) -> Vec<GoalAxiom> {
    let goal = Keywords::of(theory.store).functor(Keyword::Goal);
    let mut axioms = Vec::new();
    for clause in theory.definition(goal).to_vec() {
        let alternatives = match unfold::alternatives(theory, clause) {
            Ok(alternatives) => alternatives,
            Err(unfold::TooMany) => {
                let head = theory.clauses[clause].head;
                vec![unfold::Alternative {
                    head,
                    conditions: vec![Condition::Holds(head)],
                }]
            }
        };
        for alternative in alternatives {
            if let &[role, value] = theory.store.arguments(alternative.head) {
                axioms.push(GoalAxiom {
                    role,
                    value,
                    when: Alternative {
                        conditions: alternative.conditions,
                        rule: clause,
                    },
                });
            }
        }
    }
    axioms
}

/// The rules of all relations that conditions call, directly or through others, but for `true` and
/// `does`.
pub(super) fn auxiliary<'c>(
    theory: &Theory<'_>,
    conditions: impl Iterator<Item = &'c Condition>,
) -> Vec<usize> {
    let mut called: Vec<Functor> = Vec::new();
    for condition in conditions {
        condition.each_atom(&mut |atom| called.extend(theory.store.functor(atom)));
    }
    let graph = DependencyGraph::of(theory.store, &theory.clauses);
    let mut rules: Vec<usize> = graph
        .reachable(called)
        .iter()
        .flat_map(|&predicate| theory.definition(predicate).iter().copied())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}
