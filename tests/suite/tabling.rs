//! Tabling cases: every program of `tests/tabling` has the well-founded model written beside it.
//!
//! `<case>.pl` asks queries in `%? goal.` lines; `<case>.model` lists their answers, sorted. The
//! format is described in `tests/tabling/swi_model.pl`, which prints what SWI-Prolog answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use flux::limits::Limits;
use flux::prolog::{Machine, Solution, Truth};
use flux::syntax::Source;

use crate::collection::swi_prolog;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tabling");
/// Steps after which a query of a `%! limit` case is stopped.
const STEP_LIMIT: u64 = 20_000;

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pl"))
        .filter(|path| path.with_extension("model").exists())
        .collect();
    cases.sort();
    cases
}

/// Asks the queries of a case in order; `ordered` keeps answers in order of discovery.
fn model(path: &Path, ordered: bool) -> String {
    model_of(path, ordered, &mut Machine::new())
}

fn model_of(path: &Path, ordered: bool, machine: &mut Machine) -> String {
    let text = fs::read_to_string(path).unwrap();
    let is_limited = text.lines().any(|line| line.trim() == "%! limit");
    let faults = machine.consult(&Source::new(path.to_string_lossy(), text.clone()));
    let mut model = String::new();
    for fault in faults.iter().filter(|fault| fault.is_error()) {
        writeln!(model, "fault: {}", fault.message).unwrap();
    }
    for query in text.lines().filter_map(|line| line.strip_prefix("%? ")) {
        let query = query.trim();
        writeln!(model, "?- {query}").unwrap();
        let limits = Limits {
            steps: is_limited.then_some(STEP_LIMIT),
            ..Limits::default()
        };
        for line in answers(machine, query, limits, ordered) {
            writeln!(model, "{line}").unwrap();
        }
    }
    model
}

fn answers(machine: &mut Machine, query: &str, limits: Limits, ordered: bool) -> Vec<String> {
    let mut found: Vec<(String, Truth)> = Vec::new();
    let mut solutions = match machine.query(query, limits) {
        Ok(solutions) => solutions,
        Err(fault) => return vec![format!("syntax: {}", fault.message)],
    };
    loop {
        match solutions.next_solution() {
            Solution::Answer(answer) => {
                found.push((solutions.instantiated_goal(), answer.truth));
            }
            Solution::Exhausted => break,
            Solution::Exception(exception) => return vec![exception_line(&exception.text)],
            Solution::Stopped(_) => return vec!["limit".to_owned()],
            Solution::Halt(code) => return vec![format!("halt {code}")],
        }
    }
    if found.is_empty() {
        return vec!["false".to_owned()];
    }
    let line = |text: &str, truth: Truth| match truth {
        Truth::True => text.to_owned(),
        Truth::Undefined => format!("{text} undefined"),
    };
    if ordered {
        return found
            .iter()
            .map(|(text, truth)| line(text, *truth))
            .collect();
    }
    let mut best: BTreeMap<String, Truth> = BTreeMap::new();
    for (text, truth) in found {
        let entry = best.entry(text).or_insert(truth);
        *entry = (*entry).min(truth);
    }
    let mut lines: Vec<String> = best
        .iter()
        .map(|(text, truth)| line(text, *truth))
        .collect();
    lines.sort();
    lines
}

/// `error: Formal` for `error(Formal, Context)`, the whole ball for others.
fn exception_line(ball: &str) -> String {
    let inner = ball
        .strip_prefix("error(")
        .and_then(|rest| rest.rfind(',').map(|comma| &rest[..comma]));
    format!("error: {}", inner.unwrap_or(ball))
}

#[test]
fn every_case_has_its_model() {
    let mut wrong = Vec::new();
    for path in cases() {
        let expected = fs::read_to_string(path.with_extension("model")).unwrap();
        let found = model(&path, false);
        if found != expected {
            wrong.push(format!(
                "{}\n--- expected\n{expected}--- found\n{found}",
                path.display()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn two_runs_give_the_same_bytes() {
    for path in cases() {
        assert_eq!(model(&path, true), model(&path, true), "{}", path.display());
    }
}

#[test]
fn collecting_garbage_at_every_call_changes_nothing() {
    for path in cases() {
        let mut machine = Machine::new();
        machine.collect_at_every_call();
        let collected = model_of(&path, true, &mut machine);
        assert_eq!(collected, model(&path, true), "{}", path.display());
    }
}

#[test]
#[ignore = "needs SWI-Prolog: cargo test -- --ignored"]
fn swi_prolog_agrees_with_the_models() {
    let driver = Path::new(FOLDER).join("swi_model.pl");
    let checked = swi_prolog()
        .arg(driver)
        .arg("--check")
        .args(cases())
        .output()
        .unwrap();
    assert!(
        checked.status.success(),
        "{}",
        String::from_utf8_lossy(&checked.stdout)
    );
}
