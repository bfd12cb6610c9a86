//! What each role can force is what naive iteration over an explicit graph says, on random small games of one to
//! four roles, turn-taking and simultaneous, with cycles and missing payoffs; and known values of sample games.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use flux::circuit::{Circuit, Evaluator, ground};
use flux::gdl::{Game, GoalValue, Reasoner, RoleId, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::search::versus::{
    Arena, Bounds, ForcingAlgorithm, ForcingOutcome, ForcingSetting, Gap, Rational, ValueTable,
    Worth, check, solve,
};
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};
use flux::workbench::Workbench;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::collection::root;

/// Random games; `FLUX_VERSUS_GAMES` sets another number.
const GAMES: u64 = 400;

/// The payoffs of random games.
const PAYOFFS: [u8; 3] = [0, 50, 100];

#[test]
fn values_are_those_of_naive_iteration() {
    let games = std::env::var("FLUX_VERSUS_GAMES").ok();
    let games = games.and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let (mut mixed, mut layered, mut certified, mut constant) = (0, 0, 0, 0);
    let mut decided = [0; 2];
    let (mut cyclic, mut unsuited) = (0, 0);
    for seed in 0..games {
        let table = Table::random(seed);
        let rules = table.rules();
        let naive = table.bounds();
        mixed += u64::from(naive.iter().any(|bounds| !bounds.is_exact()));
        for reasoner in [Kind::Circuit, Kind::Tabled] {
            for algorithm in [
                ForcingAlgorithm::Strong,
                ForcingAlgorithm::Auto,
                ForcingAlgorithm::Retrograde,
            ] {
                let outcome = outcome(&rules, algorithm, reasoner);
                assert_eq!(outcome.halt, None, "{seed} {algorithm:?}\n{rules}");
                assert_eq!(outcome.bounds, naive, "{seed} {algorithm:?}\n{rules}");
                assert_eq!(outcome.gap, None, "{seed} {algorithm:?}\n{rules}");
            }
        }
        let layers = outcome(&rules, ForcingAlgorithm::Layers, Kind::Circuit);
        match layers.gap {
            None => {
                assert_eq!(layers.bounds, naive, "{seed} layers\n{rules}");
                layered += 1;
            }
            Some(gap) => assert_eq!(gap, Gap::NoLayers, "{seed} layers\n{rules}"),
        }
        let replies = outcome(&rules, ForcingAlgorithm::Replies, Kind::Circuit);
        for (found, naive) in replies.bounds.iter().zip(&naive) {
            assert!(found.at_least <= naive.at_least, "{seed} replies\n{rules}");
            assert!(found.at_most >= naive.at_most, "{seed} replies\n{rules}");
        }
        constant += replies.constants.len() as u64;
        certified += certify(&rules, (seed, ForcingAlgorithm::Auto));
        for (algorithm, decided) in [ForcingAlgorithm::Proof, ForcingAlgorithm::AlphaBeta]
            .into_iter()
            .zip(&mut decided)
        {
            certify(&rules, (seed, algorithm));
            let weak = outcome(&rules, algorithm, Kind::Circuit);
            // What such a search does not decide it leaves open.
            for (found, naive) in weak.bounds.iter().zip(&naive) {
                assert!(
                    found.at_least <= naive.at_least,
                    "{seed} {algorithm:?}\n{rules}"
                );
                assert!(
                    found.at_most >= naive.at_most,
                    "{seed} {algorithm:?}\n{rules}"
                );
            }
            match weak.gap {
                None => {
                    let forced = weak.bounds.iter().map(|bounds| bounds.at_least);
                    let naive = naive.iter().map(|bounds| bounds.at_least);
                    assert!(forced.eq(naive), "{seed} {algorithm:?}\n{rules}");
                    assert!(weak.is_forced, "{seed} {algorithm:?}\n{rules}");
                    *decided += 1;
                }
                Some(Gap::Cycles) => cyclic += 1,
                Some(Gap::Unsuited) => unsuited += 1,
                Some(gap) => panic!("{seed}: {gap:?}\n{rules}"),
            }
        }
    }
    let [proofs, alpha_beta] = decided;
    for (number, what) in [
        (proofs, "decided by proof-number search"),
        (alpha_beta, "decided by alpha-beta search"),
        (cyclic, "left open by cycles"),
        (unsuited, "not for alpha-beta search"),
        (mixed, "of open value"),
        (layered, "solved by layers"),
        (certified, "certified"),
        (constant, "bounded by constant moves"),
    ] {
        assert!(number * 20 >= games, "only {number} of {games} {what}");
    }
}

