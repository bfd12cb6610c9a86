//! Finds the games that a game is made of, with proofs of their independence.
//!
//! ```sh
//! cargo run --release --example decompose -- kb/games/incredible.gdl
//! ```

use std::error::Error;
use std::io::Write;

use flux::workbench::Workbench;

#[allow(dead_code, reason = "the tests call `decompose` instead")]
fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let name = name.unwrap_or_else(|| "kb/games/incredible.gdl".to_owned());
    decompose(&std::fs::read_to_string(name)?, &mut std::io::stdout())
}

/// Says which parts there are, by the rules and by the function that they compute.
pub(crate) fn decompose(text: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut game = Workbench::read(text)?;
    let subgames = game.analyze()?.structure.subgames.len();
    writeln!(out, "by the dependencies of the rules: {subgames} subgames")?;
    let found = game.decompose()?;
    let proved = if found.is_certified() {
        "proved"
    } else {
        "not proved"
    };
    writeln!(
        out,
        "by what the rules compute: {} games and {} parts that run by themselves, {proved}",
        found.parts.len(),
        found.autonomous.len()
    )?;
    for part in &found.parts {
        let moves: usize = part.moves.iter().map(|own| own.classes.len()).sum();
        writeln!(
            out,
            "a game of {} variables and {moves} local moves",
            part.variables.len()
        )?;
    }
    Ok(())
}
