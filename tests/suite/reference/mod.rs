//! The engine against a reference: random programs, run by an interpreter that does nothing but what
//! the standard says.
//!
//! What must agree: the answers and their order, why there are no more, what was written. Programs
//! whose outcome the standard leaves open (order of variables, cyclic terms, what an implementation
//! may define) are not compared beyond that point.
//!
//! Many more programs than a test has time for: `FLUX_PROGRAMS=1000000 FLUX_SEED=7`, with the tests
//! built for speed (`cargo test --profile quick --test suite -- reference::`).

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a predicate works on one kind of terms and refuses all others alike"
)]

mod arithmetic;
mod builtin;
mod database;
mod generate;
mod solve;
mod term;

use std::fmt::Write as _;
use std::rc::Rc;

use flux::limits::Limits;
use flux::prolog::{Machine, Solution};
use flux::syntax::Source;

use generate::Program;
use solve::Interpreter;
use term::{Stop, Term, compound, text, unary};

/// Answers that are asked of each query.
const ANSWERS: usize = 12;
/// Programs that share a machine.
const BATCH: u64 = 200;

/// What queries must print, one line each: answers, the end, the output.
#[derive(Debug, PartialEq)]
struct Expected {
    lines: Vec<String>,
    /// Why there is more that is not compared.
    open: Option<&'static str>,
    output: String,
}

/// Runs queries in the reference until one has an outcome that is open.
fn reference(program: &Program) -> Vec<Expected> {
    let mut machine = Interpreter::default();
    for key in &program.dynamic {
        machine.database.entry(key.clone()).or_default().is_dynamic = true;
    }
    for key in &program.tabled {
        machine.database.entry(key.clone()).or_default().is_tabled = true;
    }
    for (head, body) in &program.clauses {
        machine.add(head.clone(), body.clone());
    }
    let mut expected = Vec::new();
    for query in &program.queries {
        machine.output.clear();
        let (answers, end) = machine.answers(query, ANSWERS);
        let mut lines: Vec<String> = answers.iter().map(text).collect();
        let mut open = None;
        match end {
            None => lines.push("no more".to_owned()),
            Some(Stop::Throw(ball)) => lines.push(thrown(&ball)),
            Some(Stop::Skip(reason)) => open = Some(reason),
        }
        let output = std::mem::take(&mut machine.output);
        expected.push(Expected {
            lines,
            open,
            output,
        });
        if open.is_some() {
            break;
        }
    }
    expected
}

/// An exception without the context of an error.
fn thrown(ball: &Term) -> String {
    let shown = match ball.callable() {
        Some(("error", [formal, _])) => unary("error", formal),
        _ => ball.clone(),
    };
    format!("throws {}", text(&shown.numbered()))
}

/// The program as text in functional notation.
fn program_text(program: &Program) -> String {
    let mut result = String::new();
    let mut declare = |what: &str, keys: &[(String, usize)]| {
        for (name, arity) in keys {
            let _ = writeln!(result, ":- {what} {name}/{arity}.");
        }
    };
    declare("dynamic", &program.dynamic);
    declare("table", &program.tabled);
    for (head, body) in &program.clauses {
        let _ = writeln!(
            result,
            "{}.",
            text(&compound(":-", &[head.clone(), body.clone()]))
        );
    }
    result
}

/// Defines `out/1`, which writes a term on a line of its own, canonically but for lists.
const OUT: &str = "out(T) :- \\+ \\+ ( numbervars(T, 0, _), write_term(T, [quoted(true), ignore_ops(true), numbervars(true)]) ), nl.";

/// Terms of the machine's store as those of the reference.
fn imported(machine: &Machine, id: flux::term::TermId) -> Term {
    use flux::term::Term as View;
    let store = machine.store();
    match store.view(id) {
        View::Variable(number) => Term::Variable(number as usize),
        View::Atom(name) => term::atom(store.name(name)),
        View::Integer(value) => term::integer(value),
        View::Big(digits) => Term::Integer(store.name(digits).parse().unwrap()),
        View::Float(value) => Term::Float(value),
        View::Text(name) => compound("$string", &[term::atom(store.name(name))]),
        View::Compound(name, arguments) => {
            let arguments: Rc<[Term]> = arguments.iter().map(|&x| imported(machine, x)).collect();
            Term::Compound(store.name(name).into(), arguments)
        }
    }
}