#[test]
fn sample_games_have_their_known_values() {
    let report = |game: &str, options: &[&str]| {
        let (text, exit) = solved(game, options);
        assert_eq!(exit, Some(0), "{game}: {text}");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    for algorithm in ["auto", "proof", "alpha-beta"] {
        let options = ["--format", "json", "--algorithm", algorithm];
        let tic_tac_toe = report("tic_tac_toe", &options);
        assert_eq!(tic_tac_toe["proved"], true);
        for role in ["xplayer", "oplayer"] {
            assert_eq!(tic_tac_toe["values"][role]["at_least"], 50);
        }
        // 1 ⊕ 2 ⊕ 3 ⊕ 0 and the like: Bouton's sum of the sample's heaps is zero, so the second player wins.
        let nim = report("nim", &options);
        assert_eq!(nim["values"]["first"]["at_most"], 0);
        assert_eq!(nim["values"]["second"]["at_least"], 100);
    }
    for algorithm in ["retrograde", "layers"] {
        let options = ["--format", "json", "--algorithm", algorithm];
        let strong = report("tic_tac_toe", &options);
        assert_eq!(strong["positions"], 5478);
        assert_eq!(strong["won"], 2936);
        assert_eq!(strong["drawn"], 1068);
        assert_eq!(strong["kind"], "turn-taking constant-sum");
        assert_eq!(strong["line"].as_array().unwrap().len(), 9);
    }
}

/// Ten rounds in which four roles choose one of six numbers at once. Who has a number alone gets ten points, and whoever sees
/// the choice can copy it, so that nobody can force any.
const ALONE: &str = "
    (role a) (role b) (role c) (role d) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
    (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9) (after 9 10)
    (worth 0 0) (worth 1 10) (worth 2 20) (worth 3 30) (worth 4 40) (worth 5 50) (worth 6 60) (worth 7 70) (worth 8 80)
    (worth 9 90) (worth 10 100)
    (init (round 0)) (<= (init (won ?r 0)) (role ?r))
    (<= (legal ?r (take ?n)) (role ?r) (number ?n))
    (<= (shared ?r) (does ?r (take ?n)) (does ?s (take ?n)) (distinct ?r ?s))
    (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
    (<= (next (won ?r ?m)) (true (won ?r ?n)) (after ?n ?m) (not (shared ?r)))
    (<= (next (won ?r ?n)) (true (won ?r ?n)) (shared ?r))
    (<= terminal (true (round 10)))
    (<= (goal ?r ?v) (true (won ?r ?n)) (worth ?n ?v))";

#[test]
fn chains_of_many_joint_moves_are_followed_to_their_end() {
    let outcome = outcome(ALONE, ForcingAlgorithm::Proof, Kind::Circuit);
    assert_eq!((outcome.halt, outcome.gap), (None, None));
    assert!(outcome.is_forced && !outcome.kind.is_turn_taking);
    let forced = outcome.bounds.iter().map(|bounds| bounds.at_least);
    assert!(forced.eq([Worth::of(GoalValue(0)); 4]));
    // Ten nodes of 1,296 joint moves for each role, and few more: not the thousands of states of the first rounds.
    assert!(outcome.states < 2_000, "{} states", outcome.states);
}

#[test]
fn what_cannot_be_decided_is_said() {
    let (text, exit) = solved("roshambo", &["--algorithm", "alpha-beta"]);
    assert_eq!(exit, Some(2), "{text}");
    assert!(text.contains("one role at a time"), "{text}");
    let (text, exit) = solved("roshambo", &["--algorithm", "proof"]);
    assert_eq!(exit, Some(0), "{text}");
    assert!(
        text.contains("for certain; if it sees what the others choose"),
        "{text}"
    );
    let (text, exit) = solved("connect_four", &["--max-states", "1000"]);
    assert_eq!(exit, Some(2), "{text}");
    assert!(text.contains("limit of 1000"), "{text}");
    for (algorithm, name) in [
        ("alpha-beta", "alpha-beta search"),
        ("proof", "proof-number search"),
    ] {
        let options = ["--max-states", "1000", "--algorithm", algorithm];
        let (text, exit) = solved("connect_four", &options);
        assert_eq!(exit, Some(2), "{text}");
        assert!(text.contains(&format!("expanded states, {name}")), "{text}");
    }
    let (text, exit) = solved("incredible", &["--strong"]);
    assert_eq!(exit, Some(3), "{text}");
    let (text, exit) = solved("tic_tac_toe", &["--algorithm", "greedy"]);
    assert_eq!(exit, Some(3), "{text}");
}

#[test]
fn another_state_than_the_first_has_its_own_value() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moves.jsonl");
    // The second player answers a corner with a side, which loses.
    let moves = concat!(
        "{\"xplayer\": \"(mark 1 1)\", \"oplayer\": \"noop\"}\n",
        "{\"xplayer\": \"noop\", \"oplayer\": \"(mark 1 2)\"}\n",
    );
    std::fs::write(&file, moves).unwrap();
    let file = file.to_str().unwrap();
    let (text, exit) = solved("tic_tac_toe", &["--format", "json", "--moves", file]);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["values"]["xplayer"]["at_least"], 100);
    assert_eq!(report["values"]["oplayer"]["at_most"], 0);
}

/// Own sheets of games whose winners are known, and whether the first player is one.
const KNOWN: [(&str, u8); 6] = [
    ("breakthrough_3x4", 0),
    ("chomp_4x7", 100),
    ("dawsons_kayles_9", 0),
    ("domineering_4x4", 100),
    ("hex_3x3", 100),
    ("kayles_5_9", 0),
];

#[test]
fn known_games_are_won_by_whom_they_should() {
    for (game, value) in KNOWN {
        // A move of these two fills one cell, or covers two.
        let layers = matches!(game, "hex_3x3" | "domineering_4x4").then_some("layers");
        let others = ["proof", "alpha-beta", "retrograde"].into_iter();
        for algorithm in others.chain(layers) {
            let options = ["--format", "json", "--algorithm", algorithm];
            let (text, exit) = solved(&format!("versus/{game}"), &options);
            assert_eq!(exit, Some(0), "{game}: {text}");
            let report: Value = serde_json::from_str(&text).unwrap();
            let values: Vec<&Value> = report["values"].as_object().unwrap().values().collect();
            assert_eq!(values[0]["at_least"], value, "{game} by {algorithm}");
            assert_eq!(values[1]["at_most"], 100 - value, "{game} by {algorithm}");
        }
    }
}

