//! What sample games are made of: reports in words and JSON, `tests/analysis/<game>.<form>.snap`;
//! what the papers say of them; and that the report does not depend on how the rules are written.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use flux::analysis::Formulas;
use flux::fluent::translate;
use flux::gdl::{Game, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::syntax::{Notation, Source};
use flux::term::{Case, Store};
use serde_json::Value;

use crate::collection::{material, root, sample_games};
use crate::random_game::{inlined, outlined, renamed, reordered, text};
use crate::rewriting::{prefix_rules, respelled, reversed, ruled, split};

fn analyze(game: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("analyze")
        .arg(game)
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn report(game: &Path, options: &[&str]) -> Value {
    let text = analyze(game, &[&["--format", "json"], options].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn reports_on_sample_games() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/analysis"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    for game in sample_games() {
        let name = game.file_stem().unwrap().to_string_lossy().into_owned();
        insta::assert_snapshot!(format!("{name}.text"), analyze(&game, &[]));
        insta::assert_json_snapshot!(
            format!("{name}.json"),
            report(&game, &["--level", "symbol"])
        );
    }
}

/// A fluent with variables is written out for all their values, but for more than can be gone through it is a leaf.
#[test]
fn fluents_with_many_instances_are_leaves() {
    for (arity, leaves) in [(3, 6 * 6 * 6 + 1), (8, 2)] {
        let variables: Vec<String> = (0..arity).map(|number| format!("?x{number}")).collect();
        let (all, zeros) = (variables.join(" "), vec!["0"; arity].join(" "));
        let mut rules = format!(
            "(role r) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5)
            (init (f {zeros})) (<= (legal r (set ?x)) (digit ?x))
            (<= (next (n ?x)) (does r (set ?x))) (<= (next (n ?x)) (true (n ?x)))
            (<= terminal (true (n 5))) (<= (goal r 100) (true (f {all})) (true (n 3)))"
        );
        for variable in &variables {
            let next = all.replace(variable, "?x");
            rules += &format!("(<= (next (f {next})) (true (f {all})) (does r (set ?x)))");
        }
        let source = Source::new("game", rules);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        assert!(!sheet.has_errors(), "{:?}", sheet.diagnostics);
        let limits = Limits::default();
        let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
        let mut vocabulary = Vocabulary::new(store);
        let axioms = translate(&game, &mut vocabulary, &limits).unwrap();
        let goal = vocabulary.ground_term("(goal r 100)", Notation::Prefix, Case::Fold);
        let mut formulas = Formulas::of(&axioms, vocabulary.store_mut(), &limits);
        let heuristic = formulas.heuristic(&[goal.unwrap()]).unwrap();
        assert_eq!(heuristic.leaves().len(), leaves, "{arity} arguments");
    }
}

/// Games of the collection that are looked at level by level as `--level auto` chooses: those of which it
/// is known what they are made of.
fn decomposed(collection: &Path) -> Vec<String> {
    let table = std::fs::read_to_string(collection.join("decomposition.tsv")).unwrap();
    let rows = table.lines().skip(1);
    rows.map(|row| row.split('\t').next().unwrap().to_owned())
        .collect()
}

/// Others, of many kinds: puzzles, board games, several and simultaneous players, scrambled names.
const OTHERS: [&str; 20] = [
    "base/3pttc",
    "base/chess",
    "base/chineseCheckers3",
    "base/coins",
    "base/connectFour",
    "base/factoringGeorgeForman",
    "base/firefighter",
    "base/hanoi",
    "base/hidato19",
    "base/lightsOut",
    "base/majorities",
    "base/maze",
    "base/onestep",
    "base/reversi",
    "base/sum15",
    "base/survival",
    "comp2006/MAZE_S.3357334406",
    "composed/jointbuttonsandlights_swap",
    "dresden/chickentictactoe",
    "stanford/rainbow",
];

/// JSON with everything on one line that fits there, so that a person can read it.
fn compact(value: &Value, indent: usize, text: &mut String) {
    const WIDTH: usize = 110;
    let line = value.to_string();
    let (open, close, entries): (_, _, Vec<(String, &Value)>) = match value {
        Value::Array(parts) => (
            '[',
            ']',
            parts.iter().map(|part| (String::new(), part)).collect(),
        ),
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, field)| (format!("\"{name}\": "), field));
            ('{', '}', fields.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return text.push_str(&line);
        }
    };
    if indent > 0 && indent + line.len() <= WIDTH {
        return text.push_str(&line);
    }
    text.push(open);
    for (place, (name, entry)) in entries.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        text.push_str(&format!(
            "{comma}\n{:indent$}{name}",
            "",
            indent = indent + 2
        ));
        compact(entry, indent + 2, text);
    }
    text.push_str(&format!("\n{:indent$}{close}", ""));
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn reports_on_games_that_others_wrote() {
    let collection = material("games");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/analysis/collection"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    let others = OTHERS.map(|name| (name.to_owned(), "symbol"));
    let games = decomposed(&collection)
        .into_iter()
        .map(|name| (name, "auto"));
    for (name, level) in games.chain(others) {
        let game = collection.join(format!("{name}.kif"));
        let mut text = String::new();
        compact(&report(&game, &["--level", level]), 0, &mut text);
        insta::assert_snapshot!(format!("{}.json", name.replace('/', ".")), text);
    }
}

