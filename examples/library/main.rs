//! What a program can ask of a game, through the façade of the library.
//!
//! ```sh
//! cargo run --release --example library -- kb/games/blocks_world.gdl
//! ```

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use flux::gdl::Ending;
use flux::workbench::{Workbench, WorkbenchError, diagnose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1);
    let name = name.unwrap_or_else(|| "kb/games/blocks_world.gdl".to_owned());
    let text = std::fs::read_to_string(&name)?;
    for diagnostic in diagnose(&text) {
        println!("{}: {}", diagnostic.severity, diagnostic.message);
    }
    let mut game = Workbench::read(&text)?;
    let start = game.initial_state()?;
    println!("at the start: {}", game.fluents(&start).join(" "));
    for role in game.roles() {
        println!(
            "{role} may do {}",
            game.legal_moves(&start, &role)?.join(" ")
        );
    }

    let mut ended = 0;
    for number in 0..1_000 {
        let playout = game.playout(number)?;
        ended += u32::from(matches!(playout.ending, Ending::Terminal(_)));
    }
    println!("{ended} of 1000 random playouts come to an end");
    println!("{}", game.axioms(&name)?);

    match game.solve() {
        Ok(outcome) => {
            let plan = game.plan_text(&outcome.plan.unwrap_or_default());
            println!("best plan: {}", plan.join(" "));
        }
        Err(WorkbenchError::SeveralRoles { roles }) => println!("{roles} roles: no plan"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
