//! What games are made of: reports in words and JSON, `tests/decomposition/<game>.<form>.snap`; what experts
//! say of games that others wrote; and that the parts do not depend on how the rules are written.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::collection::{material, root, sample_games};
use crate::composed_game::{Composed, composed};
use crate::random_game::{Rules, outlined, renamed, reordered, text};
use crate::rewriting::{framed, merged, nested, permuted, prefix_rules, respelled, reversed};

fn run(game: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("decompose")
        .arg(game)
        .args(options)
        .output()
        .unwrap()
}

fn decompose(game: &Path, options: &[&str]) -> String {
    let output = run(game, options);
    assert!(output.status.success(), "{}: {output:?}", game.display());
    String::from_utf8(output.stdout).unwrap()
}

/// The report for programs, without the time that it took.
fn report(game: &Path) -> Value {
    let mut report: Value = serde_json::from_str(&decompose(game, &["--format", "json"])).unwrap();
    let seconds = report.as_object_mut().unwrap().remove("seconds");
    assert!(seconds.is_some_and(|seconds| seconds.is_number()));
    report
}

fn snapshots() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/decomposition"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings
}

#[test]
fn parts_of_sample_games() {
    let _guard = snapshots().bind_to_scope();
    for game in sample_games() {
        let name = game.file_stem().unwrap().to_string_lossy().into_owned();
        insta::assert_snapshot!(format!("{name}.text"), decompose(&game, &[]));
        insta::assert_json_snapshot!(format!("{name}.json"), report(&game));
    }
}

#[test]
fn a_drawing_of_the_parts() {
    let _guard = snapshots().bind_to_scope();
    let game = root().join("kb/games/incredible.gdl");
    insta::assert_snapshot!("incredible.dot", decompose(&game, &["--format", "dot"]));
    let svg = decompose(&game, &["--format", "svg"]);
    assert!(svg.contains("<svg"), "{svg:.80}");
}

/// Numbers of parts, of what runs by itself, of what of that is useless, and of phases.
fn numbers(report: &Value) -> [usize; 4] {
    let length = |field: &str| report[field].as_array().unwrap().len();
    let autonomous = report["autonomous"].as_array().unwrap().iter();
    let useless = autonomous.filter(|group| group["useless"] == true).count();
    [
        length("parts"),
        length("autonomous"),
        useless,
        length("phases"),
    ]
}