#[test]
fn a_view_is_not_dropped_in_silence() {
    let game = root().join("kb/games/incredible.gdl");
    let ends = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_flux"))
            .arg("analyze")
            .arg(&game)
            .args(options)
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), message)
    };
    for options in [
        &["--view", "calls"][..],
        &["--view", "calls", "--format", "json"],
    ] {
        let (code, message) = ends(options);
        assert_eq!(code, Some(3), "{message}");
        assert!(message.contains("--format dot or svg"), "{message}");
    }
    let (code, message) = ends(&[
        "--format",
        "dot",
        "--view",
        "calls",
        "--why",
        "cell -> grab",
    ]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("--why"), "{message}");
    assert_eq!(ends(&["--view", "calls", "--format", "dot"]).0, Some(0));
}

#[test]
fn pictures_of_incredible() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/analysis"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _guard = settings.bind_to_scope();
    let game = root().join("kb/games/incredible.gdl");
    for view in ["dependency", "effects", "calls", "concepts", "subgames"] {
        let dot = analyze(&game, &["--format", "dot", "--view", view]);
        insta::assert_snapshot!(format!("incredible.{view}.dot"), dot);
        let svg = analyze(&game, &["--format", "svg", "--view", view]);
        assert!(
            svg.starts_with("<svg") || svg.starts_with("<?xml"),
            "{view}: {svg:.80}"
        );
    }
}

/// Schiffel, Thielscher 2007, Figure 1: the arguments of `step` and `succ` hang together.
#[test]
fn the_domain_graph_of_a_step_counter() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/analysis"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _guard = settings.bind_to_scope();
    let game = root().join("kb/games/step_counter.gdl");
    let dot = analyze(&game, &["--format", "dot", "--view", "domains"]);
    insta::assert_snapshot!("step_counter.domains.dot", dot);
    for game in sample_games() {
        let svg = analyze(&game, &["--format", "svg", "--view", "domains"]);
        assert!(svg.contains("domain graph"), "{}", game.display());
    }
}

/// `action sign fluent` and `fluent -> action`
fn edges(report: &Value) -> BTreeSet<String> {
    let field = |edge: &Value, name: &str| edge[name].as_str().unwrap().to_owned();
    let effects = report["effects"].as_array().unwrap().iter().map(|edge| {
        format!(
            "{} {} {}",
            field(edge, "action"),
            field(edge, "sign"),
            field(edge, "fluent")
        )
    });
    let preconditions = report["preconditions"].as_array().unwrap().iter();
    let preconditions =
        preconditions.map(|edge| format!("{} -> {}", field(edge, "fluent"), field(edge, "action")));
    effects.chain(preconditions).collect()
}