/// 3,945,711 positions are published; by layers and without symmetries found, the graph has the same.
#[test]
fn positions_of_connect_four_are_as_many_as_published() {
    let options = ["--format", "json", "--algorithm", "layers"];
    let (text, exit) = solved("versus/connect_four_5x4", &options);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["positions"], 3_945_711);
    assert_eq!(report["won"], 1_372_788);
    assert_eq!(report["lost"], 1_269_287);
}

/// Moves that bring a role nearest to four in a row come first: 280,503 states, and 537,096 in the order of history alone.
#[test]
fn lines_order_moves() {
    let options = ["--format", "json", "--algorithm", "alpha-beta"];
    let (text, exit) = solved("versus/connect_four_5x4", &options);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["values"]["red"]["at_least"], 50);
    let states = report["states"].as_u64().unwrap();
    assert!(states < 400_000, "{states} states");
}

#[test]
fn nim_is_won_as_bouton_says() {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..NIM_POSITIONS {
        let heaps: Vec<u32> = (0..random.random_range(1..=3))
            .map(|_| random.random_range(0..=5))
            .collect();
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        let outcome = outcome(&nim(&heaps), ForcingAlgorithm::Auto, Kind::Circuit);
        let expected = Worth::of(GoalValue(if sum == 0 { 0 } else { 100 }));
        assert_eq!(outcome.bounds[0].at_least, expected, "{heaps:?}");
        assert_eq!(outcome.bounds[0].at_most, expected, "{heaps:?}");
    }
}

/// Positions of nim.
const NIM_POSITIONS: usize = 200;

/// Nim with heaps of so many pieces: whoever takes the last one wins.
fn nim(heaps: &[u32]) -> String {
    let mut rules = "(role first) (role second) (init (control first)) (heap none 0)
        (other first second) (other second first)
        (<= (legal ?p (leave ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (less ?n ?m))
        (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (touched ?h) (does ?p (leave ?h ?n)))
        (<= (next (heap ?h ?n)) (does ?p (leave ?h ?n)))
        (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= some (true (heap ?h ?m)) (less 0 ?m))
        (<= terminal (not some))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?p 100) (true (control ?q)) (other ?q ?p))"
        .to_owned();
    for (place, heap) in heaps.iter().enumerate() {
        rules += &format!("(init (heap h{place} {heap}))\n");
    }
    for more in 1..=7 {
        for less in 0..more {
            rules += &format!("(less {less} {more})\n");
        }
    }
    rules
}

#[test]
fn every_legal_move_has_its_value() {
    let (text, exit) = solved("nim", &["--format", "json", "--all"]);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    let moves = report["moves"].as_array().unwrap();
    // Heaps of 1, 3, 5 and 7: as many moves as pieces, and none wins.
    assert_eq!(moves.len(), 16);
    for mv in moves {
        assert_eq!(mv["values"]["second"]["at_least"], 100, "{mv}");
    }
}

#[test]
fn mixed_strategies_are_exact() {
    let (text, exit) = solved("roshambo", &["--format", "json"]);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["proved"], true);
    let mixed = &report["mixed"];
    for value in mixed["values"].as_object().unwrap().values() {
        assert_eq!(value, "50");
    }
    for strategy in mixed["strategies"].as_object().unwrap().values() {
        let parts: Vec<&Value> = strategy.as_object().unwrap().values().collect();
        assert_eq!(parts, ["1/3", "1/3", "1/3"]);
    }
}

#[test]
fn certificates_are_checked_by_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.jsonl");
    let path = file.to_str().unwrap();
    for (game, algorithm) in [
        ("tic_tac_toe", "proof"),
        ("tic_tac_toe", "alpha-beta"),
        ("tic_tac_toe", "layers"),
        ("nim", "retrograde"),
        ("versus/kayles_5_9", "proof"),
        ("versus/kayles_5_9", "alpha-beta"),
    ] {
        let options = ["--algorithm", algorithm, "--certificate", path];
        let (text, exit) = solved(game, &options);
        assert_eq!(exit, Some(0), "{game}: {text}");
        let (text, exit) = solved(game, &["--check", path]);
        assert_eq!(exit, Some(0), "{game}: {text}");
        assert!(text.contains(": proved in "), "{game}: {text}");
    }
    let (text, exit) = solved("versus/chomp_4x7", &["--check", path]);
    assert_eq!(exit, Some(3), "{text}");
    assert!(text.contains("another game"), "{text}");
    let certificate = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = certificate.lines().collect();
    std::fs::write(&file, lines[..lines.len() / 2].join("\n")).unwrap();
    let (text, exit) = solved("versus/kayles_5_9", &["--check", path]);
    assert_eq!(exit, Some(1), "{text}");
    assert!(text.contains("says nothing of the state"), "{text}");
    let cut = certificate.len() - certificate.len() / 3;
    std::fs::write(&file, &certificate.as_bytes()[..cut]).unwrap();
    let (text, exit) = solved("versus/kayles_5_9", &["--check", path]);
    assert_eq!(exit, Some(3), "{text}");
    std::fs::write(&file, certificate.replacen("(fell ", "(fall ", 1)).unwrap();
    let (text, exit) = solved("versus/kayles_5_9", &["--check", path]);
    assert_eq!(exit, Some(1), "{text}");
    assert!(text.contains("is not legal for"), "{text}");
}

