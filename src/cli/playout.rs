//! `flux playout`: plays at random and measures.

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::circuit::{Evaluator, Simulator};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{
    Engine, Format, GameArguments, LimitArguments, load, output, shown, simulate, watch,
};
use crate::engine::{Limits, StopReason};
use crate::gdl::{Ending, Game, Playouts, Reasoner, ReasonerError, Vocabulary};
use crate::term::Prefix;

/// Joint moves after which a playout is given up unless the user says otherwise: longer than
/// games last at random, and over in moments where a game never ends.
const MAX_LENGTH: u64 = 10_000;

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
    pub(super) seed: u64,
    /// Implementation of the reasoner
    #[arg(long, default_value = "tabled")]
    engine: Engine,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub(super) threads: u64,
    /// Playouts that the circuit makes at once: 1, or up to 64, 256 or 512 [default: 512]
    #[arg(long, value_name = "L", value_parser = lanes())]
    pub(super) lanes: Option<u64>,
    /// Give a playout up after so many joint moves
    #[arg(long, value_name = "N", default_value_t = MAX_LENGTH)]
    pub(super) max_length: u64,
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

/// Something that the rules of a game should not allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fault {
    gravity: Gravity,
    /// Number of the playout.
    playout: u64,
    message: String,
}

/// What a fault means for the series; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gravity {
    /// The game cannot be played on.
    Broken,
    /// A playout was given up.
    TooLong,
    /// A payoff is missing or is none.
    Payoff,
}

/// The playouts of one or more threads together.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) playouts: u64,
    pub(super) states: u64,
    pub(super) length: u64,
    /// For each role, the sum of its payoffs and the number of playouts that define one.
    pub(super) goals: Vec<(u64, u64)>,
    pub(super) stopped: Option<ReasonerError>,
    /// The worst thing that the rules should not allow, in the earliest playout.
    pub(super) fault: Option<Fault>,
}

pub(super) fn run(arguments: &Playout) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    match arguments.engine {
        Engine::Circuit => {
            let circuit = load::circuit(&game, &mut vocabulary, &limits)?;
            if arguments.lanes == Some(1) {
                let reasoner = Evaluator::new(circuit, &mut vocabulary, limits.stop.clone());
                let setup = start.elapsed();
                return measure(arguments, &game, &vocabulary, &reasoner, &limits, setup);
            }
            let simulator = Simulator::new(&circuit, &mut vocabulary);
            let setup = start.elapsed();
            simulate::measure(arguments, &game, &vocabulary, &simulator, &limits, setup)
        }
        Engine::Tabled => {
            let reasoner = game.tabled(&mut vocabulary, limits.clone())?;
            let setup = start.elapsed();
            measure(arguments, &game, &vocabulary, &reasoner, &limits, setup)
        }
        Engine::Fluent => {
            let reasoner = load::progression(&game, &mut vocabulary, &limits)?;
            let setup = start.elapsed();
            measure(arguments, &game, &vocabulary, &reasoner, &limits, setup)
        }
    }
}

fn measure<R: Reasoner + Clone + Send + Sync>(
    arguments: &Playout,
    game: &Game,
    vocabulary: &Vocabulary,
    reasoner: &R,
    limits: &Limits,
    setup: Duration,
) -> Result<Exit, Failure> {
    let start = Instant::now();
    let time = arguments.time()?;
    let tally = play(arguments, game, vocabulary, reasoner, limits, time);
    publish(
        arguments,
        game,
        vocabulary,
        &tally,
        (start.elapsed(), setup),
    )
}

