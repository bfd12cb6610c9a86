//! The evaluator of safe rules against a naive one, on random programs.
//!
//! The naive evaluator tries all assignments of a small domain to the variables of each rule until
//! nothing new follows, stratum by stratum. Both must agree on every predicate, for every pattern
//! of bound arguments, before and after a change of state.

use std::collections::BTreeSet;

use flux::limits::Limits;
use flux::rules::{Dynamic, Rules};
use flux::syntax::{Notation, Source, parse};
use flux::term::{Case, Functor, Lowering, Prefix, Store, TermId};
use proptest::prelude::*;

const DOMAIN: [&str; 3] = ["a", "b", "c"];
const VARIABLES: usize = 4;
/// Derived predicates `p0` to `p4`; each may call itself and those below, and deny those below.
const DERIVED: usize = 5;
/// Fluents `f0/1`, `f1/2` and static facts `e0/1`, `e1/2`.
const ARITY: [usize; 2] = [1, 2];

#[derive(Clone, Debug)]
enum Argument {
    Variable(usize),
    Constant(usize),
}

#[derive(Clone, Debug)]
enum Condition {
    Fact(usize, Vec<Argument>),
    Fluent(usize, Vec<Argument>),
    Derived(usize, Vec<Argument>),
    Not(Box<Condition>),
    Distinct(Argument, Argument),
    Or(Vec<Condition>),
}

#[derive(Clone, Debug)]
struct Rule {
    head: usize,
    arguments: Vec<Argument>,
    body: Vec<Condition>,
}

#[derive(Clone, Debug)]
struct Program {
    facts: Vec<BTreeSet<Vec<usize>>>,
    states: Vec<Vec<BTreeSet<Vec<usize>>>>,
    arities: Vec<usize>,
    rules: Vec<Rule>,
}

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        4 => (0..VARIABLES).prop_map(Argument::Variable),
        1 => (0..DOMAIN.len()).prop_map(Argument::Constant),
    ]
}

fn positive(head: usize, arities: Vec<usize>) -> impl Strategy<Value = Condition> {
    let base = (
        0..2usize,
        any::<bool>(),
        prop::collection::vec(argument(), 2),
    )
        .prop_map(|(which, fluent, mut arguments)| {
            arguments.truncate(ARITY[which]);
            if fluent {
                Condition::Fluent(which, arguments)
            } else {
                Condition::Fact(which, arguments)
            }
        });
    let derived =
        (0..=head, prop::collection::vec(argument(), 2)).prop_map(move |(which, mut arguments)| {
            arguments.truncate(arities[which]);
            Condition::Derived(which, arguments)
        });
    prop_oneof![2 => base, 2 => derived]
}

fn condition(head: usize, arities: Vec<usize>) -> BoxedStrategy<Condition> {
    let lower = arities.clone();
    let denied = (
        any::<bool>(),
        0..head.max(1),
        0..2usize,
        prop::collection::vec(argument(), 2),
    )
        .prop_map(move |(derived, below, which, mut arguments)| {
            if derived && head > 0 {
                arguments.truncate(lower[below]);
                Condition::Not(Box::new(Condition::Derived(below, arguments)))
            } else {
                arguments.truncate(ARITY[which]);
                Condition::Not(Box::new(Condition::Fluent(which, arguments)))
            }
        });
    let distinct =
        (argument(), argument()).prop_map(|(left, right)| Condition::Distinct(left, right));
    let simple = prop_oneof![3 => positive(head, arities.clone()), 1 => denied, 1 => distinct];
    let branches = prop::collection::vec(simple.clone(), 1..4).prop_map(Condition::Or);
    prop_oneof![4 => simple, 1 => branches].boxed()
}

fn rule(arities: Vec<usize>) -> impl Strategy<Value = Rule> {
    (0..DERIVED).prop_flat_map(move |head| {
        let arity = arities[head];
        let body = prop::collection::vec(condition(head, arities.clone()), 1..5);
        (prop::collection::vec(argument(), arity), body).prop_map(move |(arguments, body)| Rule {
            head,
            arguments,
            body,
        })
    })
}

fn rows() -> impl Strategy<Value = Vec<BTreeSet<Vec<usize>>>> {
    let relation = |arity: usize| {
        prop::collection::btree_set(prop::collection::vec(0..DOMAIN.len(), arity), 0..5)
    };
    (relation(1), relation(2)).prop_map(|(one, two)| vec![one, two])
}

fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec(0..3usize, DERIVED).prop_flat_map(|arities| {
        let rules = prop::collection::vec(rule(arities.clone()), 3..12);
        (rows(), prop::collection::vec(rows(), 4), rules).prop_map(move |(facts, states, rules)| {
            Program {
                facts,
                states,
                arities: arities.clone(),
                rules: rules.into_iter().map(make_safe).collect(),
            }
        })
    })
}