/// A fluent that is next exactly what a move is has no gate of its own.
#[test]
fn a_fluent_may_be_next_what_a_move_is() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("choice.kif");
    let rules = "(role r) (role o) (init start)
        (<= (legal r (choose 1)) (true start)) (<= (legal r (choose 2)) (true start)) (legal o wait)
        (<= (next (chosen ?n)) (does r (choose ?n)))
        (<= terminal (true (chosen ?n)))
        (<= (goal r 100) (true (chosen 2))) (<= (goal r 0) (true (chosen 1)))
        (<= (goal o 0) (true (chosen 2))) (<= (goal o 100) (true (chosen 1)))";
    std::fs::write(&game, rules).unwrap();
    for algorithm in ["proof", "alpha-beta", "retrograde", "layers"] {
        let (text, exit) = solved_file(&game, &["--algorithm", algorithm]);
        assert_eq!(exit, Some(0), "{algorithm}: {text}");
        assert!(text.contains("r can force 100"), "{algorithm}: {text}");
    }
}

/// Terms that a message would cut short stand in a certificate as they are.
#[test]
fn certificates_hold_long_terms() {
    let folder = tempfile::tempdir().unwrap();
    let long = |name: &str| format!("{name}_{}", "x".repeat(300));
    let (role, other, fluent, mv) = (long("role"), long("other"), long("fluent"), long("move"));
    let rules = format!(
        "(role {role}) (role {other}) (init ({fluent} 1))
        (legal {role} ({mv} 1)) (legal {role} ({mv} 2)) (legal {other} wait)
        (<= (next ({fluent} 3)) (does {role} ({mv} 1)))
        (<= (next ({fluent} 2)) (does {role} ({mv} 2)))
        (<= terminal (true ({fluent} 2))) (<= terminal (true ({fluent} 3)))
        (<= (goal {role} 100) (true ({fluent} 2))) (<= (goal {role} 0) (true ({fluent} 3)))
        (<= (goal {other} 0) (true ({fluent} 2))) (<= (goal {other} 100) (true ({fluent} 3)))"
    );
    let game = folder.path().join("long.kif");
    std::fs::write(&game, rules).unwrap();
    let file = folder.path().join("certificate.jsonl");
    let path = file.to_str().unwrap();
    let (text, exit) = solved_file(&game, &["--algorithm", "proof", "--certificate", path]);
    assert_eq!(exit, Some(0), "{text}");
    let certificate = std::fs::read_to_string(&file).unwrap();
    assert!(!certificate.contains(" ..."), "{certificate}");
    let (text, exit) = solved_file(&game, &["--check", path]);
    assert_eq!(exit, Some(0), "{text}");
    assert!(text.contains("can force 100: proved in "), "{text}");
}

/// What is said on standard error ends with one line break.
#[test]
fn a_table_that_is_not_written_is_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.table");
    let options = ["--max-states", "10", "--save", file.to_str().unwrap()];
    let (text, exit) = solved("tic_tac_toe", &options);
    assert_eq!(exit, Some(2), "{text}");
    let told = "was not written: the values of all states are not known\nerror: ";
    assert!(text.contains(told), "{text}");
    assert!(!file.exists());
}

#[test]
fn tables_say_what_searches_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.table");
    let path = file.to_str().unwrap();
    for (game, algorithm) in [
        ("tic_tac_toe", "layers"),
        ("tic_tac_toe", "retrograde"),
        ("nim", "auto"),
        ("roshambo", "auto"),
        ("versus/kayles_5_9", "auto"),
    ] {
        let (text, exit) = solved(game, &["--algorithm", algorithm, "--save", path]);
        assert_eq!(exit, Some(0), "{game}: {text}");
        let reports = [&["--with", path][..], &["--strong"]].map(|how| {
            let (text, exit) = solved(game, &[how, &["--all", "--format", "json"]].concat());
            assert_eq!(exit, Some(0), "{game}: {text}");
            serde_json::from_str::<Value>(&text).unwrap()
        });
        for field in ["values", "kind", "moves"] {
            assert_eq!(reports[0][field], reports[1][field], "{game}: {field}");
        }
    }
    let refused = |bytes: &[u8], game: &str, reason: &str| {
        std::fs::write(&file, bytes).unwrap();
        let (text, exit) = solved(game, &["--with", path]);
        assert_eq!(exit, Some(3), "{text}");
        assert!(text.contains(reason), "{text}");
    };
    let whole = std::fs::read(&file).unwrap();
    refused(&whole, "versus/chomp_4x7", "a table of another game");
    refused(b"(role r)", "versus/kayles_5_9", "not a table of values");
    for length in [whole.len() / 2, whole.len() - 1] {
        refused(&whole[..length], "versus/kayles_5_9", "is damaged");
    }
    let mut other = whole.clone();
    let at = other.len() - 20;
    other[at] ^= 1;
    refused(&other, "versus/kayles_5_9", "is damaged");
    let other = String::from_utf8_lossy(&whole).replacen("flux table 1", "flux table 9", 1);
    refused(
        other.as_bytes(),
        "versus/kayles_5_9",
        "of the version \"flux table 9\"",
    );
}