/// Prints what came of the playouts; they took so long, and what came before took so long.
pub(super) fn publish(
    arguments: &Playout,
    game: &Game,
    vocabulary: &Vocabulary,
    tally: &Tally,
    (elapsed, setup): (Duration, Duration),
) -> Result<Exit, Failure> {
    let failure = failure(tally, arguments.time()?);
    let mut report = report(game, vocabulary, tally, elapsed, setup);
    report.engine = arguments.engine.name();
    report.fault = match (&failure, &tally.fault) {
        (Some(failure), _) => Some(failure.message().to_owned()),
        (None, fault) => fault.as_ref().map(|fault| fault.message.clone()),
    };
    match arguments.format {
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
    pub(super) fn time(&self) -> Result<Option<Duration>, Failure> {
        let time = self.seconds;
        time.map(|seconds| watch::seconds_of(seconds, "--seconds"))
            .transpose()
    }

    /// Playouts to start.
    pub(super) fn number(&self) -> u64 {
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

fn play<R: Reasoner + Clone + Send + Sync>(
    arguments: &Playout,
    game: &Game,
    vocabulary: &Vocabulary,
    reasoner: &R,
    limits: &Limits,
    time: Option<Duration>,
) -> Tally {
    let _timer = time.map(|time| watch::Watch::start(limits.stop.clone(), Some(time), usize::MAX));
    let number = arguments.number();
    let work = |thread: u64| {
        let (mut reasoner, mut vocabulary) = (reasoner.clone(), vocabulary.clone());
        let numbers = (thread..number).step_by(arguments.threads as usize);
        series(arguments, game, &mut vocabulary, &mut reasoner, numbers)
    };
    let mut total = Tally {
        goals: vec![(0, 0); game.roles().len()],
        ..Tally::default()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads)
            .map(|thread| scope.spawn(move || work(thread)))
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(tally) => total.add(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}

fn series<R: Reasoner>(
    arguments: &Playout,
    game: &Game,
    vocabulary: &mut Vocabulary,
    reasoner: &mut R,
    numbers: impl Iterator<Item = u64>,
) -> Tally {
    let roles = game.roles().len() as u32;
    let mut tally = Tally {
        goals: vec![(0, 0); game.roles().len()],
        ..Tally::default()
    };
    let mut playouts = match Playouts::new(
        reasoner,
        vocabulary,
        roles,
        arguments.seed,
        arguments.max_length,
    ) {
        Ok(playouts) => playouts,
        Err(error) => {
            return Tally {
                stopped: Some(error),
                ..tally
            };
        }
    };
    for number in numbers {
        match playouts.run(reasoner, vocabulary, number) {
            Err(error) => {
                tally.stopped = Some(error);
                break;
            }
            Ok(playout) => {
                tally.playouts += 1;
                tally.length += playout.length;
                tally.count(&playout.ending);
                if let Some(fault) = fault(game, vocabulary, number, &playout, &tally.fault) {
                    let ends = fault.gravity != Gravity::Payoff;
                    tally.blame(Some(fault));
                    if ends {
                        break;
                    }
                }
            }
        }
    }
    tally.states = playouts.states;
    tally
}

/// What the rules should not have allowed in a playout.
fn fault(
    game: &Game,
    vocabulary: &Vocabulary,
    number: u64,
    playout: &crate::gdl::Playout,
    known: &Option<Fault>,
) -> Option<Fault> {
    let moves = match playout.length {
        1 => "1 move".to_owned(),
        length => format!("{length} moves"),
    };
    let state = || shown::state(vocabulary, &playout.last);
    let (gravity, message) = match &playout.ending {
        // One is told of; looking for words again and again would cost more than the playouts.
        Ending::Terminal(_) if known.is_some() => return None,
        Ending::Terminal(goals) => {
            let mut goals = game.roles().iter().zip(goals);
            let fault =
                goals.find_map(|(&role, goal)| shown::goal_fault(vocabulary, role, goal))?;
            let message = format!("{fault} after {moves}, in the state {}", state());
            (Gravity::Payoff, message)
        }
        Ending::TooLong => (
            Gravity::TooLong,
            format!("the game did not end within {moves}; --max-length allows for more"),
        ),
        Ending::NoLegalMove(role) => {
            let role = shown::mention(vocabulary, game.roles()[role.0 as usize]);
            let message = format!(
                "{role} has no legal move after {moves}, and the game is not over, in the state {}",
                state()
            );
            (Gravity::Broken, message)
        }
    };
    Some(Fault {
        gravity,
        playout: number,
        message,
    })
}

impl Tally {
    fn count(&mut self, ending: &Ending) {
        let Ending::Terminal(goals) = ending else {
            return;
        };
        for (sum, goal) in self.goals.iter_mut().zip(goals) {
            if let Some(value) = goal.value() {
                sum.0 += u64::from(value.0);
                sum.1 += 1;
            }
        }
    }

    /// Takes the fault of a playout of the circuit in.
    pub(super) fn blame_playout(
        &mut self,
        game: &Game,
        vocabulary: &Vocabulary,
        number: u64,
        playout: &crate::gdl::Playout,
    ) {
        let fault = fault(game, vocabulary, number, playout, &self.fault);
        self.blame(fault);
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.playouts += other.playouts;
        self.states += other.states;
        self.length += other.length;
        for (sum, more) in self.goals.iter_mut().zip(other.goals) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
        self.stopped = self.stopped.or(other.stopped);
        self.blame(other.fault);
    }

    /// Keeps the worst fault.
    fn blame(&mut self, fault: Option<Fault>) {
        self.fault = [self.fault.take(), fault].into_iter().flatten().min();
    }
}

fn report(
    game: &Game,
    vocabulary: &Vocabulary,
    tally: &Tally,
    time: Duration,
    setup: Duration,
) -> Report {
    let seconds = time.as_secs_f64();
    let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
    let goals = game
        .roles()
        .iter()
        .zip(&tally.goals)
        .map(|(&role, &(sum, count))| {
            let name = Prefix::new(vocabulary.store(), role).to_string();
            (name, mean(sum, count).map_or(Value::Null, Value::from))
        });
    Report {
        playouts: tally.playouts,
        states: tally.states,
        seconds,
        states_per_second: tally.states as f64 / seconds.max(f64::MIN_POSITIVE),
        mean_length: mean(tally.length, tally.playouts),
        goals: goals.collect(),
        engine: "tabled",
        setup_seconds: setup.as_secs_f64(),
        fault: None,
    }
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
