//! Axioms and rules agree on the sample games: `flux trace` prints the same with either engine, and
//! every joint move of every state looked at has the same successor.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use flux::fluent::{Bounds, Coverage, EffectRules, Sign, progression, translate, verify};
use flux::gdl::{Game, Reasoner, RoleId, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};
use serde_json::{Map, Value};

use crate::collection::sample_games;

/// Joint moves made in each game.
const MOVES: usize = 12;

/// Moves of each role that are tried in each of the first states.
const TRIED: usize = 12;

/// States whose moves are tried one by one.
const FIRST: usize = 2;

#[test]
fn traces_are_the_same() {
    for game in sample_games() {
        let mut line = String::new();
        for step in 0..MOVES {
            let last = trace(&game, "tabled", &line);
            let state: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
            if state["terminal"] == Value::Bool(true) {
                break;
            }
            if step < FIRST {
                for joint_move in every_move(&state["legal"]) {
                    compare(&game, &format!("{line}{joint_move}\n"));
                }
            }
            writeln!(
                line,
                "{}",
                choice(&state["legal"], |_, legal| (7 * step + 3) % legal)
            )
            .unwrap();
        }
        compare(&game, &line);
    }
}

#[test]
fn all_successors_are_the_same() {
    let mut proved = Vec::new();
    for path in sample_games() {
        let bounds = Bounds {
            states: 1_000,
            transitions: 4_000,
            playouts: 2,
            length: 40,
            joint_moves: 12,
            seed: 0,
        };
        let (game, mut vocabulary) = read(&path);
        let limits = Limits::default();
        let axioms = translate(&game, &mut vocabulary, &limits).unwrap();
        let mut rules = game.tabled(&mut vocabulary, limits.clone()).unwrap();
        let mut progression = progression(&game, &axioms, &mut vocabulary, &limits).unwrap();
        let roles = game.roles().len() as u32;
        let outcome = verify(
            &mut rules,
            &mut progression,
            &mut vocabulary,
            roles,
            &bounds,
        )
        .unwrap();
        let report = outcome.report(&game, &axioms, &mut vocabulary).to_string();
        assert!(outcome.difference.is_none(), "{}: {report}", path.display());
        assert!(outcome.transitions > 0, "{}: {report}", path.display());
        if outcome.coverage == Coverage::Exhausted {
            proved.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    // All reachable states of these are few.
    for name in ["blocks_world", "roshambo", "step_counter", "two_graphs"] {
        assert!(
            proved.iter().any(|proved| proved == name),
            "{name} is not in {proved:?}"
        );
    }
}

/// Effects that are evaluated one by one say of every joint move what the rules say, and the same
/// whether the moves of the other roles are given or not.
#[test]
fn forecasts_are_successors() {
    for path in sample_games() {
        let (game, mut vocabulary) = read(&path);
        let limits = Limits::default();
        let axioms = translate(&game, &mut vocabulary, &limits).unwrap();
        let mut rules = game.tabled(&mut vocabulary, limits.clone()).unwrap();
        let mut effects = EffectRules::new(&game, &axioms, &mut vocabulary, &limits).unwrap();
        let mut state = rules.initial_state(&mut vocabulary).unwrap();
        for step in 0..MOVES {
            if rules.is_terminal(&mut vocabulary, &state).unwrap() {
                break;
            }
            let mut choices = Vec::new();
            for role in (0..game.roles().len() as u32).map(RoleId) {
                let mut legal = Vec::new();
                rules
                    .legal_moves(&mut vocabulary, &state, role, &mut legal)
                    .unwrap();
                let start = (7 * step + 3) % legal.len();
                legal.rotate_left(start);
                legal.truncate(TRIED);
                choices.push(legal);
            }
            let forecast = effects
                .forecast(&axioms, &mut vocabulary, &state, &choices, &limits)
                .unwrap();
            assert_eq!(forecast.total, forecast.joint_moves.len() as u128);
            let mut next = state.clone();
            for (index, joint_move) in forecast.joint_moves.iter().enumerate() {
                next = rules
                    .successor(&mut vocabulary, &state, joint_move)
                    .unwrap();
                let mut foreseen = state.clone();
                for occurrence in &forecast.occurrences {
                    if occurrence.when.contains(&index) {
                        let fluent = vocabulary.fluent(occurrence.fluent);
                        match occurrence.sign {
                            Sign::Negative => foreseen.remove_all(&[fluent]),
                            Sign::Positive => foreseen.insert(fluent),
                        }
                    }
                }
                assert_eq!(foreseen, next, "{} in step {step}", path.display());
            }
            state = next;
        }
    }
}

/// A game with its terms.
fn read(path: &Path) -> (Game, Vocabulary) {
    let source = Source::new("game", std::fs::read_to_string(path).unwrap());
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let game = Game::new(&mut store, source, sheet.clauses, &Limits::default()).unwrap();
    (game, Vocabulary::new(store))
}

/// For every role, each of its moves with the first moves of the others.
fn every_move(legal: &Value) -> Vec<String> {
    let roles = legal.as_object().unwrap().keys().cloned();
    let tries = roles.flat_map(|role| {
        let number = legal[&role].as_array().unwrap().len().min(TRIED);
        (0..number).map(move |at| (role.clone(), at))
    });
    tries
        .map(|(role, at)| choice(legal, |other, _| if other == role { at } else { 0 }))
        .collect()
}

/// One joint move; `pick` says which move a role makes, of so many.
fn choice(legal: &Value, pick: impl Fn(&str, usize) -> usize) -> String {
    let choice = legal.as_object().unwrap().iter().map(|(role, legal)| {
        let legal = legal.as_array().unwrap();
        (role.clone(), legal[pick(role, legal.len())].clone())
    });
    Value::Object(choice.collect::<Map<String, Value>>()).to_string()
}

fn compare(game: &Path, moves: &str) {
    let (rules, axioms) = (trace(game, "tabled", moves), trace(game, "fluent", moves));
    assert_eq!(rules, axioms, "{} after\n{moves}", game.display());
}

fn trace(game: &Path, engine: &str, moves: &str) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(moves.as_bytes()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("trace")
        .arg(game)
        .args(["--engine", engine, "--moves"])
        .arg(file.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", game.display());
    String::from_utf8(output.stdout).unwrap()
}
