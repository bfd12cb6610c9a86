//! Finds the best plan of a game of one role.
//!
//! ```sh
//! cargo run --release --example solve -- kb/games/hanoi.gdl
//! ```

use std::error::Error;
use std::io::Write;

use flux::workbench::Workbench;

#[allow(dead_code, reason = "the tests call `solve` instead")]
fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let name = name.unwrap_or_else(|| "kb/games/hanoi.gdl".to_owned());
    solve(&std::fs::read_to_string(name)?, &mut std::io::stdout())
}

/// Prints the plan and plays it.
pub(crate) fn solve(text: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut game = Workbench::read(text)?;
    let outcome = game.solve()?;
    let plan = game.plan_text(&outcome.plan.unwrap_or_default());
    let best = if outcome.proof.is_some() {
        ", and nothing is better"
    } else {
        ""
    };
    let value = outcome.value.map_or(0, |value| value.0);
    writeln!(out, "{} moves for {value}{best}", plan.len())?;
    let mut state = game.initial_state()?;
    for mv in &plan {
        writeln!(out, "{mv}")?;
        state = game.play(&state, &[mv])?;
    }
    let role = &game.roles()[0];
    let reached = game.goal_value(&state, role)?;
    writeln!(out, "played: {}", reached.map_or(0, |value| value.0))?;
    Ok(())
}
