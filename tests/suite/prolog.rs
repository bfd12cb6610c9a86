//! Outcomes of goals: the built-in predicates and their errors as the standard has them.
//!
//! `tests/prolog/<area>/<case>.pl` is a program with goals in `%? goal.` lines, each followed by its
//! outcome: `%= bindings` for each answer, `%= true` if there are none, `%= false` for failure,
//! `%= error: Formal` for `error(Formal, _)`. A line `%~ reason` says why SWI-Prolog answers
//! differently; goals without one are answered alike by `tests/prolog/swi_outcomes.pl`.
//! Source: ISO/IEC 13211-1, sections 7.8, 8 and 9.

use std::fs;
use std::path::{Path, PathBuf};

use flux::limits::Limits;
use flux::prolog::{Environment, Machine, Solution};
use flux::syntax::Source;

use crate::collection::swi_prolog;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/prolog");

/// A goal with what is expected of it.
struct Case {
    line: usize,
    goal: String,
    outcome: Vec<String>,
    differs: bool,
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|area| fs::read_dir(area).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(goal) = line.strip_prefix("%? ") {
            cases.push(Case {
                line: number + 1,
                goal: goal.to_owned(),
                outcome: Vec::new(),
                differs: false,
            });
        } else if let Some(outcome) = line.strip_prefix("%= ") {
            cases.last_mut().unwrap().outcome.push(outcome.to_owned());
        } else if line.starts_with("%~ ") {
            cases.last_mut().unwrap().differs = true;
        }
    }
    cases
}

fn outcome(machine: &mut Machine, goal: &str) -> Vec<String> {
    let limits = Limits {
        steps: Some(100_000),
        ..Limits::default()
    };
    let mut solutions = match machine.query(goal, limits) {
        Ok(solutions) => solutions,
        Err(fault) => return vec![format!("syntax: {}", fault.message)],
    };
    let mut lines = Vec::new();
    loop {
        match solutions.next_solution() {
            Solution::Answer(answer) => lines.push(answer.to_string()),
            Solution::Exhausted if lines.is_empty() => return vec!["false".to_owned()],
            Solution::Exhausted => return lines,
            Solution::Exception(exception) => {
                let formal = exception
                    .text
                    .strip_prefix("error(")
                    .and_then(|rest| rest.rfind(',').map(|comma| &rest[..comma]));
                lines.push(format!("error: {}", formal.unwrap_or(&exception.text)));
                return lines;
            }
            Solution::Stopped(reason) => lines.push(format!("stopped: {reason}")),
            Solution::Halt(code) => lines.push(format!("halt: {code}")),
        }
    }
}

fn name(file: &Path) -> String {
    file.strip_prefix(FOLDER).unwrap().display().to_string()
}

#[test]
fn every_goal_has_the_outcome_of_the_standard() {
    check_outcomes(Machine::new);
}

#[test]
fn collecting_garbage_at_every_call_changes_no_outcome() {
    check_outcomes(|| {
        let mut machine = Machine::new();
        machine.collect_at_every_call();
        machine
    });
}

#[test]
fn a_loop_runs_in_bounded_space() {
    let program = "
        step(N, F) :- N =< 0, !, F = done.
        step(N, F) :- T = g(N, [N, 2.5], X), X = T2, T2 = h(T3), T3 = N, T = g(A, [A|_], h(A)),
            N1 is A - 1, step(N1, F).
    ";
    let mut machine = Machine::new();
    assert!(machine.consult(&Source::new("loop", program)).is_empty());
    let limits = Limits {
        bytes: Some(machine.bytes() + (16 << 20)),
        ..Limits::default()
    };
    let mut solutions = machine.query("step(1000000, F)", limits).unwrap();
    let Solution::Answer(answer) = solutions.next_solution() else {
        panic!("no answer within the limits");
    };
    assert_eq!(answer.to_string(), "F = done");
}

fn check_outcomes(machine: impl Fn() -> Machine) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let mut machine = machine();
        let faults = machine.consult(&Source::new(name(&file), text.clone()));
        assert!(faults.is_empty(), "{}: {faults:?}", name(&file));
        for case in cases(&text) {
            count += 1;
            let found = outcome(&mut machine, &case.goal);
            if found != case.outcome {
                wrong.push(format!(
                    "{}:{}: {}\n  expected {:?}\n  found    {found:?}",
                    name(&file),
                    case.line,
                    case.goal,
                    case.outcome
                ));
            }
        }
    }
    let wrong_count = wrong.len();
    assert!(
        wrong.is_empty(),
        "{wrong_count} of {count} goals:\n{}",
        wrong.join("\n")
    );
}

