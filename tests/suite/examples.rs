//! The examples run, and say what the snapshots show.

#[path = "../../examples/axioms.rs"]
mod axioms;
#[path = "../../examples/decompose.rs"]
mod decompose;
#[path = "../../examples/playouts.rs"]
mod playouts;
#[path = "../../examples/question.rs"]
mod question;
#[path = "../../examples/solve.rs"]
mod solve;

use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// Compares what an example prints with its snapshot.
fn check(name: &str, run: impl FnOnce(&mut Vec<u8>) -> Outcome) {
    let mut printed = Vec::new();
    run(&mut printed).unwrap();
    let settings = {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../examples");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
    };
    settings.bind(|| insta::assert_snapshot!(name, String::from_utf8_lossy(&printed)));
}

#[test]
fn a_game_is_asked() {
    let text = include_str!("../../kb/games/tic_tac_toe.gdl");
    check("question", |out| question::question(text, out));
}

#[test]
fn a_game_is_played() {
    let text = include_str!("../../kb/games/tic_tac_toe.gdl");
    check("playouts", |out| playouts::playouts(text, 100_000, out));
}

#[test]
fn a_game_is_translated() {
    let text = include_str!("../../kb/games/blocks_world.gdl");
    check("axioms", |out| axioms::axioms(text, "blocks world", out));
}

#[test]
fn a_game_is_decomposed() {
    let text = include_str!("../../kb/games/incredible.gdl");
    check("decompose", |out| decompose::decompose(text, out));
}

#[test]
fn a_game_is_solved() {
    let text = include_str!("../../kb/games/hanoi.gdl");
    check("solve", |out| solve::solve(text, out));
}
