//! Strong solutions on several threads and processes are those of one, byte for byte, and go on after a process was killed.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use flux::search::versus::distributed::{Cluster, ClusterError};
use flux::search::versus::{ForcingAlgorithm, Gap};
use flux::workbench::Workbench;
use serde_json::Value;

use crate::collection::root;
use crate::versus::{Kind, Table, outcome};

/// Random games; `FLUX_VERSUS_GAMES` sets another number.
const GAMES: u64 = 200;

/// How long the first layers may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn random_games_are_worth_the_same_on_several_threads() {
    let games = std::env::var("FLUX_VERSUS_GAMES").ok();
    let games = games.and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let mut layered = 0;
    for seed in 0..games {
        let rules = Table::random(seed).rules();
        let one = outcome(&rules, ForcingAlgorithm::Layers, Kind::Circuit);
        let mut game = Workbench::read(&rules).unwrap();
        let start = game.initial_state().unwrap();
        let mut faults = None;
        for cluster in [
            Cluster::of_threads(1),
            Cluster::of_threads(3),
            // A table of few bytes is made in several passes.
            Cluster::of_threads(2).with_tables_of(20),
        ] {
            let all = game.strong_solution(start.clone(), &cluster).unwrap();
            assert_eq!(all.gap, one.gap, "{seed} {cluster:?}\n{rules}");
            assert_eq!(all.halt, None, "{seed} {cluster:?}\n{rules}");
            if one.gap == Some(Gap::NoLayers) {
                continue;
            }
            layered += 1;
            assert_eq!(all.bounds, one.bounds, "{seed} {cluster:?}\n{rules}");
            assert_eq!(all.tally, one.tally, "{seed} {cluster:?}\n{rules}");
            assert_eq!(all.induced, one.induced, "{seed} {cluster:?}\n{rules}");
            assert_eq!(all.kind, one.kind, "{seed} {cluster:?}\n{rules}");
            let lengths = [&all, &one].map(|found| found.line.as_ref().map(Vec::len));
            assert_eq!(lengths[0], lengths[1], "{seed} {cluster:?}\n{rules}");
            assert_eq!(all.faults.len(), one.faults.len(), "{seed}\n{rules}");
            // Which states show them does not depend on who finds them first.
            let first = faults.get_or_insert_with(|| all.faults.clone());
            assert_eq!(*first, all.faults, "{seed} {cluster:?}\n{rules}");
        }
    }
    assert!(layered * 20 >= games, "only {layered} layered of {games}");
}