/// Games with what the random programs have not: denials with variables of their own, nested
/// connectives, compound terms, recursion in circles, variables for whole fluents.
const HAND_WRITTEN: &str = "
    (e0 a) (e0 b) (e1 a b) (e1 b c) (e1 c a) (e1 c c)
    (<= (p0 ?x) (e0 ?x) (not (true (f1 ?x ?y))))
    (<= p1 (not (p0 ?x)))
    (<= (p2 ?x ?y) (true (f1 ?x ?y)))
    (<= (p2 ?x ?z) (p2 ?x ?y) (p2 ?y ?z))
    (<= (p3 (pair ?x (one ?y))) (p2 ?x ?y) (or (not (p0 ?y)) (and (e0 ?x) (not (true (f0 ?x))))))
    (<= (p4 ?x) (p3 (pair ?x (one ?x))))
    (<= (p4 ?y) (p3 (pair ?x (one ?y))) (not (and (p0 ?x) (e0 ?y))) (not (not (p2 ?y ?x))))
    (<= (p5 ?f) (true ?f) (not (p6 ?f)))
    (<= (p6 (f1 ?x ?x)) (true (f1 ?x ?x)))
    (<= (p7 ?x) (e1 ?x ?y) (not (or (p2 ?y ?z) (true (f0 ?x)))))
    (<= (p8 ?x ?y) (p2 ?x ?y) (not (p2 ?y ?x)) (distinct ?x ?y))
";

/// Adds a fact `e0` for every variable that has to be bound.
fn make_safe(mut rule: Rule) -> Rule {
    let mut needed = BTreeSet::new();
    let mut collect = |arguments: &[Argument]| {
        for argument in arguments {
            if let Argument::Variable(number) = argument {
                needed.insert(*number);
            }
        }
    };
    collect(&rule.arguments);
    let mut todo: Vec<&Condition> = rule.body.iter().collect();
    while let Some(condition) = todo.pop() {
        match condition {
            Condition::Fact(..) | Condition::Fluent(..) | Condition::Derived(..) => {}
            Condition::Not(inner) => match &**inner {
                Condition::Fact(_, arguments)
                | Condition::Fluent(_, arguments)
                | Condition::Derived(_, arguments) => {
                    collect(arguments);
                }
                Condition::Not(_) | Condition::Distinct(..) | Condition::Or(_) => {}
            },
            Condition::Distinct(left, right) => collect(&[left.clone(), right.clone()]),
            Condition::Or(branches) => todo.extend(branches),
        }
    }
    let binders = needed
        .into_iter()
        .filter(|&variable| !binds(&rule.body, variable));
    let binders: Vec<Condition> = binders
        .map(|variable| Condition::Fact(0, vec![Argument::Variable(variable)]))
        .collect();
    rule.body.extend(binders);
    rule
}

fn binds(body: &[Condition], variable: usize) -> bool {
    body.iter().any(|condition| match condition {
        Condition::Fact(_, arguments)
        | Condition::Fluent(_, arguments)
        | Condition::Derived(_, arguments) => arguments
            .iter()
            .any(|argument| matches!(argument, Argument::Variable(number) if *number == variable)),
        Condition::Or(branches) => branches
            .iter()
            .all(|branch| binds(std::slice::from_ref(branch), variable)),
        Condition::Not(_) | Condition::Distinct(..) => false,
    })
}

// The naive evaluator.

type Model = Vec<BTreeSet<Vec<usize>>>;

impl Program {
    fn model(&self, state: usize) -> Model {
        let mut model: Model = vec![BTreeSet::new(); DERIVED];
        for stratum in 0..DERIVED {
            loop {
                let mut news = Vec::new();
                for rule in self.rules.iter().filter(|rule| rule.head == stratum) {
                    for assignment in 0..DOMAIN.len().pow(VARIABLES as u32) {
                        let values: Vec<usize> = (0..VARIABLES)
                            .map(|variable| {
                                assignment / DOMAIN.len().pow(variable as u32) % DOMAIN.len()
                            })
                            .collect();
                        if rule
                            .body
                            .iter()
                            .all(|condition| self.holds(condition, &values, state, &model))
                        {
                            news.push(ground(&rule.arguments, &values));
                        }
                    }
                }
                let before = model[stratum].len();
                model[stratum].extend(news);
                if model[stratum].len() == before {
                    break;
                }
            }
        }
        model
    }

