//! Plays a game at random, millions of times.
//!
//! ```sh
//! cargo run --release --example playouts -- kb/games/tic_tac_toe.gdl 10000000
//! ```

use std::error::Error;
use std::io::Write;

use flux::workbench::Workbench;

#[allow(dead_code, reason = "the tests call `playouts` instead")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next();
    let name = name.unwrap_or_else(|| "kb/games/tic_tac_toe.gdl".to_owned());
    let number = arguments.next();
    let number = number.map_or(Ok(10_000_000), |number| number.parse())?;
    playouts(
        &std::fs::read_to_string(name)?,
        number,
        &mut std::io::stdout(),
    )
}

/// Says how so many playouts end and what each role gets.
pub(crate) fn playouts(text: &str, number: u64, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut game = Workbench::read(text)?;
    let statistics = game.playouts(number, 1)?;
    writeln!(
        out,
        "{} of {number} playouts come to an end",
        statistics.finished
    )?;
    if let Some(length) = statistics.mean_length() {
        writeln!(out, "after {length:.3} joint moves in the mean")?;
    }
    for (role, payoffs) in game.roles().iter().zip(&statistics.payoffs) {
        let mean = payoffs.mean().unwrap_or(f64::NAN);
        writeln!(
            out,
            "{role}: {mean:.3}, {} won, {} drawn, {} lost",
            payoffs.wins, payoffs.draws, payoffs.losses
        )?;
    }
    Ok(())
}
