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
        // Most general unifier of the pattern `legal(r, move(X,Y))` and the head of the rule: what it binds of X and Y becomes
        // an equation.
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

/// The goal value axiom: by role, what each rule of `goal` gives it. A rule for any role is one for each.
pub(super) fn goals(theory: &mut Theory<'_>) -> Vec<GoalAxiom> {
    let goal = Keywords::of(theory.store).functor(Keyword::Goal);
    let mut alternatives = Vec::new();
    for clause in theory.definition(goal).to_vec() {
        let unfolded =
            unfold::alternatives(theory, clause).unwrap_or_else(|unfold::TooManyAlternatives| {
                let head = theory.clauses[clause].head;
                vec![unfold::Alternative {
                    head,
                    conditions: vec![Condition::Holds(head)],
                }]
            });
        alternatives.extend(unfolded.into_iter().map(|own| (clause, own)));
    }
    let mut axioms = Vec::new();
    for role in 0..theory.roles.len() {
        for (rule, alternative) in &alternatives {
            axioms.extend(goal_of(theory, role, *rule, alternative));
        }
    }
    axioms
}

/// What a rule gives one role; nothing if it is about others, or if facts say that it never applies.
fn goal_of(
    theory: &mut Theory<'_>,
    role: usize,
    rule: usize,
    alternative: &unfold::Alternative,
) -> Option<GoalAxiom> {
    let &[meant, value] = theory.store.arguments(alternative.head) else {
        return None;
    };
    let mut unifier = Substitution::default();
    if !unifier.unify(theory.store, meant, theory.roles[role]) {
        return None;
    }
    let conditions = alternative.conditions.iter();
    let conditions: Conjunction = conditions
        .map(|condition| condition.apply(theory.store, &unifier))
        .collect();
    let value = unifier.apply(theory.store, value);
    let (conditions, value) = settle(theory, conditions, value)?;
    Some(GoalAxiom {
        role,
        value,
        when: Alternative { conditions, rule },
    })
}

/// Conditions, and a term that shares their variables, without what the facts of the game decide:
/// `plays(white, U), line(U)` is `line(x)` if there is only the fact `plays(white, x)`. Nothing if a
/// condition holds never.
fn settle(
    theory: &mut Theory<'_>,
    mut conditions: Conjunction,
    mut term: TermId,
) -> Option<(Conjunction, TermId)> {
    let mut at = 0;
    while let Some(condition) = conditions.get(at) {
        let Condition::Holds(atom) = *condition else {
            at += 1;
            continue;
        };
        let arguments = theory.store.arguments(atom);
        let facts = theory
            .store
            .functor(atom)
            .and_then(|functor| theory.facts(functor));
        let rows = facts.and_then(|facts| facts.matching(theory.store, arguments));
        let mut unifier = Substitution::default();
        match rows.as_deref() {
            // No fact fits: the condition never holds.
            Some([]) => return None,
            // The only row that fits says what the variables are.
            Some([row]) => {
                let mut pairs = arguments.iter().zip(row.iter());
                if !pairs.all(|(&left, &right)| unifier.unify(theory.store, left, right)) {
                    return None;
                }
            }
            Some(_) | None => {
                at += 1;
                continue;
            }
        }
        conditions.remove(at);
        for condition in &mut conditions {
            *condition = condition.apply(theory.store, &unifier);
        }
        term = unifier.apply(theory.store, term);
        // What was left open before may be decided now.
        at = 0;
    }
    Some((conditions, term))
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