/// The rules written otherwise.
fn rewritings(rules: &Rules) -> [(&'static str, Rules); 9] {
    [
        ("names of variables", renamed(rules)),
        ("symbols", respelled(rules)),
        ("order of rules", reordered(rules, 1)),
        ("order of conditions", reversed(rules)),
        ("predicates more", outlined(rules)),
        ("frame axioms", framed(rules)),
        ("order of roles", permuted(rules)),
        ("one symbol for all fluents", merged(rules)),
        ("arguments in a tuple", nested(rules)),
    ]
}

fn assert_same_however_written(games: &[PathBuf], are_rewritten_twice: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.kif");
    for (number, game) in games.iter().enumerate() {
        let expected = numbers(&report(game));
        let rules = prefix_rules(game);
        let assert_same = |rewritten: &Rules, how: &str| {
            std::fs::write(&path, text(rewritten)).unwrap();
            let found = numbers(&report(&path));
            assert_eq!(found, expected, "{} with other {how}", game.display());
        };
        for (place, (how, rewritten)) in rewritings(&rules).into_iter().enumerate() {
            assert_same(&rewritten, how);
            if !are_rewritten_twice {
                continue;
            }
            // Each pair of rewritings is made of some games.
            let again = rewritings(&rewritten).into_iter();
            for (then, rewritten) in again.skip((number + place) % 4).step_by(4) {
                assert_same(&rewritten, &format!("{how}, {then}"));
            }
        }
    }
}

#[test]
fn parts_do_not_depend_on_how_rules_are_written() {
    assert_same_however_written(&sample_games(), true);
}

/// Games whose numbers are not those of the experts: subgames with actions, action-independent ones, useless
/// ones of these.
const OTHERWISE: [(&str, [usize; 3]); 2] = [
    // Whether the other one has the turn matters in states that no invariant found here excludes.
    ("base/hex", [1, 1, 0]),
    // The step counter ends a play of twenty moves that would go on: right, right, right, up, left, left, left,
    // up, right, right on one board, then on the other.
    ("base/snakeParallel", [2, 1, 0]),
];

/// Hufschmitt, Vittaut, Méhat 2016, Table 1.
fn table_of_experts(collection: &Path) -> Vec<(String, [usize; 3])> {
    let table = std::fs::read_to_string(collection.join("decomposition.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |place: usize| cells[place].parse().unwrap();
        (cells[0].to_owned(), [number(2), number(3), number(4)])
    });
    rows.collect()
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn parts_are_those_of_the_experts() {
    let collection = material("games");
    let table = table_of_experts(&collection);
    assert!(table.len() >= 25);
    for (name, by_experts) in table {
        let otherwise = OTHERWISE.iter().find(|(game, _)| *game == name);
        let expected = otherwise.map_or(by_experts, |&(_, numbers)| numbers);
        let report = report(&collection.join(format!("{name}.kif")));
        let [parts, autonomous, useless, _] = numbers(&report);
        assert_eq!([parts, autonomous, useless], expected, "{name}");
        assert_eq!(report["certified"], true, "{name}");
    }
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn parts_of_games_that_others_wrote_do_not_depend_on_how_rules_are_written() {
    let collection = material("games");
    let games = table_of_experts(&collection).into_iter();
    let games = games.map(|(name, _)| collection.join(format!("{name}.kif")));
    // Hex takes its time.
    let (large, games): (Vec<PathBuf>, Vec<PathBuf>) =
        games.partition(|game| game.ends_with("hex.kif"));
    assert_same_however_written(&games, true);
    assert_same_however_written(&large, false);
}

/// Step counters that few random plays follow to the end, and a board of many cells.
const DRAWN_OTHERWISE: [&str; 3] = [
    "base/atariGoVariant_7x7",
    "base/crossers3",
    "base/snake_2008",
];

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn parts_do_not_depend_on_random_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.kif");
    for game in DRAWN_OTHERWISE {
        let game = material("games").join(format!("{game}.kif"));
        let expected = numbers(&report(&game));
        // Fluents that are numbered otherwise lead to other plays.
        for seed in 1..5 {
            std::fs::write(&path, text(&reordered(&prefix_rules(&game), seed))).unwrap();
            let found = numbers(&report(&path));
            assert_eq!(found, expected, "{} in order {seed}", game.display());
        }
    }
}

/// No sample near plays shows why these belong together; a solver finds states that do.
#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn what_joins_parts_is_shown_even_where_plays_do_not() {
    let game = material("games").join("base/stateSpaceLarge.kif");
    let mut repl = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("repl")
        .arg(&game)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = repl.stdin.take().unwrap();
    input
        .write_all(b":why-together (prev-goal 35) (choice level1 c1)\n")
        .unwrap();
    drop(input);
    let output = repl.wait_with_output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    for line in ["are apart failed", "in the state", "there is"] {
        assert!(answer.contains(line), "{answer}");
    }
}

/// What is found in a game by the names that fluents have in common, as [`Composed`] says it.
fn found_in(report: &Value) -> Composed {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let names = |group: &Value| -> BTreeSet<String> {
        let fluents = list(&group["fluents"]).into_iter();
        let name = |fluent: Value| {
            let fluent = fluent.as_str().unwrap().trim_start_matches('(').to_owned();
            fluent.split([' ', ')']).next().unwrap().to_owned()
        };
        fluents.map(name).collect()
    };
    let parts = list(&report["parts"]);
    let is_useless = |part: &&Value| part["useless"] == true;
    Composed {
        text: String::new(),
        parts: parts.iter().map(names).collect(),
        useless: parts.iter().filter(is_useless).flat_map(names).collect(),
        autonomous: (list(&report["autonomous"]).iter())
            .map(|group| {
                let names: Vec<String> = names(group).into_iter().collect();
                (names.join(" "), group["useless"] == true)
            })
            .collect(),
        phases: list(&report["phases"]).len().max(1),
    }
}

/// Whether all claims of a report hold, checked anew.
fn holds(report: &Value) -> bool {
    let certificates = report["certificates"].as_array().unwrap();
    !certificates.is_empty() && certificates.iter().all(|claim| claim["verdict"] == "holds")
}

#[test]
fn all_claims_hold_when_they_are_checked_anew() {
    for game in sample_games() {
        let report = decompose(&game, &["--format", "json", "--certify"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(holds(&report), "{}: {report:#}", game.display());
    }
}

/// Looks for what random games are composed of: nothing that was composed of one piece is torn apart, and all that is
/// claimed holds. Returns in how many games all was found again; in the others several parts are taken for one.
fn found_again(seeds: std::ops::Range<u64>) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.kif");
    let mut exact = 0;
    for seed in seeds {
        let expected = composed(seed);
        std::fs::write(&path, &expected.text).unwrap();
        let report = decompose(&path, &["--format", "json", "--certify"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(report["certified"] == true && holds(&report), "game {seed}");
        let found = found_in(&report);
        let is_whole =
            |part: &BTreeSet<String>| found.parts.iter().any(|own| own.is_superset(part));
        assert!(
            expected.parts.iter().all(is_whole),
            "game {seed}: {found:?}"
        );
        let is_exact = found.parts == expected.parts
            && found.useless == expected.useless
            && found.autonomous == expected.autonomous
            && found.phases == expected.phases;
        exact += u64::from(is_exact);
    }
    exact
}

/// A hundred games, or as many as `FLUX_COMPOSED_GAMES` says; of a hundred, one may be left coarser than it was composed.
#[test]
fn what_random_games_are_composed_of_is_found_again() {
    let games = std::env::var("FLUX_COMPOSED_GAMES").map_or(100, |games| games.parse().unwrap());
    let exact = found_again(0..games);
    assert!((games - exact) * 100 <= games, "{exact} of {games} games");
}

#[test]
fn what_cannot_be_decomposed_is_said() {
    let game = root().join("kb/games/connect_four.gdl");
    let output = run(&game, &["--max-rules", "10"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("rules"), "{message}");
}

/// 400 lamps, each with 400 switches: to try each in many states is too much.
#[test]
fn what_is_known_of_a_game_that_is_too_large_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("lamps.kif");
    let numbers: Vec<String> = (0..400)
        .map(|number| format!("(number {number})"))
        .collect();
    let rules = "(role switcher) (init (step 0)) (succ 0 1) (succ 1 2) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (legal switcher (press ?x ?y)) (number ?x) (number ?y))
        (<= (next (lit ?x)) (does switcher (press ?x ?y)))
        (<= (next (lit ?x)) (true (lit ?x)))
        (<= terminal (true (step 2))) (<= (goal switcher 100) (true (lit 0))) (<= (goal switcher 0) (not (true (lit 0))))";
    std::fs::write(&game, format!("{rules}\n{}", numbers.join(" "))).unwrap();
    let output = run(&game, &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    for known in ["too many", "160000 moves", "fluents", "gates"] {
        assert!(message.contains(known), "{message}");
    }
}

/// A sheet that cannot take its place: those before it have theirs, and nothing half written is left of the others.
#[test]
fn what_cannot_take_its_place_leaves_no_drafts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("part2.gdl")).unwrap();
    let game = root().join("kb/games/incredible.gdl");
    let output = run(&game, &["--out", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("part2.gdl: cannot be written"),
        "{message}"
    );
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with('.'), "{name} was left behind");
    }
}