/// Günther 2007, Figure 3.1; the axioms are those of its Section 2.3.
#[test]
fn incredible_has_the_dependency_graph_of_the_book() {
    let report = report(
        &root().join("kb/games/incredible.gdl"),
        &["--level", "symbol"],
    );
    let mut expected: BTreeSet<String> = [
        "cell/1 -> move/0",
        "move/0 + cell/1",
        "move/0 - cell/1",
        "cell/1 -> grab/0",
        "gold/1 -> grab/0",
        "grab/0 + gold/1",
        "grab/0 - gold/1",
        "cell/1 -> drop/0",
        "gold/1 -> drop/0",
        "drop/0 + gold/1",
        "drop/0 - gold/1",
        "clear/1 -> s/2",
        "table/1 -> s/2",
        "s/2 + on/2",
        "s/2 - table/1",
        "s/2 - clear/1",
        "clear/1 -> u/2",
        "on/2 -> u/2",
        "u/2 + table/1",
        "u/2 + clear/1",
        "u/2 - on/2",
    ]
    .map(str::to_owned)
    .into();
    for action in ["move/0", "grab/0", "drop/0", "s/2", "u/2"] {
        expected.insert(format!("{action} + step/1"));
        expected.insert(format!("{action} - step/1"));
    }
    assert_eq!(edges(&report), expected);
    let independent: Vec<&Value> = report["fluents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|fluent| fluent["action_independent"] == true)
        .map(|fluent| &fluent["symbol"])
        .collect();
    assert_eq!(independent, ["step/1"]);
}

/// What a report says, but for order, rules and concepts.
fn structure(report: &Value, rename: &dyn Fn(&str) -> String) -> BTreeSet<String> {
    let names = |list: &Value| {
        let names = list.as_array().unwrap().iter();
        let names: BTreeSet<String> = names.map(|name| rename(name.as_str().unwrap())).collect();
        format!("{names:?}")
    };
    let mut found: BTreeSet<String> = edges(report).iter().map(|edge| rename(edge)).collect();
    found.insert(format!("actions {}", names(&report["actions"])));
    found.insert(format!("no-ops {}", names(&report["noops"])));
    for fluent in report["fluents"].as_array().unwrap() {
        let name = rename(fluent["symbol"].as_str().unwrap());
        found.insert(format!(
            "fluent {name} {} {}",
            fluent["action_independent"], fluent["rigid"]
        ));
    }
    for subgame in report["subgames"].as_array().unwrap() {
        found.insert(format!(
            "subgame {} {} goal {} end {}",
            names(&subgame["fluents"]),
            names(&subgame["actions"]),
            subgame["goal"],
            subgame["terminal"],
        ));
    }
    found
}

#[test]
fn the_structure_does_not_depend_on_how_rules_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let same = |name: &str| name.to_owned();
    let without_prefix = |name: &str| name.replace("xq", "");
    for game in sample_games() {
        let rules = prefix_rules(&game);
        let path = folder.path().join("game.kif");
        for (level, ways) in [("symbol", 9), ("auto", 3)] {
            let expected = structure(&report(&game, &["--level", level]), &same);
            let rewritten = [
                ("predicates more", outlined(&rules)),
                ("order of conditions", reversed(&rules)),
                ("symbols", respelled(&rules)),
                ("variables", renamed(&rules)),
                ("order of rules", reordered(&rules, 1)),
                ("order of rules", reordered(&rules, 2)),
                ("disjunctions", split(&rules)),
                ("facts", ruled(&rules)),
                ("predicates fewer", inlined(&rules)),
            ];
            for (how, rules) in rewritten.into_iter().take(ways) {
                std::fs::write(&path, text(&rules)).unwrap();
                let found = report(&path, &["--level", level]);
                let found = structure(
                    &found,
                    if how == "symbols" {
                        &without_prefix
                    } else {
                        &same
                    },
                );
                let lost: Vec<&String> = expected.difference(&found).collect();
                let new: Vec<&String> = found.difference(&expected).collect();
                assert!(
                    lost.is_empty() && new.is_empty(),
                    "{} at level {level}, other {how}: lost {lost:?}, new {new:?}",
                    game.display()
                );
            }
        }
    }
}

#[test]
fn edges_that_are_asked_for() {
    let game = root().join("kb/games/incredible.gdl");
    let why = |edge: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_flux"))
            .arg("analyze")
            .arg(&game)
            .args(["--why", edge])
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = why("cell -> grab");
    assert!(
        code == Some(0) && text.contains("(<= (legal robot grab)"),
        "{text}"
    );
    let (code, text) = why("move -> cell(+)");
    assert!(
        code == Some(0) && text.contains("(adjacent ?x ?y)"),
        "{text}"
    );
    assert_eq!(why("move -> gold").0, Some(1));
    let (code, text) = why("grab -> gold(-)");
    assert!(
        code == Some(0) && text.contains("none of the rules that keep it"),
        "{text}"
    );
    assert_eq!(why("nothing").0, Some(3));
    assert_eq!(why("cell -> gold").0, Some(3));
    let (code, text) = why("lamp -> move");
    assert!(
        code == Some(3) && text.contains("no fluent or action lamp"),
        "{text}"
    );
}

/// Günther 2007, Section 3.4.2: a condition that is asked for and denied is no precondition.
#[test]
fn a_tautology_is_no_precondition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("foobar.kif");
    std::fs::write(
        &path,
        "(role robot) (init (foo 23)) (init (bar 0)) (positive 1)
         (<= (legal robot (foobar ?x)) (or (true (foo 23)) (not (true (foo 23)))) (positive ?x))
         (<= (legal robot flip) (true (bar 0)))
         (<= (next (foo 23)) (not (true (foo 23))) (does robot flip))
         (<= (next (foo 23)) (true (foo 23)) (not (does robot flip)))
         (<= (next (bar ?x)) (does robot (foobar ?x)))
         (<= (next (bar ?x)) (true (bar ?x)) (does robot flip))
         (<= terminal (true (bar 1)))
         (<= (goal robot 100) (true (bar 1)))",
    )
    .unwrap();
    let report = report(&path, &["--level", "symbol"]);
    assert!(!edges(&report).contains("foo/1 -> foobar/1"), "{report:#}");
    assert_eq!(report["tautologies"][0]["fluent"], "foo/1");
    assert_eq!(report["tautologies"][0]["action"], "foobar/1");
}