/// What SWI-Prolog answers, one line each: file, number of the goal's line, outcome.
fn swi_outcomes(files: &[PathBuf]) -> Vec<(String, usize, Vec<String>)> {
    let driver = Path::new(FOLDER).join("swi_outcomes.pl");
    let run = swi_prolog()
        .arg(driver)
        .arg("--")
        .args(files)
        .output()
        .unwrap();
    assert!(run.status.success(), "{:?}", run);
    let text = String::from_utf8(run.stdout).unwrap();
    let mut outcomes: Vec<(String, usize, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(answer) = line.strip_prefix("%= ") {
            outcomes.last_mut().unwrap().2.push(answer.to_owned());
        } else if let Some((file, number)) = line.rsplit_once(':') {
            let file = name(Path::new(file));
            outcomes.push((file, number.parse().unwrap(), Vec::new()));
        }
    }
    outcomes
}

#[test]
#[ignore = "needs SWI-Prolog: cargo test -- --ignored"]
fn swi_prolog_agrees_but_where_noted() {
    let files = files();
    let mut outcomes = swi_outcomes(&files).into_iter();
    let mut wrong = Vec::new();
    for file in &files {
        for case in cases(&fs::read_to_string(file).unwrap()) {
            let (found, line, outcome) = outcomes.next().unwrap();
            assert_eq!((found, line), (name(file), case.line));
            if (outcome == case.outcome) == case.differs {
                wrong.push(format!(
                    "{}:{line}: {}\n  expected {:?}\n  SWI      {outcome:?}",
                    name(file),
                    case.goal,
                    case.outcome
                ));
            }
        }
    }
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} goals:\n{}", wrong.join("\n"));
}

/// Standard input and program files of a test.
struct World {
    lines: Vec<&'static str>,
}

impl Environment for World {
    fn read_line(&mut self, text: &mut String) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        text.push_str(self.lines.remove(0));
        true
    }

    fn program(&mut self, name: &str, _: &str) -> Option<Source> {
        let text = match name {
            "facts" => ":- op(700, xfx, likes). ann likes bob.",
            "more" => "p(3).\n:- dynamic q/1.",
            "loop" => ":- include(loop).",
            "broken" => "ok.\nfoo(.\n",
            _ => return None,
        };
        Some(Source::new(name, text))
    }
}

fn in_world(lines: Vec<&'static str>) -> Machine {
    let mut machine = Machine::new();
    machine.set_environment(Box::new(World { lines }));
    machine
}

#[test]
fn terms_are_read_from_input_line_by_line() {
    let mut machine = in_world(vec![
        "foo(\n",
        "bar). a. /* x.\n",
        "y */ b.\n",
        "p :- .\n",
        "last.",
    ]);
    let all = |goal: &str, machine: &mut Machine| outcome(machine, goal).join(" ");
    assert_eq!(all("read(X), read(Y)", &mut machine), "X = foo(bar), Y = a");
    assert_eq!(all("read(X)", &mut machine), "X = b");
    assert!(all("read(X)", &mut machine).starts_with("error: syntax_error"));
    assert_eq!(all("read(X)", &mut machine), "X = last");
    assert_eq!(
        all("read(X), read(user_input, X)", &mut machine),
        "X = end_of_file"
    );
    assert_eq!(
        all("read_term(nowhere, _, [])", &mut machine),
        "error: existence_error(stream,nowhere)"
    );
}

#[test]
fn programs_load_and_include_others() {
    let mut machine = in_world(Vec::new());
    let text = "p(1). p(2).\n:- include(more).\np(4).\n:- ensure_loaded(facts).\n:- use_module(library(lists)).\n\
        :- ensure_loaded(library(lists)).\nt(X) :- ann likes X.";
    let faults = machine.consult(&Source::new("main", text));
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(
        outcome(&mut machine, "findall(X, p(X), L)"),
        ["L = [1,2,3,4]"]
    );
    assert_eq!(outcome(&mut machine, "t(X)"), ["X = bob"]);
    assert_eq!(outcome(&mut machine, "q(_)"), ["false"]);
}

#[test]
fn files_that_cannot_be_loaded_are_reported() {
    let faults = |text: &str| {
        let faults = in_world(Vec::new()).consult(&Source::new("main", text));
        let messages = faults.into_iter().map(|fault| fault.message);
        messages.collect::<Vec<String>>()
    };
    assert_eq!(
        faults(":- ensure_loaded(nowhere)."),
        ["there is no program file `nowhere`"]
    );
    let nested = faults(":- [broken].");
    assert!(nested[0].starts_with("broken:2:"), "{nested:?}");
    let endless = faults(":- include(loop).");
    assert!(
        endless[0].contains("more than 64 texts load each other"),
        "{endless:?}"
    );
}
