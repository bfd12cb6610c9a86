//! Asks a game what holds, what is legal and what a move does.
//!
//! ```sh
//! cargo run --release --example question -- kb/games/tic_tac_toe.gdl
//! ```

use std::error::Error;
use std::io::Write;

use flux::workbench::{Workbench, diagnose};

#[allow(dead_code, reason = "the tests call `question` instead")]
fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let name = name.unwrap_or_else(|| "kb/games/tic_tac_toe.gdl".to_owned());
    question(&std::fs::read_to_string(name)?, &mut std::io::stdout())
}

/// Plays the first legal move of every role, and asks before and after.
pub(crate) fn question(text: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for diagnostic in diagnose(text) {
        writeln!(out, "{}: {}", diagnostic.severity, diagnostic.message)?;
    }
    let mut game = Workbench::read(text)?;
    let start = game.initial_state()?;
    writeln!(out, "at the start: {}", game.fluents(&start).join(" "))?;
    let mut joint_move = Vec::new();
    for role in game.roles() {
        let legal = game.legal_moves(&start, &role)?;
        writeln!(out, "{role} may do {}", legal.join(" "))?;
        joint_move.extend(legal.into_iter().next());
    }
    let moves: Vec<&str> = joint_move.iter().map(String::as_str).collect();
    let next = game.play(&start, &moves)?;
    writeln!(
        out,
        "after {}: {}",
        moves.join(" "),
        game.fluents(&next).join(" ")
    )?;
    for answer in game.query(&next, "(and (legal ?role ?move) (not terminal))")? {
        writeln!(out, "then {} may do {}", answer["role"], answer["move"])?;
    }
    Ok(())
}
