//! `flux decompose`: the games in a game, each proved to be one.

use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::circuit::Circuit;
use crate::circuit::ground;
use crate::cli::failure::{Exit, Failure};
use crate::cli::{Format, GameArguments, LimitArguments, load, output, watch};
use crate::decomposition::{self, Decomposition, Effort, Proof};
use crate::gdl::GameError;
use crate::term::{Infix, Store};

/// Find the games that a game is made of, and prove that they are
///
/// Exit codes: 0 done, 2 a limit was reached, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Decompose {
    #[command(flatten)]
    game: GameArguments,
    /// Give up when there are more instances of rules
    #[arg(long, value_name = "N", default_value_t = ground::MAX_RULES)]
    max_rules: usize,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Decompose {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn run(arguments: &Decompose) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let store = vocabulary.store_mut();
    let program = ground::ground(&game, store, &limits, arguments.max_rules)?;
    let circuit = Circuit::new(store, &program, game.roles().len()).map_err(GameError::from)?;
    let effort = Effort {
        seed: arguments.seed,
        ..Effort::default()
    };
    let found = decomposition::decompose(&circuit, &effort, &limits)
        .map_err(|error| Failure::new(Exit::Limit, error.to_string()))?;
    let store = vocabulary.store();
    for part in &found.parts {
        let names: Vec<String> = part
            .variables
            .iter()
            .map(|&v| name(store, &circuit, &found, v))
            .collect();
        let moves: Vec<usize> = part.moves.iter().map(Vec::len).collect();
        println!(
            "part phase {:?} useful {} {:?} moves {:?}: {}",
            part.phase,
            part.is_useful,
            part.proof,
            moves,
            names.join(" ")
        );
    }
    for part in &found.autonomous {
        let names: Vec<String> = part
            .variables
            .iter()
            .map(|&v| name(store, &circuit, &found, v))
            .collect();
        println!(
            "autonomous useful {} {:?}: {}",
            part.is_useful,
            part.proof,
            names.join(" ")
        );
    }
    for &(one, other, cause) in found.links.iter().take(400) {
        println!(
            "   {} - {}: {:?}",
            name(store, &circuit, &found, one),
            name(store, &circuit, &found, other),
            cause
        );
    }
    println!(
        "RESULT {}/{}/{} phases {} constant {} proved {} questions {} seconds {:.2}",
        found.parts.len(),
        found.autonomous.len(),
        found.autonomous.iter().filter(|a| !a.is_useful).count(),
        found.phases,
        found.constant.len(),
        found.parts.iter().all(|p| p.proof != Proof::Open)
            && found.autonomous.iter().all(|p| p.proof != Proof::Open),
        found.questions,
        start.elapsed().as_secs_f64()
    );
    Ok(Exit::Done)
}

fn name(store: &Store, circuit: &Circuit, found: &Decomposition, variable: usize) -> String {
    let fluents = &found.variables[variable].fluents;
    let first = Infix::new(store, circuit.fluents[fluents[0]].term).to_string();
    format!("{first}|{}", fluents.len())
}
