//! Translates a game to the fluent calculus and prints its axioms.
//!
//! ```sh
//! cargo run --release --example axioms -- kb/games/blocks_world.gdl
//! ```

use std::error::Error;
use std::io::Write;

use flux::workbench::Workbench;

#[allow(dead_code, reason = "the tests call `axioms` instead")]
fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let name = name.unwrap_or_else(|| "kb/games/blocks_world.gdl".to_owned());
    axioms(
        &std::fs::read_to_string(&name)?,
        &name,
        &mut std::io::stdout(),
    )
}

/// Prints the axioms under a title, and how many there are of each kind.
pub(crate) fn axioms(text: &str, title: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut game = Workbench::read(text)?;
    write!(out, "{}", game.axioms(title)?)?;
    let axioms = game.translate()?;
    writeln!(
        out,
        "{} effects, {} domain constraints proved of all states",
        axioms.effects.len(),
        axioms.constraints.len()
    )?;
    Ok(())
}
