//! `flux playout`: plays at random and measures.

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::circuit::{Batch, Simulator, ground};
use crate::cli::failure::{Exit, Failure};
use crate::cli::tally::{Fault, Gravity, Tally};
use crate::cli::{Format, GameArguments, LimitArguments, load, output, watch};
use crate::gdl::{Game, Playouts, ReasonerError, Vocabulary, seed_of};
use crate::limits::{Limits, StopReason};
use crate::term::Prefix;
use crate::workbench::{Engine, Player, circuit, small_circuit};

/// Joint moves after which a playout is given up unless the user says otherwise: longer than
/// games last at random, and over in moments where a game never ends.
const MAX_LENGTH: u64 = 10_000;

/// Playouts made at once unless the user says otherwise.
const LANES: u64 = 512;

/// More threads than this are a slip of the finger.
const MAX_THREADS: u64 = 1024;

/// Play at random and measure: lengths, payoffs, states a second
///
/// Exit codes: 0 done, 2 a limit was reached or somebody pressed Ctrl-C (the report covers what was
/// played so far), 3 something is wrong with the rules or the options, 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Playout {
    #[command(flatten)]
    game: GameArguments,
    /// Number of playouts [default: 100 unless --seconds is given]
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "seconds")]
    number: Option<u64>,
    /// Play for so many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Seed of the random choices
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,
    /// Implementation of the reasoner
    #[arg(long, default_value = "auto")]
    engine: Engine,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    threads: u64,
    /// Playouts that the circuit makes at once: 1, or up to 64, 256 or 512 [default: 512]
    #[arg(long, value_name = "L", value_parser = lanes())]
    lanes: Option<u64>,
    /// Give a playout up after so many joint moves
    #[arg(long, value_name = "N", default_value_t = MAX_LENGTH)]
    max_length: u64,
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What is printed; the fields of the JSON form.
#[derive(Debug, Serialize)]
struct Report {
    playouts: u64,
    states: u64,
    seconds: f64,
    states_per_second: f64,
    mean_length: Option<f64>,
    goals: Map<String, Value>,
    engine: &'static str,
    setup_seconds: f64,
    /// What is wrong with the rules or kept the series from its end.
    fault: Option<String>,
}

pub(super) fn run(arguments: &Playout) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let vocabulary = &mut vocabulary;
    let circuit = match (arguments.engine, arguments.lanes) {
        (_, Some(1)) | (Engine::Tabled | Engine::Fluent, _) => None,
        (Engine::Circuit, _) => Some(circuit(&game, vocabulary, &limits, ground::MAX_RULES)?),
        (Engine::Auto, _) => small_circuit(&game, vocabulary, &limits)?,
    };
    match circuit {
        Some(circuit) => {
            let simulator = Simulator::new(circuit, vocabulary);
            Series::new(arguments, &game, vocabulary, &limits, start).simulate(&simulator)
        }
        None => {
            let player = Player::new(arguments.engine, &game, vocabulary, None, &limits)?;
            Series::new(arguments, &game, vocabulary, &limits, start).play(&player)
        }
    }
}

/// A series of playouts that somebody asked for.
struct Series<'s> {
    arguments: &'s Playout,
    game: &'s Game,
    vocabulary: &'s Vocabulary,
    limits: &'s Limits,
    /// What came before took so long.
    setup: Duration,
}

impl<'s> Series<'s> {
    /// A series that is ready to start now.
    fn new(
        arguments: &'s Playout,
        game: &'s Game,
        vocabulary: &'s Vocabulary,
        limits: &'s Limits,
        start: Instant,
    ) -> Self {
        Self {
            arguments,
            game,
            vocabulary,
            limits,
            setup: start.elapsed(),
        }
    }

    /// Plays one playout after the other on each thread.
    fn play(&self, player: &Player) -> Result<Exit, Failure> {
        let (number, threads) = (self.arguments.number(), self.arguments.threads);
        self.measure(player.engine(), |thread| {
            let numbers = (thread..number).step_by(threads as usize);
            self.one_by_one(player.clone(), numbers)
        })
    }

    /// Plays many playouts at once on each thread.
    fn simulate(&self, simulator: &Simulator) -> Result<Exit, Failure> {
        let lanes = self.arguments.lanes.unwrap_or(LANES) as usize;
        self.measure(Engine::Circuit, |thread| {
            let tally = simulator.run(self.batch(thread), lanes, &self.limits.stop);
            let mut part = Tally {
                playouts: tally.playouts,
                states: tally.states,
                length: tally.length,
                goals: tally.goals,
                ..Tally::new(0)
            };
            if let Some((number, playout)) = &tally.fault {
                part.blame_playout(self.game, self.vocabulary, *number, playout);
            }
            part
        })
    }

    /// What a thread plays.
    fn batch(&self, thread: u64) -> Batch {
        let (number, threads) = (self.arguments.number(), self.arguments.threads);
        Batch {
            playouts: match number {
                u64::MAX => u64::MAX,
                _ => number / threads + u64::from(thread < number % threads),
            },
            seed: seed_of(self.arguments.seed, thread),
            max_length: self.arguments.max_length,
        }
    }