#[test]
fn tables_of_random_games_are_read_back() {
    for seed in 0..60 {
        let table = Table::random(seed);
        let rules = table.rules();
        let mut game = Workbench::read(&rules).unwrap();
        let start = game.initial_state().unwrap();
        let values = game.value_table(start.clone()).unwrap().unwrap();
        assert_eq!(
            values.find(&start),
            Some(&*table.bounds()),
            "{seed}\n{rules}"
        );
        let parts = game.parts();
        let bytes = values.to_bytes(parts.game, parts.vocabulary);
        let read = ValueTable::from_bytes(&bytes, parts.game, parts.vocabulary);
        assert_eq!(read, Ok(values), "{seed}\n{rules}");
    }
}

/// What `flux solve` prints for a sample game, on both streams; and its exit code.
fn solved(game: &str, options: &[&str]) -> (String, Option<i32>) {
    let game = root().join(format!("kb/games/{game}.gdl"));
    solved_file(&game, options)
}

pub(crate) fn solved_file(game: &Path, options: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("solve")
        .arg(game)
        .args(options)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code())
}

/// The value of a goal is computed by a rule: only those that it computes are asked for.
#[test]
fn payoffs_are_those_of_the_grounded_rules() {
    let rules = "
        (role one) (role other) (pays heads 25) (pays tails 75) (pays edge 100)
        (<= (legal one (show ?s)) (pays ?s ?v) (distinct ?s edge))
        (legal other wait)
        (<= (next (shown ?s)) (does one (show ?s)))
        (<= terminal (true (shown ?s)))
        (<= (goal one ?v) (true (shown ?s)) (pays ?s ?v))
        (<= (goal other ?v) (true (shown ?s)) (pays ?s ?w) (rest ?w ?v))
        (rest 25 75) (rest 75 25)";
    let (game, mut vocabulary) = read(rules);
    let circuit = Some(circuit_of(&game, &mut vocabulary));
    let mut reasoner = game.tabled(&mut vocabulary, Limits::default()).unwrap();
    let start = reasoner.initial_state(&mut vocabulary).unwrap();
    let setting = ForcingSetting::new(&game, &mut vocabulary, start.clone(), circuit);
    assert_eq!(setting.values, [25, 75].map(GoalValue));
    // Without a circuit all are possible.
    let setting = ForcingSetting::new(&game, &mut vocabulary, start, None);
    assert_eq!(setting.values.len(), 101);
}

/// Rock, paper, scissors in the last of some rounds; where both choose the same, the first round tells who has won.
fn remembered_rounds(rounds: usize) -> String {
    let after: String = (0..rounds)
        .map(|round| format!("(after {round} {})", round + 1))
        .collect();
    let last = rounds - 1;
    format!(
        "(role left) (role right) (beats rock scissors) (beats scissors paper) (beats paper rock) {after}
        (init (round 0))
        (<= (legal ?r ?m) (role ?r) (beats ?m ?other))
        (<= (next (round ?n)) (true (round ?m)) (after ?m ?n))
        (<= (next (chose ?r ?n ?m)) (does ?r ?m) (true (round ?n)))
        (<= (next (chose ?r ?n ?m)) (true (chose ?r ?n ?m)))
        (<= terminal (true (round {rounds})))
        (<= (better ?n ?r) (true (chose ?r ?n ?m)) (true (chose ?o ?n ?k)) (beats ?m ?k))
        (<= tied (true (round {rounds})) (not (better {last} left)) (not (better {last} right)))
        (<= (won ?r) (better {last} ?r))
        (<= (won ?r) tied (better 0 ?r))
        (<= (goal ?r 100) (won ?r))
        (<= (goal ?r 0) (role ?r) (won ?o) (distinct ?o ?r))
        (<= (goal ?r 50) (role ?r) (not (won left)) (not (won right)))"
    )
}

/// Where there are more stages than are solved one by one, roles that can be exchanged get half each; not in a state that
/// favours one of them.
#[test]
fn equal_roles_get_half_of_a_constant_sum() {
    let texts = |values: &[Rational]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
    let rules = remembered_rounds(5);
    let equal = outcome(&rules, ForcingAlgorithm::Retrograde, Kind::Circuit);
    let equal = equal.mixed.unwrap();
    assert_eq!(texts(&equal.values), ["50", "50"]);
    assert!(equal.strategies.is_empty());
    let (game, mut vocabulary) = read(&remembered_rounds(6));
    let circuit = circuit_of(&game, &mut vocabulary);
    let stop = Limits::default().stop;
    let mut reasoner = Evaluator::new(Arc::clone(&circuit), &mut vocabulary, stop);
    let start = reasoner.initial_state(&mut vocabulary).unwrap();
    // Two that are not the same: one of them is better.
    let mut joint = Vec::new();
    for role in 0..2 {
        let mut legal = Vec::new();
        let of = RoleId(role);
        reasoner
            .legal_moves(&mut vocabulary, &start, of, &mut legal)
            .unwrap();
        joint.push(legal[role as usize]);
    }
    let start = reasoner.successor(&mut vocabulary, &start, &joint).unwrap();
    let setting = ForcingSetting::new(&game, &mut vocabulary, start, Some(circuit));
    let arena = Arena::new(&mut reasoner, &mut vocabulary, setting);
    let ahead = solve(arena, ForcingAlgorithm::Retrograde).mixed.unwrap();
    let mut values = texts(&ahead.values);
    values.sort();
    assert_eq!(values, ["100/3", "200/3"]);
}