/// What flux does with a query, as far as the reference knows what is right.
fn found(machine: &mut Machine, query: &Term, expected: &Expected) -> Expected {
    let limits = Limits {
        steps: Some(3_000_000),
        bytes: Some(machine.bytes() + (256 << 20)),
        ..Limits::default()
    };
    let goal = format!("Goal = {0}, call(Goal)", text(query));
    let mut lines = Vec::new();
    let mut solutions = match machine.query(&goal, limits) {
        Ok(solutions) => solutions,
        Err(fault) => panic!("{goal}: {}", fault.message),
    };
    while lines.len() < expected.lines.len() {
        let line = match solutions.next_solution() {
            Solution::Answer(answer) => {
                let binding = answer
                    .bindings
                    .iter()
                    .find(|binding| binding.name == "Goal")
                    .unwrap();
                text(&imported(solutions.machine(), binding.term).numbered())
            }
            Solution::Exhausted => "no more".to_owned(),
            Solution::Exception(exception) => {
                thrown(&imported(solutions.machine(), exception.term))
            }
            Solution::Halt(code) => format!("halts with {code}"),
            Solution::Stopped(reason) => format!("stopped: {reason}"),
        };
        let is_last =
            line == "no more" || line.starts_with("throws ") || line.starts_with("stopped");
        lines.push(line);
        if is_last {
            break;
        }
    }
    drop(solutions);
    let output = machine.take_output();
    Expected {
        lines,
        open: expected.open,
        output: if expected.open.is_some() {
            expected.output.clone()
        } else {
            output
        },
    }
}

/// Runs programs of a seed in both; gives the outcomes compared and at most `most` differences.
fn compare_with_engine(
    seed: u64,
    numbers: std::ops::Range<u64>,
    most: usize,
) -> (u64, Vec<String>) {
    let (mut compared, mut differences) = (0, Vec::new());
    let mut start = numbers.start;
    while start < numbers.end && differences.len() < most {
        let end = (start + BATCH).min(numbers.end);
        let mut machine = Machine::new();
        // A batch in sixteen finds what a collection of garbage breaks.
        if start / BATCH % 16 == 3 {
            machine.collect_at_every_call();
        }
        assert!(machine.consult(&Source::new("out", OUT)).is_empty());
        for number in start..end {
            match compare_program(&mut machine, seed, number) {
                Ok(outcomes) => compared += outcomes,
                Err(difference) => differences.push(difference),
            }
        }
        start = end;
    }
    (compared, differences)
}

/// Runs a program in both; gives the number of outcomes compared.
fn compare_program(machine: &mut Machine, seed: u64, number: u64) -> Result<u64, String> {
    let program = generate::program(seed, number);
    let expected = reference(&program);
    let listing = program_text(&program);
    let header = format!("seed {seed}, program {number}\n{listing}");
    let faults = machine.consult(&Source::new(format!("program{number}"), listing));
    if let Some(fault) = faults.iter().find(|fault| fault.is_error()) {
        return Err(format!("{header}{}", fault.message));
    }
    let mut compared = 0;
    for (query, expected) in program.queries.iter().zip(&expected) {
        let found = found(machine, query, expected);
        compared += expected.lines.len() as u64;
        if found != *expected {
            let query = text(query);
            return Err(format!(
                "{header}?- {query}.\nexpected {expected:#?}\nfound {found:#?}"
            ));
        }
    }
    Ok(compared)
}

/// A number from the environment, for long runs.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn random_programs_do_what_the_reference_does() {
    let (seed, count) = (setting("FLUX_SEED", 1), setting("FLUX_PROGRAMS", 3_000));
    let (compared, differences) = compare_with_engine(seed, 0..count, 3);
    eprintln!("{count} programs of seed {seed}, {compared} outcomes");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
