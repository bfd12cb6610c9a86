//! The axioms as JSON: fluents, actions and conditions are terms in prefix notation, rules are
//! named by their lines.

use serde::Serialize;

use crate::fluent::axioms::{Alternative, GameAxioms};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::program::term;
use crate::term::{Functor, Prefix, Store, SymbolId, TermId};

/// The axioms of a game; the fields of the JSON form.
#[derive(Debug, Serialize)]
pub struct Axioms {
    roles: Vec<String>,
    initial: Vec<String>,
    preconditions: Vec<Precondition>,
    updates: Vec<Update>,
    joint: Vec<Change>,
    effects: Vec<Change>,
    termination: Vec<When>,
    goals: Vec<Payoff>,
    constraints: Vec<Law>,
    auxiliary: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct When {
    conditions: Vec<String>,
    rule: usize,
}

#[derive(Debug, Serialize)]
struct Precondition {
    role: String,
    action: String,
    alternatives: Vec<When>,
}

#[derive(Debug, Serialize)]
struct Update {
    role: Option<String>,
    action: Option<String>,
    closed: bool,
    cases: Vec<OneCase>,
    rest: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct OneCase {
    conditions: Vec<String>,
    negative: Vec<String>,
    positive: Vec<String>,
    rules: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Change {
    sign: &'static str,
    fluent: String,
    moves: Vec<(String, String)>,
    conditions: Vec<String>,
    rules: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Payoff {
    role: String,
    value: String,
    conditions: Vec<String>,
    rule: usize,
}

#[derive(Debug, Serialize)]
struct Law {
    kind: &'static str,
    fluents: Vec<String>,
    key: Vec<Vec<usize>>,
    only: Option<(usize, String)>,
}

/// The JSON form of the axioms of a game; `line_of` says on which line a rule stands.
pub fn json(axioms: &GameAxioms, store: &mut Store, line_of: &dyn Fn(usize) -> usize) -> Axioms {
    let lines = |rules: &[usize]| {
        rules
            .iter()
            .map(|&rule| line_of(rule))
            .collect::<Vec<usize>>()
    };
    let when = |names: &mut Names<'_>, alternative: &Alternative| When {
        conditions: names.conditions(&alternative.conditions),
        rule: line_of(alternative.rule),
    };
    let change = |store: &mut Store, effect: &Effect| {
        let mut names = Names::new(store);
        let moves = effect
            .moves
            .iter()
            .map(|&(role, mv)| (names.text(axioms.roles[role]), names.text(mv)));
        Change {
            moves: moves.collect(),
            sign: match effect.sign {
                Sign::Negative => "-",
                Sign::Positive => "+",
            },
            fluent: names.text(effect.fluent),
            conditions: names.conditions(&effect.conditions),
            rules: lines(&effect.clauses),
        }
    };
    let preconditions = axioms.preconditions.iter().map(|axiom| {
        let mut names = Names::new(store);
        Precondition {
            role: names.text(axioms.roles[axiom.role]),
            action: names.text(axiom.action),
            alternatives: axiom
                .alternatives
                .iter()
                .map(|alternative| when(&mut names, alternative))
                .collect(),
        }
    });
    let preconditions = preconditions.collect();
    let updates = axioms.updates.iter().map(|axiom| {
        let mut names = Names::new(store);
        let role = axiom.cause.map(|(role, _)| names.text(axioms.roles[role]));
        let action = axiom.cause.map(|(_, action)| names.text(action));
        let cases = axiom.cases.iter().map(|case| OneCase {
            conditions: names.conditions(&case.conditions),
            negative: names.texts(&case.negative),
            positive: names.texts(&case.positive),
            rules: lines(&case.rules),
        });
        let cases = cases.collect();
        Update {
            role,
            action,
            closed: axiom.is_closed(),
            cases,
            rest: axiom
                .rest
                .iter()
                .map(|effect| change(store, effect))
                .collect(),
        }
    });
    let updates = updates.collect();
    let joint = axioms
        .joint
        .iter()
        .map(|effect| change(store, effect))
        .collect();
    let effects = axioms
        .effects
        .iter()
        .map(|effect| change(store, effect))
        .collect();
    let termination = axioms
        .termination
        .iter()
        .map(|alternative| when(&mut Names::new(store), alternative))
        .collect();
    let goals = axioms.goals.iter().map(|goal| {
        let mut names = Names::new(store);
        Payoff {
            role: names.text(goal.role),
            value: names.text(goal.value),
            conditions: names.conditions(&goal.when.conditions),
            rule: line_of(goal.when.rule),
        }
    });
    let goals = goals.collect();
    let mut names = Names::new(store);
    Axioms {
        roles: names.texts(&axioms.roles),
        initial: names.texts(&axioms.initial),
        preconditions,
        updates,
        joint,
        effects,
        termination,
        goals,
        constraints: axioms
            .constraints
            .iter()
            .map(|law| constraint(store, law))
            .collect(),
        auxiliary: lines(&axioms.auxiliary),
    }
}

fn constraint(store: &Store, constraint: &Constraint) -> Law {
    let name = |fluent: &Functor| format!("{}/{}", store.name(fluent.symbol), fluent.arity);
    match constraint {
        Constraint::Functional { fluent, key, only } => Law {
            kind: "functional",
            fluents: vec![name(fluent)],
            key: vec![key.clone()],
            only: only.map(|(at, term)| (at, Prefix::new(store, term).to_string())),
        },
        Constraint::Exclusive { one, other, key } => Law {
            kind: "exclusive",
            fluents: vec![name(one), name(other)],
            key: key.iter().map(|&(i, j)| vec![i, j]).collect(),
            only: None,
        },
        Constraint::Some { fluent, key } => Law {
            kind: "some",
            fluents: vec![name(fluent)],
            key: vec![key.clone()],
            only: None,
        },
    }
}

/// Names of variables in order of first occurrence, the same in one axiom.
struct Names<'s> {
    store: &'s mut Store,
    numbers: Vec<u32>,
}

impl<'s> Names<'s> {
    fn new(store: &'s mut Store) -> Self {
        Self {
            store,
            numbers: Vec::new(),
        }
    }

    fn text(&mut self, term: TermId) -> String {
        for variable in self.store.variables(term) {
            if !self.numbers.contains(&variable) {
                self.numbers.push(variable);
            }
        }
        let numbers = &self.numbers;
        let renumbered = crate::term::map_variables(self.store, term, |store, variable| {
            let at = numbers.iter().position(|&known| known == variable);
            store.variable(at.unwrap_or(numbers.len()) as u32)
        });
        let names: Vec<SymbolId> = (0..self.numbers.len())
            .map(|index| self.store.symbol(&name(index)))
            .collect();
        Prefix::with_variables(self.store, renumbered, &names).to_string()
    }

    fn texts(&mut self, terms: &[TermId]) -> Vec<String> {
        terms.iter().map(|&term| self.text(term)).collect()
    }

    fn conditions(&mut self, conditions: &Conjunction) -> Vec<String> {
        conditions
            .iter()
            .map(|condition: &Condition| {
                let term = term(self.store, condition);
                self.text(term)
            })
            .collect()
    }
}

fn name(index: usize) -> String {
    const LETTERS: [&str; 6] = ["x", "y", "z", "u", "v", "w"];
    let letter = LETTERS[index % LETTERS.len()];
    match index / LETTERS.len() {
        0 => letter.to_owned(),
        round => format!("{letter}{round}"),
    }
}