/// Checks the strategies of all roles by the rules; gives the number of games with one.
pub(crate) fn certify(rules: &str, (seed, algorithm): (u64, ForcingAlgorithm)) -> u64 {
    let (game, mut vocabulary) = read(rules);
    let limits = Limits::default();
    let circuit = circuit_of(&game, &mut vocabulary);
    let reasoner = Evaluator::new(Arc::clone(&circuit), &mut vocabulary, limits.stop.clone());
    let with_circuit = (reasoner, Some(circuit));
    let outcome = solved_by(with_circuit, &game, &mut vocabulary, algorithm);
    let mut tabled = game.tabled(&mut vocabulary, limits).unwrap();
    let start = tabled.initial_state(&mut vocabulary).unwrap();
    for strategy in &outcome.strategies {
        let roles = game.roles().len();
        let states = check(&mut tabled, &mut vocabulary, &start, (strategy, roles));
        assert!(states.is_ok(), "{seed} {strategy:?} {states:?}\n{rules}");
    }
    u64::from(!outcome.strategies.is_empty())
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Circuit,
    Tabled,
}

fn read(rules: &str) -> (Game, Vocabulary) {
    let source = Source::new("table", rules.to_owned());
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    assert!(!sheet.has_errors(), "{:?}\n{rules}", sheet.diagnostics);
    let limits = Limits::default();
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    (game, Vocabulary::new(store))
}

fn circuit_of(game: &Game, vocabulary: &mut Vocabulary) -> Arc<Circuit> {
    let (store, limits) = (vocabulary.store_mut(), Limits::default());
    let program = ground::ground(game, store, &limits, ground::MAX_RULES).unwrap();
    Arc::new(Circuit::new(store, &program, game.roles().len()).unwrap())
}

pub(crate) fn outcome(rules: &str, algorithm: ForcingAlgorithm, kind: Kind) -> ForcingOutcome {
    let (game, mut vocabulary) = read(rules);
    let limits = Limits::default();
    match kind {
        Kind::Circuit => {
            let circuit = circuit_of(&game, &mut vocabulary);
            let stop = limits.stop.clone();
            let reasoner = Evaluator::new(Arc::clone(&circuit), &mut vocabulary, stop);
            solved_by((reasoner, Some(circuit)), &game, &mut vocabulary, algorithm)
        }
        Kind::Tabled => {
            let reasoner = game.tabled(&mut vocabulary, limits).unwrap();
            solved_by((reasoner, None), &game, &mut vocabulary, algorithm)
        }
    }
}

fn solved_by<R: Reasoner>(
    (mut reasoner, circuit): (R, Option<Arc<Circuit>>),
    game: &Game,
    vocabulary: &mut Vocabulary,
    algorithm: ForcingAlgorithm,
) -> ForcingOutcome {
    let start = reasoner.initial_state(vocabulary).unwrap();
    let setting = ForcingSetting {
        is_certified: true,
        ..ForcingSetting::new(game, vocabulary, start, circuit)
    };
    solve(Arena::new(&mut reasoner, vocabulary, setting), algorithm)
}

/// A random game as the table of its states; the first is where it starts.
pub(crate) struct Table {
    roles: usize,
    states: Vec<Row>,
}

/// A state.
enum Row {
    /// The payoff of each role, if it has one.
    End(Vec<Option<u8>>),
    /// The number of moves of each role, and where joint moves lead, the last role's move changing first.
    Open(Vec<usize>, Vec<usize>),
}

impl Table {
    /// Games whose seed is even have no cycles, and if it is divisible by four, they go on in steps; those whose seed is
    /// divisible by three have joint choices.
    pub(crate) fn random(seed: u64) -> Self {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let roles = random.random_range(1..=4);
        let number = random.random_range(4..=24);
        let states = (0..number).map(|at| {
            let is_last = at + 1 == number || (seed.is_multiple_of(4) && at / 4 >= number / 4);
            if is_last || (at > 0 && random.random_range(0..4) == 0) {
                let payoffs = (0..roles).map(|_| {
                    let is_given = random.random_range(0..12) > 0;
                    is_given.then(|| PAYOFFS[random.random_range(0..3)])
                });
                return Row::End(payoffs.collect());
            }
            let chooses = random.random_range(0..roles);
            let mut choices = vec![1; roles];
            for (role, own) in choices.iter_mut().enumerate() {
                if role == chooses || seed.is_multiple_of(3) {
                    *own = random.random_range(1..=3);
                }
            }
            let joint = choices.iter().product::<usize>();
            let after =
                (0..joint).map(|_| match (seed.is_multiple_of(2), seed.is_multiple_of(4)) {
                    // Each step has four states.
                    (_, true) if at / 4 + 1 < number / 4 => {
                        (at / 4 + 1) * 4 + random.random_range(0..4)
                    }
                    (_, true) => number - 1,
                    (true, false) => random.random_range(at + 1..number),
                    (false, false) => random.random_range(0..number),
                });
            let after = after.collect();
            Row::Open(choices, after)
        });
        let states = states.collect();
        Self { roles, states }
    }

    /// The moves of all roles in a joint move.
    fn moves(choices: &[usize], mut joint: usize) -> Vec<usize> {
        let mut moves: Vec<usize> = choices
            .iter()
            .rev()
            .map(|own| {
                let mv = joint % own;
                joint /= own;
                mv
            })
            .collect();
        moves.reverse();
        moves
    }