    fn holds(&self, condition: &Condition, values: &[usize], state: usize, model: &Model) -> bool {
        match condition {
            Condition::Fact(which, arguments) => {
                self.facts[*which].contains(&ground(arguments, values))
            }
            Condition::Fluent(which, arguments) => {
                self.states[state][*which].contains(&ground(arguments, values))
            }
            Condition::Derived(which, arguments) => {
                model[*which].contains(&ground(arguments, values))
            }
            Condition::Not(inner) => !self.holds(inner, values, state, model),
            Condition::Distinct(left, right) => value(left, values) != value(right, values),
            Condition::Or(branches) => branches
                .iter()
                .any(|branch| self.holds(branch, values, state, model)),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (which, rows) in self.facts.iter().enumerate() {
            for row in rows {
                text += &format!(
                    "{}\n",
                    atom(
                        &format!("e{which}"),
                        row.iter().map(|&value| DOMAIN[value].to_owned())
                    )
                );
            }
        }
        for rule in &self.rules {
            let head = atom(&format!("p{}", rule.head), rule.arguments.iter().map(show));
            let body: Vec<String> = rule.body.iter().map(condition_text).collect();
            text += &format!("(<= {head} {})\n", body.join(" "));
        }
        text
    }
}

fn value(argument: &Argument, values: &[usize]) -> usize {
    match argument {
        Argument::Variable(number) => values[*number],
        Argument::Constant(value) => *value,
    }
}

fn ground(arguments: &[Argument], values: &[usize]) -> Vec<usize> {
    arguments
        .iter()
        .map(|argument| value(argument, values))
        .collect()
}

fn show(argument: &Argument) -> String {
    match argument {
        Argument::Variable(number) => format!("?x{number}"),
        Argument::Constant(value) => DOMAIN[*value].to_owned(),
    }
}

fn atom(name: &str, arguments: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = std::iter::once(name.to_owned()).chain(arguments).collect();
    if parts.len() == 1 {
        parts[0].clone()
    } else {
        format!("({})", parts.join(" "))
    }
}

fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Fact(which, arguments) => atom(&format!("e{which}"), arguments.iter().map(show)),
        Condition::Fluent(which, arguments) => format!(
            "(true {})",
            atom(&format!("f{which}"), arguments.iter().map(show))
        ),
        Condition::Derived(which, arguments) => {
            atom(&format!("p{which}"), arguments.iter().map(show))
        }
        Condition::Not(inner) => format!("(not {})", condition_text(inner)),
        Condition::Distinct(left, right) => format!("(distinct {} {})", show(left), show(right)),
        Condition::Or(branches) => {
            let branches: Vec<String> = branches.iter().map(condition_text).collect();
            format!("(or {})", branches.join(" "))
        }
    }
}

// The comparison.

struct Subject {
    store: Store,
    rules: Rules,
    constants: Vec<TermId>,
}

impl Subject {
    fn new(program: &Program, materialized: bool) -> Self {
        Self::of_text(&program.text(), materialized)
    }

    fn of_text(text: &str, materialized: bool) -> Self {
        let source = Source::new("program", text);
        let parsed = parse(&source, Notation::Prefix);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let mut store = Store::new();
        let clauses = Lowering::new(&parsed.document, &source, Case::Fold).clauses(&mut store);
        let dynamic = Dynamic {
            state: Functor {
                symbol: store.symbol("true"),
                arity: 1,
            },
            moves: Functor {
                symbol: store.symbol("does"),
                arity: 2,
            },
        };
        let mut rules = Rules::new(&store, clauses, dynamic).unwrap();
        if materialized {
            rules.materialize(&mut store, &Limits::default()).unwrap();
        }
        let constants = DOMAIN.iter().map(|name| store.constant(name)).collect();
        Self {
            store,
            rules,
            constants,
        }
    }

    /// Maintains all predicates that can be.
    fn maintain(&mut self) {
        let mut predicates = self.rules.maintainable();
        let limits = Limits::default();
        while let Err(refusal) = self.rules.maintain(&mut self.store, &predicates, &limits) {
            let refused = refusal.unwrap().predicate;
            predicates.retain(|predicate| *predicate != refused);
        }
        assert_eq!(self.rules.maintained().len(), predicates.len());
    }

    fn change_state(&mut self, from: &[BTreeSet<Vec<usize>>], to: &[BTreeSet<Vec<usize>>]) {
        let mut changes = Vec::new();
        for (which, (from, to)) in from.iter().zip(to).enumerate() {
            let symbol = self.store.symbol(&format!("f{which}"));
            for row in from.symmetric_difference(to) {
                let cells: Vec<TermId> = row.iter().map(|&value| self.constants[value]).collect();
                let term = self.store.compound(symbol, &cells);
                changes.push((self.rules.fluent(&self.store, term), to.contains(row)));
            }
        }
        self.rules
            .change_state(&mut self.store, changes, &Limits::default());
    }