#[test]
fn files_do_not_depend_on_the_number_of_workers() {
    let game = root().join("kb/games/tic_tac_toe.gdl");
    let mut kept: Vec<BTreeMap<String, Vec<u8>>> = Vec::new();
    for options in [
        &["--threads", "1"][..],
        &["--threads", "3"],
        &["--processes", "2"],
        &["--processes", "2", "--threads", "2"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let report = solved(&game, folder.path(), options);
        assert_eq!(report["positions"], 5478, "{options:?}");
        assert_eq!(report["won"], 2936, "{options:?}");
        assert_eq!(report["line"].as_array().unwrap().len(), 9, "{options:?}");
        kept.push(files(folder.path()));
        // All is there: what is computed again is nothing.
        let again = solved(&game, folder.path(), options);
        for key in ["positions", "won", "values", "line"] {
            assert_eq!(again[key], report[key], "{options:?}");
        }
    }
    assert!(kept[0].len() > 64 * 10);
    for other in &kept[1..] {
        assert!(*other == kept[0]);
    }
}

/// After each of some first moves, a directory says of all states that follow what a search says.
#[test]
fn a_directory_answers_as_a_search_does() {
    let game = root().join("kb/games/tic_tac_toe.gdl");
    let folder = tempfile::tempdir().unwrap();
    let (layers, moves) = (folder.path().join("layers"), folder.path().join("moves"));
    solved(&game, &layers, &[]);
    for (x, y) in [(1, 1), (2, 1), (2, 2), (3, 2)] {
        let joint = serde_json::json!({
            "xplayer": format!("(mark {x} {y})"), "oplayer": "noop"
        });
        std::fs::write(&moves, joint.to_string()).unwrap();
        let answers = [&["--with", layers.to_str().unwrap()][..], &["--strong"]].map(|how| {
            let output = Command::new(env!("CARGO_BIN_EXE_flux"))
                .arg("solve")
                .arg(&game)
                .args(how)
                .args(["--all", "--format", "json", "--moves"])
                .arg(&moves)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{said}");
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        });
        assert_eq!(answers[0]["moves"].as_array().unwrap().len(), 8);
        for field in ["values", "kind", "moves"] {
            assert_eq!(answers[0][field], answers[1][field], "{x} {y}: {field}");
        }
    }
}

#[test]
fn a_killed_process_costs_the_layer_that_it_was_at() {
    let game = root().join("kb/games/versus/connect_four_5x4.gdl");
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = addresses();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, format!("{first}\n{second}\n")).unwrap();
    let layers = folder.path().join("layers");
    let start = |process: &str| {
        flux(&game, &layers)
            .args(["--hosts", hosts.to_str().unwrap(), "--process", process])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let (one, mut other) = (start("0"), start("1"));
    await_file(&layers.join("008/00.codes"));
    other.kill().unwrap();
    other.wait().unwrap();
    let output = one.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // Where it was faster than the kill, there is nothing left to lose.
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("another process has ended"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let written = |layer: &str| {
        let file = layers.join(layer).join("00.codes");
        file.metadata().unwrap().modified().unwrap()
    };
    let before = written("005");

    let children = [start("0"), start("1")];
    for output in children.map(|child| Child::wait_with_output(child).unwrap()) {
        assert_eq!(output.status.code(), Some(0));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["positions"], 3_945_711);
        assert_eq!(report["won"], 1_372_788);
        assert_eq!(report["lost"], 1_269_287);
        assert_eq!(report["values"]["red"]["at_least"], 50);
    }
    assert_eq!(written("005"), before);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tic_tac_toe = root().join("kb/games/tic_tac_toe.gdl");
    let refused = |game: &Path, options: &[&str], reason: &str| {
        let output = flux(game, folder.path()).args(options).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(reason), "{said}");
    };
    solved(&tic_tac_toe, folder.path(), &[]);
    let chomp = root().join("kb/games/versus/hex_3x3.gdl");
    refused(&chomp, &[], "layers of another game or start");
    let file = folder.path().join("003/07.codes");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let checkpoint = folder.path().join("layers.json");
    let mut known: Value = serde_json::from_slice(&std::fs::read(&checkpoint).unwrap()).unwrap();
    known["evaluated"] = Value::Array(Vec::new());
    std::fs::write(&checkpoint, known.to_string()).unwrap();
    refused(&tic_tac_toe, &["--threads", "2"], "the file is damaged");
    std::fs::write(&checkpoint, "{").unwrap();
    refused(&tic_tac_toe, &[], "it does not say how far a solution is");
    refused(
        &tic_tac_toe,
        &["--processes", "33", "--threads", "2"],
        "more than 64",
    );
    refused(
        &tic_tac_toe,
        &["--processes", "2", "--moves", "-"],
        "cannot all read standard input",
    );
    refused(&tic_tac_toe, &["--all"], "are for --strong by layers alone");
    refused(
        &tic_tac_toe,
        &["--hosts", "nobody", "--process", "0"],
        "nobody",
    );

    let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl")).unwrap();
    let start = game.initial_state().unwrap();
    let [address, _] = addresses();
    let cluster = Cluster::of_threads(1).among(vec![address], 1);
    let error = game.strong_solution(start, &cluster).unwrap_err();
    assert!(matches!(error, ClusterError::Setting(_)), "{error}");
}

#[test]
fn processes_of_different_games_do_not_work_together() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = addresses();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, format!("{first}\n{second}\n")).unwrap();
    let start = |game: &str, process: &str| {
        let game = root().join(game);
        flux(&game, &folder.path().join(process))
            .args(["--hosts", hosts.to_str().unwrap(), "--process", process])
            .args(["--max-seconds", "60"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children = [
        start("kb/games/tic_tac_toe.gdl", "0"),
        start("kb/games/versus/hex_3x3.gdl", "1"),
    ];
    for output in children.map(|child| Child::wait_with_output(child).unwrap()) {
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("solves another game"), "{said}");
    }
}

fn flux(game: &Path, directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    command
        .arg("solve")
        .arg(game)
        .args(["--strong", "--format", "json", "--disk"])
        .arg(directory);
    command
}

fn solved(game: &Path, directory: &Path, options: &[&str]) -> Value {
    let output: Output = flux(game, directory).args(options).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{options:?} {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All files of a directory by path within it.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap();
                let name = name.to_str().unwrap().to_owned();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn await_file(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(
            began.elapsed() < PATIENCE,
            "{} is not there",
            path.display()
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Two addresses at which nobody listens.
fn addresses() -> [String; 2] {
    let listeners = [0; 2].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().to_string())
}