    pub(crate) fn rules(&self) -> String {
        let mut rules: String = (0..self.roles)
            .map(|role| format!("(role r{role})\n"))
            .collect();
        rules += "(init (at s0))\n(<= terminal (true (at ?s)) (end ?s))\n";
        rules += "(<= (legal ?r ?m) (true (at ?s)) (may ?s ?r ?m))\n";
        rules += "(<= (goal ?r ?v) (true (at ?s)) (pays ?s ?r ?v))\n(pays nowhere r0 0)\n";
        let does: Vec<String> = (0..self.roles)
            .map(|role| format!("(does r{role} ?m{role})"))
            .collect();
        let moves: Vec<String> = (0..self.roles).map(|role| format!("?m{role}")).collect();
        let (does, moves) = (does.join(" "), moves.join(" "));
        rules += &format!("(<= (next (at ?t)) (true (at ?s)) {does} (leads ?s {moves} ?t))\n");
        for (at, row) in self.states.iter().enumerate() {
            match row {
                Row::End(payoffs) => {
                    rules += &format!("(end s{at})\n");
                    for (role, payoff) in payoffs.iter().enumerate() {
                        if let Some(payoff) = payoff {
                            rules += &format!("(pays s{at} r{role} {payoff})\n");
                        }
                    }
                }
                Row::Open(choices, after) => {
                    for (role, own) in choices.iter().enumerate() {
                        for mv in 0..*own {
                            rules += &format!("(may s{at} r{role} m{mv})\n");
                        }
                    }
                    for (joint, to) in after.iter().enumerate() {
                        let moves = Self::moves(choices, joint).into_iter();
                        let moves: Vec<String> = moves.map(|mv| format!("m{mv}")).collect();
                        rules += &format!("(leads s{at} {} s{to})\n", moves.join(" "));
                    }
                }
            }
        }
        rules
    }

    /// What each role can force from the first state.
    fn bounds(&self) -> Vec<Bounds> {
        let bounds = (0..self.roles).map(|role| {
            let best = |role_first: bool| {
                let payoffs = PAYOFFS.into_iter().rev();
                let forced = payoffs
                    .map(GoalValue)
                    .find(|&v| self.forces(role, v, role_first));
                forced.map_or(Worth::NONE, Worth::of)
            };
            Bounds {
                at_least: best(true),
                at_most: best(false),
            }
        });
        bounds.collect()
    }

    /// Whether a role can force a payoff from the first state: the least set that contains the ends that pay it, and
    /// every state from which the role can enter the set.
    fn forces(&self, role: usize, value: GoalValue, role_first: bool) -> bool {
        let mut set = vec![false; self.states.len()];
        loop {
            let grown: Vec<bool> = self
                .states
                .iter()
                .map(|row| self.enters(row, (role, value, role_first), &set))
                .collect();
            if grown == set {
                return set[0];
            }
            set = grown;
        }
    }

    fn enters(
        &self,
        row: &Row,
        (role, value, role_first): (usize, GoalValue, bool),
        set: &[bool],
    ) -> bool {
        let (choices, after) = match row {
            Row::End(payoffs) => return payoffs[role].is_some_and(|payoff| payoff >= value.0),
            Row::Open(choices, after) => (choices, after),
        };
        // By own move and the moves of the others, whether they lead into the set.
        let mut others: Vec<Vec<usize>> = Vec::new();
        let mut leads = Vec::new();
        for (joint, &to) in after.iter().enumerate() {
            let mut moves = Self::moves(choices, joint);
            let own = moves.remove(role);
            let place = others
                .iter()
                .position(|known| *known == moves)
                .unwrap_or_else(|| {
                    others.push(moves);
                    others.len() - 1
                });
            leads.push((own, place, set[to]));
        }
        let into = |own, place| {
            leads
                .iter()
                .any(|&(o, p, is_in)| (o, p) == (own, place) && is_in)
        };
        if role_first {
            (0..choices[role]).any(|own| (0..others.len()).all(|place| into(own, place)))
        } else {
            (0..others.len()).all(|place| (0..choices[role]).any(|own| into(own, place)))
        }
    }
}

/// Sums of random parts.
const SUMS: u64 = 60;

#[test]
fn sums_are_worth_what_naive_search_says() {
    let sums = std::env::var("FLUX_VERSUS_SUMS").ok();
    let sums = sums.and_then(|text| text.parse().ok()).unwrap_or(SUMS);
    let (mut solved, mut won) = (0, 0);
    for seed in 0..sums {
        let sum = SumGame::random(seed);
        let rules = sum.rules();
        let outcome = outcome(&rules, ForcingAlgorithm::Parts, Kind::Circuit);
        if sum.fault == Fault::None && outcome.gap.is_none() {
            let is_won = sum.is_won(&sum.start(), 0, &mut HashMap::new());
            let value = Worth::of(GoalValue(if is_won { 100 } else { 0 }));
            assert_eq!(outcome.bounds[0].at_least, value, "{seed}\n{rules}");
            assert_eq!(outcome.bounds[0].at_most, value, "{seed}\n{rules}");
            assert!(outcome.bounds[1].is_exact(), "{seed}\n{rules}");
            assert!(outcome.line_ends, "{seed}\n{rules}");
            assert!(
                certify(&rules, (seed, ForcingAlgorithm::Parts)) > 0,
                "{seed}"
            );
            solved += 1;
            won += u64::from(is_won);
        } else if outcome.gap.is_none() {
            // What is no such sum has its own value, if it is valued at all.
            let whole = self::outcome(&rules, ForcingAlgorithm::Retrograde, Kind::Circuit);
            assert_eq!(outcome.bounds, whole.bounds, "{seed}\n{rules}");
        }
    }
    assert!(solved * 3 >= sums, "only {solved} of {sums} by parts");
    assert!(won > 0 && won < solved, "{won} of {solved} won");
}

