//! Repairs of games with faults that were put in: `tests/repair/<game>.<fault>.snap`.
//!
//! What stands in a rule sheet of kb/games is replaced by something else; `flux repair` has to find a change after which
//! what the fault broke holds again. What it finds need not be what stood there, but is among the repairs in most cases.

use std::process::{Command, Output};

use crate::collection::root;

fn repair(rules: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.kif"), rules).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    command
        .current_dir(folder.path())
        .args(["repair", "game.kif"]);
    command.args(options).output().unwrap()
}

fn seeded(game: &str, right: &str, wrong: &str) -> String {
    let path = root().join("kb/games").join(game).with_extension("gdl");
    let rules = std::fs::read_to_string(path).unwrap();
    assert_eq!(rules.matches(right).count(), 1, "{game}: {right}");
    rules.replacen(right, wrong, 1)
}

#[test]
fn faults_that_were_put_in_are_repaired() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/repair"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _guard = settings.bind_to_scope();
    for (game, fault, right, wrong) in SEEDED {
        let output = repair(&seeded(game, right, wrong), &[]);
        assert_eq!(output.status.code(), Some(0), "{game} {fault}: {output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        insta::assert_snapshot!(format!("{game}.{fault}"), said);
    }
}

/// What stood in the rules, and what stands there instead.
const SEEDED: [(&str, &str, &str, &str); 5] = [
    (
        "nim",
        "stuck_role",
        "(<= (legal ?player noop)\n    (other ?player ?opponent)\n    (true (control ?opponent)))\n",
        "(<= (legal first noop)\n    (true (control second)))\n",
    ),
    (
        "nim",
        "frame",
        "(<= (next (heap ?heap ?n))\n    (true (heap ?heap ?n))\n    (does ?player (leave ?changed ?m))\n    \
         (distinct ?heap ?changed))\n",
        "",
    ),
    (
        "nim",
        "value",
        "(<= (goal ?player 100)",
        "(<= (goal ?player 10)",
    ),
    (
        "step_counter",
        "end",
        "terminal :- true(step(3)).",
        "terminal :- true(step(3)), true(tally(0)).",
    ),
    (
        "tic_tac_toe",
        "name",
        "terminal :- not open.",
        "termimal :- not open.",
    ),
];

#[test]
fn sound_rules_need_no_repair() {
    let rules = std::fs::read_to_string(root().join("kb/games/nim.gdl")).unwrap();
    let output = repair(&rules, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.starts_with(b"nothing to repair"));
}

#[test]
fn what_cannot_be_repaired_is_said() {
    let game = "(role r) (init (f a)) (<= (legal r go) (true (f a))) (<= (next (f a)) (true (f a)))
        (<= terminal (true (f b))) (goal r 100)";
    for (options, code) in [
        (&["nothing"][..], 3),
        (&["terminates", "--max-trials", "0"], 2),
    ] {
        let output = repair(game, options);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
    }
    let output = repair("(role r) (<= (legal r ?x) (true", &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}
