//! The axioms as JSON: fluents, actions and conditions are terms in prefix notation, rules are
//! named by their lines.

use serde::Serialize;

use crate::fluent::axioms::{
    Alternative, GameAxioms, GoalAxiom, PreconditionAxiom, StateUpdateAxiom,
};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::program::term;
use crate::term::{Functor, Prefix, Store, SymbolId, Term, TermId};

/// The axioms of a game; the fields of the JSON form.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct When {
    conditions: Vec<String>,
    rule: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Precondition {
    role: String,
    action: String,
    alternatives: Vec<When>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Update {
    role: Option<String>,
    action: Option<String>,
    closed: bool,
    cases: Vec<OneCase>,
    rest: Vec<Change>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct OneCase {
    conditions: Vec<String>,
    negative: Vec<String>,
    positive: Vec<String>,
    rules: Vec<usize>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Change {
    sign: &'static str,
    fluent: String,
    moves: Vec<(String, String)>,
    conditions: Vec<String>,
    rules: Vec<usize>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Payoff {
    role: String,
    value: GoalNumber,
    conditions: Vec<String>,
    rule: usize,
}

/// A number, or a variable of the conditions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum GoalNumber {
    Number(i64),
    Text(String),
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Law {
    kind: &'static str,
    fluents: Vec<String>,
    key: Vec<Vec<usize>>,
    only: Option<(usize, String)>,
}

/// The JSON form of the axioms of a game; `line_of` says on which line a rule stands.
pub fn json(axioms: &GameAxioms, store: &mut Store, line_of: &dyn Fn(usize) -> usize) -> Axioms {
    let roles = &axioms.roles;
    let mut writer = JsonWriter {
        roles,
        store,
        line_of,
    };
    let preconditions = axioms.preconditions.iter();
    let termination = axioms.termination.iter();
    Axioms {
        roles: VariableOrder::new(writer.store).texts(roles),
        initial: VariableOrder::new(writer.store).texts(&axioms.initial),
        preconditions: preconditions.map(|own| writer.precondition(own)).collect(),
        updates: axioms
            .updates
            .iter()
            .map(|own| writer.update(own))
            .collect(),
        joint: writer.changes(&axioms.joint),
        effects: writer.changes(&axioms.effects),
        termination: termination
            .map(|own| when(&mut VariableOrder::new(writer.store), own, line_of))
            .collect(),
        goals: axioms.goals.iter().map(|own| writer.payoff(own)).collect(),
        auxiliary: lines(&axioms.auxiliary, line_of),
        constraints: axioms
            .constraints
            .iter()
            .map(|law| constraint(writer.store, law))
            .collect(),
    }
}

/// What axioms are written with.
struct JsonWriter<'w> {
    roles: &'w [TermId],
    store: &'w mut Store,
    line_of: &'w dyn Fn(usize) -> usize,
}

impl JsonWriter<'_> {
    fn precondition(&mut self, axiom: &PreconditionAxiom) -> Precondition {
        let mut names = VariableOrder::new(self.store);
        let role = names.text(self.roles[axiom.role]);
        let action = names.text(axiom.action);
        let alternatives = axiom.alternatives.iter();
        let alternatives = alternatives.map(|own| when(&mut names, own, self.line_of));
        Precondition {
            role,
            action,
            alternatives: alternatives.collect(),
        }
    }

    fn update(&mut self, axiom: &StateUpdateAxiom) -> Update {
        let mut names = VariableOrder::new(self.store);
        let cause = axiom.cause.map(|(role, action)| {
            let role = names.text(self.roles[role]);
            (role, names.text(action))
        });
        let (role, action) = cause.unzip();
        let cases = axiom.cases.iter().map(|case| OneCase {
            conditions: names.conditions(&case.conditions),
            negative: names.texts(&case.negative),
            positive: names.texts(&case.positive),
            rules: lines(&case.rules, self.line_of),
        });
        Update {
            role,
            action,
            closed: axiom.is_closed(),
            cases: cases.collect(),
            rest: self.changes(&axiom.rest),
        }
    }

    fn changes(&mut self, effects: &[Effect]) -> Vec<Change> {
        effects.iter().map(|effect| self.change(effect)).collect()
    }

    fn change(&mut self, effect: &Effect) -> Change {
        let mut names = VariableOrder::new(self.store);
        let moves = effect
            .moves
            .iter()
            .map(|&(role, mv)| (names.text(self.roles[role]), names.text(mv)));
        Change {
            moves: moves.collect(),
            sign: match effect.sign {
                Sign::Negative => "-",
                Sign::Positive => "+",
            },
            fluent: names.text(effect.fluent),
            conditions: names.conditions(&effect.conditions),
            rules: lines(&effect.clauses, self.line_of),
        }
    }

    fn payoff(&mut self, goal: &GoalAxiom) -> Payoff {
        let mut names = VariableOrder::new(self.store);
        Payoff {
            role: names.text(self.roles[goal.role]),
            value: match names.store.view(goal.value) {
                Term::Integer(number) => GoalNumber::Number(number),
                Term::Variable(_)
                | Term::Atom(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_)
                | Term::Compound(..) => GoalNumber::Text(names.text(goal.value)),
            },
            conditions: names.conditions(&goal.when.conditions),
            rule: (self.line_of)(goal.when.rule),
        }
    }
}

fn when(
    names: &mut VariableOrder<'_>,
    alternative: &Alternative,
    line_of: &dyn Fn(usize) -> usize,
) -> When {
    When {
        conditions: names.conditions(&alternative.conditions),
        rule: line_of(alternative.rule),
    }
}

fn lines(rules: &[usize], line_of: &dyn Fn(usize) -> usize) -> Vec<usize> {
    rules.iter().map(|&rule| line_of(rule)).collect()
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
struct VariableOrder<'s> {
    store: &'s mut Store,
    numbers: Vec<u32>,
}

impl<'s> VariableOrder<'s> {
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