/// What keeps a game from being a sum in which whoever cannot move loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// Whoever cannot move wins.
    Misere,
    /// The game is over when the first part is left.
    Early,
    /// The first part can be started anew by a move in the second one.
    Joined,
    /// A part has a cycle.
    Cyclic,
}

/// Random parts side by side: tokens on graphs, of which the role whose turn it is moves one.
struct SumGame {
    fault: Fault,
    /// By part, the moves: role, from, to.
    parts: Vec<Vec<(usize, usize, usize)>>,
}

impl SumGame {
    fn random(seed: u64) -> Self {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let faults = [Fault::Misere, Fault::Early, Fault::Joined, Fault::Cyclic];
        let fault = match random.random_range(0..8usize) {
            number if number < faults.len() => faults[number],
            _ => Fault::None,
        };
        let is_impartial = random.random_bool(0.4);
        let parts = (0..random.random_range(2..=4)).map(|_| {
            let nodes = random.random_range(2..=5);
            let mut moves = vec![(0, 0, 1), (1, 0, 1)];
            for from in 0..nodes {
                for to in from + 1..nodes {
                    let kind = random.random_range(0..4);
                    let roles: &[usize] = match kind {
                        0 => &[],
                        _ if is_impartial => &[0, 1],
                        1 => &[0],
                        2 => &[1],
                        _ => &[0, 1],
                    };
                    moves.extend(roles.iter().map(|&role| (role, from, to)));
                }
            }
            if fault == Fault::Cyclic {
                moves.push((0, 1, 0));
            }
            moves.sort_unstable();
            moves.dedup();
            moves
        });
        let parts = parts.collect();
        Self { fault, parts }
    }

    fn rules(&self) -> String {
        let (loser, winner) = if self.fault == Fault::Misere {
            (100, 0)
        } else {
            (0, 100)
        };
        let mut rules = format!(
            "(role r0) (role r1) (other r0 r1) (other r1 r0) (init (control r0))
            (<= (room ?r ?p ?y) (true (at ?p ?x)) (move ?r ?p ?x ?y))
            (<= (legal ?r (go ?p ?y)) (true (control ?r)) (room ?r ?p ?y))
            (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
            (<= (left ?p) (does ?r (go ?p ?y)))
            (<= (next (at ?p ?y)) (does ?r (go ?p ?y)))
            (<= (next (at ?p ?x)) (true (at ?p ?x)) (not (left ?p)))
            (<= (next (control ?r)) (true (control ?q)) (other ?q ?r))
            (<= can (true (control ?r)) (room ?r ?p ?y))
            (<= terminal (not can))
            (<= (goal ?r {loser}) (true (control ?r)))
            (<= (goal ?r {winner}) (true (control ?q)) (other ?q ?r))\n"
        );
        if self.fault == Fault::Early {
            rules += "(<= terminal (not (true (at p0 0))))\n";
        }
        if self.fault == Fault::Joined {
            rules += "(<= (next (at p0 0)) (does ?r (go p1 1)))\n";
        }
        for (part, moves) in self.parts.iter().enumerate() {
            rules += &format!("(init (at p{part} 0))\n");
            for (role, from, to) in moves {
                rules += &format!("(move r{role} p{part} {from} {to})\n");
            }
        }
        rules
    }

    fn start(&self) -> Vec<usize> {
        vec![0; self.parts.len()]
    }

    fn is_won(
        &self,
        state: &[usize],
        mover: usize,
        known: &mut HashMap<(Vec<usize>, usize), bool>,
    ) -> bool {
        if let Some(&known) = known.get(&(state.to_vec(), mover)) {
            return known;
        }
        let mut is_won = false;
        for (part, moves) in self.parts.iter().enumerate() {
            for &(_, _, to) in moves
                .iter()
                .filter(|&&(role, from, _)| role == mover && from == state[part])
            {
                let mut next = state.to_vec();
                next[part] = to;
                is_won |= !self.is_won(&next, 1 - mover, known);
            }
        }
        known.insert((state.to_vec(), mover), is_won);
        is_won
    }
}

#[test]
fn large_sums_take_as_long_as_their_parts() {
    // 8⁹ · 2 states together, 8 · 9 in the parts; nine times seven, without carry, is seven.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nim.gdl");
    std::fs::write(&file, nim(&[7; 9])).unwrap();
    let (text, exit) = solved_file(&file, &["--format", "json", "--max-states", "20000"]);
    assert_eq!(exit, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["algorithm"], "values of parts");
    assert_eq!(report["values"]["first"]["at_least"], 100);
    for (game, exit) in [("versus/kayles_5_9", 0), ("tic_tac_toe", 2)] {
        let (text, found) = solved(game, &["--algorithm", "parts"]);
        assert_eq!(found, Some(exit), "{text}");
    }
}
