//! How search scales with the number of subgames: towers of Hanoi side by side, one move at a time.
//!
//! Each of k towers is solved in seven moves and has 27 states; together they have 27 to the k. Breadth
//! first search of the whole game sees most of them, search by decomposition sees each tower alone.
//!
//! ```text
//! cargo run --release --example scaling
//! ```
//!
//! prints the table of `docs/solving.md` and draws `docs/scaling.svg`.

mod measure;
mod picture;
mod rules;

use std::error::Error;
use std::io::Write;
use std::path::Path;

use flux::search::plan::PlanAlgorithm;

use crate::measure::{Row, measure};
use crate::rules::Task;

/// Towers that are solved together, at most.
const MOST: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| task | towers | algorithm | computed states | seconds | value |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    let mut rows: Vec<Row> = Vec::new();
    for task in [Task::All, Task::TooLittleTime] {
        for algorithm in [PlanAlgorithm::Direct, PlanAlgorithm::Auto] {
            for towers in 1..=MOST {
                let row = measure(task, towers, algorithm)?;
                writeln!(out, "{row}")?;
                let is_done = row.is_done;
                rows.push(row);
                // With one tower more it would take longer still.
                if !is_done {
                    break;
                }
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scaling.svg");
    picture::draw(&rows, &file)?;
    Ok(())
}