    /// All rows of a predicate that agree with the arguments given, found with these bound.
    fn answers(&mut self, predicate: usize, arguments: &[Option<usize>]) -> BTreeSet<Vec<usize>> {
        let functor = Functor {
            symbol: self.store.symbol(&format!("p{predicate}")),
            arity: arguments.len() as u32,
        };
        let given: Vec<Option<TermId>> = arguments
            .iter()
            .map(|argument| argument.map(|value| self.constants[value]))
            .collect();
        let (mut found, constants) = (BTreeSet::new(), self.constants.clone());
        let solved = self.rules.solve(
            &mut self.store,
            functor,
            &given,
            &Limits::default(),
            &mut |_, outputs| {
                let mut outputs = outputs.iter().map(|term| {
                    constants
                        .iter()
                        .position(|constant| constant == term)
                        .unwrap()
                });
                let row = arguments
                    .iter()
                    .map(|argument| argument.or_else(|| outputs.next()).unwrap())
                    .collect();
                found.insert(row);
                true
            },
        );
        solved.unwrap();
        found
    }

    /// All answers of a predicate, sorted.
    fn all(&mut self, functor: Functor) -> BTreeSet<Vec<TermId>> {
        let mut found = BTreeSet::new();
        let open = vec![None; functor.arity as usize];
        let limits = Limits::default();
        let solved = self.rules.solve(
            &mut self.store,
            functor,
            &open,
            &limits,
            &mut |_, answer| {
                found.insert(answer.to_vec());
                true
            },
        );
        solved.unwrap();
        found
    }

    fn compare(&mut self, program: &Program, model: &Model) -> Result<(), TestCaseError> {
        for (predicate, &arity) in program.arities.iter().enumerate() {
            let patterns = (DOMAIN.len() + 1).pow(arity as u32);
            for pattern in 0..patterns {
                let arguments: Vec<Option<usize>> = (0..arity)
                    .map(|position| {
                        pattern / (DOMAIN.len() + 1).pow(position as u32) % (DOMAIN.len() + 1)
                    })
                    .map(|value| (value < DOMAIN.len()).then_some(value))
                    .collect();
                let fits = |row: &&Vec<usize>| {
                    row.iter()
                        .zip(&arguments)
                        .all(|(value, given)| given.is_none_or(|given| given == *value))
                };
                let expected: BTreeSet<Vec<usize>> =
                    model[predicate].iter().filter(fits).cloned().collect();
                let found = self.answers(predicate, &arguments);
                prop_assert_eq!(
                    found,
                    expected,
                    "p{} {:?} in\n{}",
                    predicate,
                    arguments,
                    program.text()
                );
            }
        }
        Ok(())
    }
}

/// States of the fluents `f0` and `f1`.
fn states() -> impl Strategy<Value = Vec<Vec<BTreeSet<Vec<usize>>>>> {
    prop::collection::vec(rows(), 2..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_naive_evaluator(program in program(), materialized in any::<bool>()) {
        let mut subject = Subject::new(&program, materialized);
        let nothing = vec![BTreeSet::new(); 2];
        subject.change_state(&nothing, &program.states[0]);
        subject.compare(&program, &program.model(0))?;
        subject.change_state(&program.states[0], &program.states[1]);
        subject.compare(&program, &program.model(1))?;
        subject.change_state(&program.states[1], &program.states[0]);
        subject.compare(&program, &program.model(0))?;
    }

    #[test]
    fn maintained_views_agree_with_the_naive_evaluator(program in program(), late in any::<bool>()) {
        let mut subject = Subject::new(&program, true);
        let mut before = vec![BTreeSet::new(); 2];
        if !late {
            subject.maintain();
        }
        for state in [0, 1, 0, 2, 3, 1, 2] {
            subject.change_state(&before, &program.states[state]);
            if late && state == 2 {
                subject.maintain();
            }
            subject.compare(&program, &program.model(state))?;
            before.clone_from(&program.states[state]);
        }
        prop_assert_eq!(subject.rules.refusal(), None);
    }

    #[test]
    fn maintained_views_agree_with_evaluation(states in states()) {
        let mut evaluated = Subject::of_text(HAND_WRITTEN, true);
        let mut maintained = Subject::of_text(HAND_WRITTEN, true);
        maintained.maintain();
        prop_assert_eq!(maintained.rules.maintained().len(), 9);
        let mut before = vec![BTreeSet::new(); 2];
        for state in states {
            evaluated.change_state(&before, &state);
            maintained.change_state(&before, &state);
            before = state;
            for functor in maintained.rules.maintained() {
                // Terms may be met in different orders, so they are compared as text.
                let text = |subject: &mut Subject| -> BTreeSet<String> {
                    let rows = subject.all(functor).into_iter();
                    rows.map(|row| {
                        let terms = row.iter().map(|&term| Prefix::new(&subject.store, term).to_string());
                        terms.collect::<Vec<_>>().join(" ")
                    })
                    .collect()
                };
                let name = maintained.store.name(functor.symbol).to_owned();
                prop_assert_eq!(text(&mut maintained), text(&mut evaluated), "{} in {:?}", name, before);
            }
        }
    }
}