    fn one_by_one(&self, mut player: Player, numbers: impl Iterator<Item = u64>) -> Tally {
        let mut vocabulary = self.vocabulary.clone();
        let mut tally = Tally::new(self.game.roles().len());
        let mut playouts = match Playouts::new(
            &mut player,
            &mut vocabulary,
            self.game.roles().len() as u32,
            self.arguments.seed,
            self.arguments.max_length,
        ) {
            Ok(playouts) => playouts,
            Err(error) => {
                tally.stopped = Some(error);
                return tally;
            }
        };
        for number in numbers {
            match playouts.run(&mut player, &mut vocabulary, number) {
                Err(error) => {
                    tally.stopped = Some(error);
                    break;
                }
                Ok(playout) => {
                    if !tally.take(self.game, &vocabulary, number, &playout) {
                        break;
                    }
                }
            }
        }
        tally.states = playouts.states;
        tally
    }

    /// Has all threads work, and prints what comes of it.
    fn measure(&self, engine: Engine, work: impl Fn(u64) -> Tally + Sync) -> Result<Exit, Failure> {
        let start = Instant::now();
        let (arguments, stop) = (self.arguments, &self.limits.stop);
        let time = arguments.time()?;
        let _timer = time.map(|time| watch::Watch::start(stop.clone(), Some(time), usize::MAX));
        let mut tally = Tally::of_threads(arguments.threads, self.game.roles().len(), work);
        let elapsed = start.elapsed();
        if tally.stopped.is_none() && tally.playouts < arguments.number() {
            tally.stopped = stop.raised().map(ReasonerError::Stopped);
        }
        self.publish(&tally, engine, elapsed)
    }

    /// Prints what came of the playouts, which took so long.
    fn publish(&self, tally: &Tally, engine: Engine, elapsed: Duration) -> Result<Exit, Failure> {
        let failure = failure(tally, self.arguments.time()?);
        let mut report = self.report(tally, engine, elapsed);
        report.fault = match (&failure, &tally.fault) {
            (Some(failure), _) => Some(failure.message().to_owned()),
            (None, fault) => fault.as_ref().map(|fault| fault.message.clone()),
        };
        match self.arguments.format {
            Format::Json => output::json(&report)?,
            Format::Text => output::line(&text(&report))?,
        }
        match (failure, report.fault) {
            (Some(failure), _) => Err(failure),
            (None, fault) => {
                if let Some(fault) = fault {
                    output::warning_line(&fault);
                }
                Ok(Exit::Done)
            }
        }
    }

    fn report(&self, tally: &Tally, engine: Engine, elapsed: Duration) -> Report {
        let seconds = elapsed.as_secs_f64();
        let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let roles = self.game.roles().iter().zip(&tally.goals);
        let goals = roles.map(|(&role, &(sum, count))| {
            let name = Prefix::new(self.vocabulary.store(), role).to_string();
            (name, mean(sum, count).map_or(Value::Null, Value::from))
        });
        Report {
            playouts: tally.playouts,
            states: tally.states,
            seconds,
            states_per_second: tally.states as f64 / seconds.max(f64::MIN_POSITIVE),
            mean_length: mean(tally.length, tally.playouts),
            goals: goals.collect(),
            engine: engine.name(),
            setup_seconds: self.setup.as_secs_f64(),
            fault: None,
        }
    }
}

/// Why the series did not come to its end, if it did not.
fn failure(tally: &Tally, time: Option<Duration>) -> Option<Failure> {
    let message = |fault: &Fault| fault.message.clone();
    match (&tally.fault, tally.stopped) {
        (Some(fault), _) if fault.gravity == Gravity::Broken => {
            Some(Failure::bad_input(message(fault)))
        }
        (Some(fault), _) if fault.gravity == Gravity::TooLong => {
            Some(Failure::new(Exit::Limit, message(fault)))
        }
        // The time that --seconds gives is the length of the series, not a limit to it.
        (_, Some(ReasonerError::Stopped(StopReason::TimeLimit))) if time.is_some() => None,
        (_, Some(error)) => Some(error.into()),
        (_, None) => None,
    }
}

impl Playout {
    /// The length of the series, if it is given.
    fn time(&self) -> Result<Option<Duration>, Failure> {
        let time = self.seconds;
        time.map(|seconds| watch::seconds_of(seconds, "--seconds"))
            .transpose()
    }

    /// Playouts to start.
    fn number(&self) -> u64 {
        match self.seconds {
            Some(_) => u64::MAX,
            None => self.number.unwrap_or(100),
        }
    }
}

/// The numbers of lanes that there can be.
fn lanes() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=512)
}

/// The numbers of threads that make sense.
fn threads() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MAX_THREADS)
}

fn text(report: &Report) -> String {
    let mut lines = vec![format!(
        "{} playouts, {} states in {:.2} s: {:.0} states a second ({}, {:.3} s to prepare)",
        report.playouts,
        report.states,
        report.seconds,
        report.states_per_second,
        report.engine,
        report.setup_seconds
    )];
    if let Some(length) = report.mean_length {
        lines.push(format!("mean length: {length:.2} moves"));
    }
    for (role, goal) in &report.goals {
        let goal = goal
            .as_f64()
            .map_or_else(|| "undefined".to_owned(), |goal| format!("{goal:.2}"));
        lines.push(format!("mean payoff of {role}: {goal}"));
    }
    lines.join("\n")
}
