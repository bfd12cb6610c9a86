//! Races grounding against gringo, the grounder of the answer set solvers.
//!
//! ```text
//! cargo build --release
//! cargo run --release --example grounding -- GAME...
//! ```
//!
//! Both are run as commands on a file, one after the other, and the fastest of three runs counts: `flux
//! ground` on the game, with circuit and code, and `gringo` on an encoding in which what may be true in
//! some state is approximated in the same way: fluents are chosen among those that some rule derives, and
//! so are moves. Prints a table.

#[path = "../command/mod.rs"]
mod command;
mod encoding;

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each command, the fastest of which counts.
const RUNS: usize = 3;

/// Seconds after which flux gives up; gringo is given as many.
const SECONDS: u64 = 60;

/// What grounding a game took.
struct Effort {
    seconds: f64,
    rules: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| game | flux rules | flux seconds | gringo rules | gringo seconds |"
    )?;
    writeln!(out, "|---|---|---|---|---|")?;
    let flux = command::flux()?;
    for game in std::env::args().skip(1).map(PathBuf::from) {
        let program =
            std::env::temp_dir().join(format!("flux-grounding-{}.lp", std::process::id()));
        std::fs::write(&program, encoding::of(&game)?)?;
        let own = fastest(|| by_flux(&flux, &game))?;
        let other = fastest(|| by_gringo(&program))?;
        std::fs::remove_file(&program)?;
        let name = game.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(out, "| {name} | {} | {} |", cells(own), cells(other))?;
    }
    Ok(())
}

fn fastest(
    run: impl Fn() -> Result<Option<Effort>, Box<dyn Error>>,
) -> Result<Option<Effort>, Box<dyn Error>> {
    let mut best: Option<Effort> = None;
    for _ in 0..RUNS {
        let Some(effort) = run()? else {
            return Ok(None);
        };
        if best
            .as_ref()
            .is_none_or(|best| effort.seconds < best.seconds)
        {
            best = Some(effort);
        }
    }
    Ok(best)
}

fn cells(effort: Option<Effort>) -> String {
    match effort {
        Some(effort) => format!("{} | {:.3}", effort.rules, effort.seconds),
        None => "– | –".to_owned(),
    }
}

fn by_flux(flux: &Path, game: &Path) -> Result<Option<Effort>, Box<dyn Error>> {
    let start = Instant::now();
    let output = Command::new(flux)
        .arg("ground")
        .arg(game)
        .args(["--format", "json", "--max-seconds", &SECONDS.to_string()])
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Ok(None);
    }
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    Ok(Some(Effort {
        seconds,
        rules: report["rules"].as_u64().unwrap_or_default(),
    }))
}

/// Counts the rules that gringo prints, facts and choices among them.
fn by_gringo(program: &Path) -> Result<Option<Effort>, Box<dyn Error>> {
    let start = Instant::now();
    let mut child = Command::new("gringo")
        .arg(program)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let Some(output) = child.stdout.take() else {
        return Ok(None);
    };
    let mut rules = 0;
    let mut in_time = true;
    for line in BufReader::new(output).lines() {
        rules += u64::from(line?.starts_with("1 "));
        if start.elapsed() > Duration::from_secs(SECONDS) {
            in_time = false;
            child.kill()?;
        }
    }
    let status = child.wait()?;
    let seconds = start.elapsed().as_secs_f64();
    Ok((in_time && status.success()).then_some(Effort { seconds, rules }))
}
