//! Answer set programs: what they say, and that their plays are plays of the game.

use std::process::Command;

use serde_json::Value;

use crate::collection::{files, root, sample_games};

#[test]
fn programs_of_games() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings.set_snapshot_path(root().join("tests/gdl/answer_sets"));
    let _guard = settings.bind_to_scope();
    let mut games = files(&root().join("tests/gdl/answer_sets"), "gdl");
    games.extend(
        ["blocks_world", "roshambo"].map(|name| root().join(format!("kb/games/{name}.gdl"))),
    );
    for game in games {
        let path = game.to_str().unwrap();
        let program = flux(&["translate", path, "--to", "asp"]);
        insta::assert_snapshot!(game.file_stem().unwrap().to_str().unwrap(), program);
    }
}

/// The best plays that a solver finds are as good as those of `flux solve`, and lead where they should by the rules.
#[test]
#[ignore = "needs clingo: cargo test -- --ignored"]
fn plays_of_a_solver_are_plays_of_the_game() {
    let mut games = files(&root().join("tests/gdl/answer_sets"), "gdl");
    games.extend(sample_games());
    let mut seen = 0;
    for game in games {
        let path = game.to_str().unwrap();
        let roles = flux(&["translate", path, "--to", "asp"]);
        if roles
            .lines()
            .filter(|line| line.starts_with("role("))
            .count()
            != 1
        {
            continue;
        }
        let found = flux(&["solve", path, "--format", "json"]);
        let found: Value = serde_json::from_str(&found).unwrap();
        let plan = found["plan"].as_array().unwrap();
        let horizon = plan.len().to_string();
        let program = flux(&["translate", path, "--to", "asp", "--horizon", &horizon]);
        let does = best_play(&program, path);
        let mut moves = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut moves, does.as_bytes()).unwrap();
        let trace = flux(&["trace", path, "--moves", moves.path().to_str().unwrap()]);
        let end: Value = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
        assert_eq!(end["terminal"], true, "{path}");
        let values = end["goals"].as_object().unwrap();
        assert!(
            values.values().all(|value| *value == found["value"]),
            "{path}: {end}"
        );
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} games of one role");
}

/// The joint moves of the best answer set, as lines for `flux trace`.
fn best_play(program: &str, path: &str) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, program.as_bytes()).unwrap();
    let output = Command::new("clingo")
        .args(["--outf=2", "--time-limit=60"])
        .arg(file.path())
        .output()
        .expect("clingo is not installed");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let witnesses = report["Call"][0]["Witnesses"].as_array();
    let best = witnesses
        .and_then(|all| all.last())
        .unwrap_or_else(|| panic!("{path}: {report}"));
    let mut does: Vec<(u32, String)> = Vec::new();
    for atom in best["Value"].as_array().unwrap() {
        let atom = atom.as_str().unwrap();
        let Some(inner) = atom
            .strip_prefix("does(")
            .and_then(|rest| rest.strip_suffix(')'))
        else {
            continue;
        };
        let (front, time) = inner.rsplit_once(',').unwrap();
        let (role, mv) = front.split_once(',').unwrap();
        let mv = written(program, mv);
        let joint = serde_json::json!({ role.trim_matches('"'): mv });
        does.push((time.parse().unwrap(), joint.to_string()));
    }
    does.sort();
    does.iter().map(|(_, joint)| format!("{joint}\n")).collect()
}

/// A move as the rules of the game write it: strings are names, and the header says what is called otherwise.
fn written(program: &str, mv: &str) -> String {
    let renamed = program.lines().filter_map(|line| {
        let (new, old) = line.strip_prefix("% ")?.split_once(" is ")?;
        Some((new, old.strip_suffix(" in the rules of the game.")?))
    });
    let mv = mv.replace('"', "'");
    renamed.fold(mv, |mv, (new, old)| mv.replace(new, &format!("'{old}'")))
}

fn flux(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}
