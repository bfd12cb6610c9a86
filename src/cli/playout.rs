//! `flux playout`: plays at random and measures.

mod report;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use crate::circuit::{PlayoutBatch, SeriesControl, Simulator, ground};
use crate::cli::arguments::{Format, GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::messages::warning_line;
use crate::cli::playout::report::{lengths, outcomes, text};
use crate::cli::progress::Display;
use crate::cli::tally::{Fault, Gravity, Tally};
use crate::cli::{load, output, watch};
use crate::gdl::{Game, Playouts, ReasonerError, Statistics, Vocabulary, seed_of};
use crate::limits::{Limits, Stage, StopReason};
use crate::term::Prefix;
use crate::workbench::{Engine, Player, circuit, small_circuit};

pub(super) use crate::cli::playout::report::PlayoutReport;

/// Joint moves after which a playout is given up unless the user says otherwise: longer than
/// games last at random, and over in moments where a game never ends.
const MAX_LENGTH: u64 = 10_000;

/// Playouts made at once unless the user says otherwise.
const LANES: u64 = 512;

/// Playouts of one seed in lanes; the next ones have a seed of their own, so that who plays them does not
/// matter. In so many, the lanes that wait for the last playouts cost little.
const PER_SEED: u64 = 64 * LANES;

/// More threads than this are a slip of the finger.
const MAX_THREADS: u64 = 1024;

/// Play at random and measure: lengths, payoffs, states a second
///
/// Playouts that come to no end are counted: cut at --max-length or when the time was up, or stuck where a
/// role has no legal move. Means are over those that finished. A role wins a playout in which nobody else
/// has as much, the only role one that gives 100.
///
/// With -n, the same seed gives the same result at any number of threads; with --seconds as many playouts
/// are made as there is time for.
///
/// Exit codes: 0 done, 2 a limit was reached, be it by some playouts only, or somebody pressed Ctrl-C (the
/// report covers what was played so far), 3 something is wrong with the rules or the options, such as a role
/// without a legal move, 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Playout {
    #[command(flatten)]
    game: GameArguments,
    /// Number of playouts [default: 100 unless --seconds is given]
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "seconds")]
    number: Option<u64>,
    /// Play for so many seconds, once the game is prepared
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

pub(super) fn run(arguments: &Playout) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let display = Display::of(&limits.progress);
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let vocabulary = &mut vocabulary;
    let circuit = match (arguments.engine, arguments.lanes) {
        // One lane is one playout at a time, which reasoners make without a simulator.
        (_, Some(1)) | (Engine::Tabled | Engine::Fluent, _) => None,
        (Engine::Circuit, _) => Some(circuit(&game, vocabulary, &limits, ground::MAX_RULES)?),
        (Engine::Auto, _) => small_circuit(&game, vocabulary, &limits)?,
    };
    match circuit {
        Some(circuit) => {
            let simulator = Simulator::new(circuit, vocabulary);
            Series::new(arguments, &game, vocabulary, &limits, start).simulate(&simulator, display)
        }
        None => {
            let player = Player::new(arguments.engine, &game, vocabulary, None, &limits)?;
            Series::new(arguments, &game, vocabulary, &limits, start).play(&player, display)
        }
    }
}

