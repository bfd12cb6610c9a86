//! The two evaluators agree: what the rules evaluator says of a state, the Prolog machine says too.
//!
//! `flux trace` plays on the first, `flux query` asks the second. The games are the sample games
//! and, where the collection is at hand, an even sample of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::collection::{files, material};

/// Joint moves made in each game; the state before each and the last are compared.
const MOVES: usize = 4;

/// Every n-th game of the collection is compared.
const STRIDE: usize = 16;

#[test]
fn both_evaluators_agree_on_sample_games() {
    let games = files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games"),
        "gdl",
    );
    assert!(games.len() >= 19, "only {} sample games found", games.len());
    games.iter().for_each(|game| compare(game));
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn both_evaluators_agree_on_games_of_others() {
    files(&material("games/base"), "kif")
        .iter()
        .step_by(STRIDE)
        .for_each(|game| compare(game));
}

fn compare(game: &Path) {
    let mut moves = tempfile::NamedTempFile::new().unwrap();
    for step in 0..=MOVES {
        let state = last_state(game, moves.path());
        let asked = |query: &str, variables: &[&str]| answers(game, query, moves.path(), variables);
        assert_eq!(
            asked("(true ?f)", &["f"]),
            rows(&state["state"]),
            "fluents of {game:?} at step {step}"
        );
        let legal = by_role(&state["legal"]);
        assert_eq!(
            asked("(legal ?r ?m)", &["r", "m"]),
            legal,
            "moves in {game:?} at step {step}"
        );
        let terminal = !asked("terminal", &[]).is_empty();
        assert_eq!(
            Value::Bool(terminal),
            state["terminal"],
            "end of {game:?} at step {step}"
        );
        if terminal {
            let goals = asked("(goal ?r ?v)", &["r", "v"]);
            assert_eq!(
                goals,
                by_role(&state["goals"]),
                "payoffs in {game:?} at step {step}"
            );
            return;
        }
        append(&mut moves, &state["legal"], step);
    }
}

/// What the rules evaluator says of the state behind the moves.
fn last_state(game: &Path, moves: &Path) -> Value {
    let output = flux(&["trace", path(game), "--moves", path(moves)]);
    serde_json::from_str(output.lines().last().unwrap()).unwrap()
}

/// Makes a different choice at each step.
fn append(moves: &mut tempfile::NamedTempFile, legal: &Value, step: usize) {
    use std::io::Write;
    let choice = legal.as_object().unwrap().iter().map(|(role, legal)| {
        let legal = legal.as_array().unwrap();
        (role.clone(), legal[(7 * step + 3) % legal.len()].clone())
    });
    writeln!(
        moves,
        "{}",
        Value::Object(choice.collect::<Map<String, Value>>())
    )
    .unwrap();
}

/// What the Prolog machine answers.
fn answers(game: &Path, query: &str, moves: &Path, variables: &[&str]) -> BTreeSet<Vec<String>> {
    let output = flux(&[
        "query",
        path(game),
        query,
        "--moves",
        path(moves),
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["complete"], Value::Bool(true), "{query} on {game:?}");
    let answers = report["answers"].as_array().unwrap().iter();
    answers
        .map(|answer| variables.iter().map(|name| text(&answer[*name])).collect())
        .collect()
}

fn rows(list: &Value) -> BTreeSet<Vec<String>> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|term| vec![text(term)])
        .collect()
}

/// `{"r": [a, b]}` or `{"r": a}` as rows.
fn by_role(object: &Value) -> BTreeSet<Vec<String>> {
    let roles = object.as_object().unwrap().iter();
    let pairs = roles.flat_map(|(role, values)| {
        let values = values
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![values.clone()]);
        values
            .into_iter()
            .map(|value| vec![role.clone(), text(&value)])
            .collect::<Vec<_>>()
    });
    pairs.collect()
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn flux(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{arguments:?}: {errors}"
    );
    String::from_utf8(output.stdout).unwrap()
}
