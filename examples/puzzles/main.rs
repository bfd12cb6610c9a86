//! Solves a list of games for one player, each within some seconds, and says how well that went.
//!
//! ```text
//! cargo build --release
//! cargo run --release --example puzzles -- auto 60 ../shared/games/solve.tsv
//! ```
//!
//! The list has a game and the best value known on each line, behind a heading; games lie beside it. Prints
//! tab-separated lines: game, best value known, algorithm, value, whether it is proved that nothing is
//! better, length of the plan, computed states, seconds.

#[path = "../command/mod.rs"]
mod command;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Memory that a search may use, in megabytes.
const MEMORY: &str = "6000";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [algorithm, seconds, list] = &arguments[..] else {
        return Err("say an algorithm, seconds and a list of games".into());
    };
    let flux = command::flux()?;
    let list = Path::new(list);
    let text = std::fs::read_to_string(list)?;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "game\tknown\talgorithm\tvalue\tproved\tlength\tstates\tseconds"
    )?;
    for line in text.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(game), Some(known)) = (fields.next(), fields.next()) else {
            continue;
        };
        let rules = list.with_file_name(format!("{game}.kif"));
        let output = Command::new(&flux)
            .args(["solve", "--format", "json", "--max-memory", MEMORY])
            .args(["--algorithm", algorithm, "--max-seconds", seconds])
            .arg(rules)
            .output()?;
        let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        writeln!(out, "{game}\t{known}\t{algorithm}\t{}", cells(&report))?;
        out.flush()?;
    }
    Ok(())
}

/// What a search came to; dashes for what it did not.
fn cells(report: &Value) -> String {
    let number = |value: &Value| value.as_u64().map_or("-".to_owned(), |n| n.to_string());
    let proved = match report["optimal"].as_bool() {
        Some(true) => "yes",
        Some(false) | None => "no",
    };
    let length = report["plan"].as_array().map(Vec::len);
    let seconds = report["seconds"].as_f64();
    format!(
        "{}\t{proved}\t{}\t{}\t{}",
        number(&report["value"]),
        length.map_or("-".to_owned(), |length| length.to_string()),
        number(&report["states"]["total"]),
        seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.2}")),
    )
}