/// A series of playouts, with the options that ask for it.
struct Series<'s> {
    arguments: &'s Playout,
    game: &'s Game,
    vocabulary: &'s Vocabulary,
    limits: &'s Limits,
    /// What came before took so long.
    setup: Duration,
    control: SeriesControl,
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
            control: SeriesControl {
                stop: limits.stop.clone(),
                done: limits.progress.counter(),
                ..SeriesControl::default()
            },
        }
    }

    /// Plays one playout after the other on each thread.
    fn play(&self, player: &Player, display: Display) -> Result<Exit, Failure> {
        let (number, threads) = (self.arguments.number(), self.arguments.threads);
        self.measure(player.engine(), display, |thread| {
            // Which playouts there are does not depend on the threads, which take their numbers in turn.
            let numbers = (thread..number).step_by(threads as usize);
            self.one_by_one(player.clone(), numbers)
        })
    }

    /// Plays many playouts at once on each thread.
    fn simulate(&self, simulator: &Simulator, display: Display) -> Result<Exit, Failure> {
        let lanes = self.arguments.lanes.unwrap_or(LANES) as usize;
        self.measure(Engine::Circuit, display, |thread| {
            let mut part = Tally::new(self.game.roles().len());
            for (first, batch) in self.batches(thread) {
                if self.limits.stop.raised().is_some() {
                    break;
                }
                let tally = simulator.run(batch, lanes, &self.control);
                part.states += tally.states;
                part.statistics.extend(&tally.statistics);
                if let Some((number, playout)) = &tally.fault {
                    part.blame_playout(self.game, self.vocabulary, first + number, playout);
                }
            }
            part
        })
    }

    /// What a thread plays: the number of the first playout, and how it goes on.
    fn batches(&self, thread: u64) -> impl Iterator<Item = (u64, PlayoutBatch)> {
        let (number, threads) = (self.arguments.number(), self.arguments.threads);
        // If the clock ends the series there is no other end, and nothing to share out.
        let per_seed = match number {
            u64::MAX => u64::MAX,
            _ => PER_SEED,
        };
        let (seed, max_length) = (self.arguments.seed, self.arguments.max_length);
        let parts = match number {
            u64::MAX => thread..thread + 1,
            _ => thread..number.div_ceil(per_seed),
        };
        parts.step_by(threads as usize).map(move |part| {
            let first = part.saturating_mul(per_seed);
            let batch = PlayoutBatch {
                // Of a series that the clock ends, the number is put in below.
                playouts: per_seed.min(number.saturating_sub(first).max(1)),
                seed: seed_of(seed, part),
                max_length,
            };
            match number {
                u64::MAX => (
                    0,
                    PlayoutBatch {
                        playouts: number,
                        ..batch
                    },
                ),
                _ => (first, batch),
            }
        })
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
                    tally.take(self.game, &vocabulary, number, &playout);
                    self.control.done.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        tally.states = playouts.states;
        tally
    }

    /// Has all threads work, and prints what comes of it.
    fn measure(
        &self,
        engine: Engine,
        display: Display,
        work: impl Fn(u64) -> Tally + Sync,
    ) -> Result<Exit, Failure> {
        let start = Instant::now();
        let (arguments, stop) = (self.arguments, &self.limits.stop);
        let time = arguments.time()?;
        // Memory is watched by the limits of the command; this watch has the clock alone.
        let _timer = time.map(|time| watch::start(stop.clone(), Some(time), usize::MAX));
        // Playouts that are on their way when time is up may end: without them, long ones would count less often.
        let _end = watch::after(stop, &self.control.end);
        self.limits.progress.begin(Stage::Playing, self.total());
        let mut tally = Tally::of_threads(arguments.threads, self.game.roles().len(), work);
        let elapsed = start.elapsed();
        drop(display);
        // A flag that was raised behind the last playout has stopped nothing.
        if tally.stopped.is_none() && tally.statistics.playouts() < arguments.number() {
            tally.stopped = stop.raised().map(ReasonerError::Stopped);
        }
        self.publish(&tally, engine, elapsed)
    }

    /// How many playouts there will be, if that is known.
    fn total(&self) -> Option<u64> {
        Some(self.arguments.number()).filter(|&number| number < u64::MAX)
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
            (Some(failure), _) => Err(failure.reported()),
            (None, fault) => {
                if let Some(fault) = fault {
                    warning_line(&fault);
                }
                Ok(Exit::Done)
            }
        }
    }

    fn report(&self, tally: &Tally, engine: Engine, elapsed: Duration) -> PlayoutReport {
        let seconds = elapsed.as_secs_f64();
        let statistics = &tally.statistics;
        let name = |&role| Prefix::new(self.vocabulary.store(), role).to_string();
        let roles = || self.game.roles().iter().map(name).zip(&statistics.payoffs);
        let &Statistics {
            finished,
            cut,
            stuck,
            undefined,
            ambiguous,
            ..
        } = statistics;
        PlayoutReport {
            playouts: statistics.playouts(),
            states: tally.states,
            seconds,
            states_per_second: tally.states as f64 / seconds.max(f64::MIN_POSITIVE),
            mean_length: statistics.mean_length(),
            goals: roles().map(|(name, p)| (name, p.mean())).collect(),
            finished,
            cut,
            stuck,
            undefined,
            ambiguous,
            outcomes: roles().map(|(name, p)| (name, outcomes(p))).collect(),
            lengths: lengths(statistics),
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
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

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
