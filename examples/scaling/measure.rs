//! One game, solved by one algorithm.

use std::error::Error;
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use flux::analysis::analyze;
use flux::fluent::{progression, translate};
use flux::gdl::{Game, GoalValue, Reasoner, RuleSheet, Vocabulary};
use flux::limits::{Limits, StopReason};
use flux::search::plan::{
    Decomposition, PlanAlgorithm, PlanOutcome, PlanSetting, Problem, UNDIVIDED, highest_value,
    solve,
};
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};

use crate::rules::{Task, rules};

/// Time after which an algorithm gives up.
const MAX_SECONDS: u64 = 30;

/// Computed states after which it does, so that memory lasts.
const MAX_STATES: u64 = 100_000_000;

/// What came of it.
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) towers: usize,
    pub(crate) algorithm: PlanAlgorithm,
    pub(crate) states: u64,
    /// With reading, translation and analysis.
    pub(crate) seconds: f64,
    /// Whether it is proved that nothing is better.
    pub(crate) is_done: bool,
    value: Option<GoalValue>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match (self.is_done, self.value) {
            (true, Some(GoalValue(value))) => format!("{value}, proved"),
            (false, Some(GoalValue(value))) => format!("{value}, gave up"),
            (_, None) => "gave up".to_owned(),
        };
        let (task, algorithm) = (self.task.name(), self.algorithm.name());
        let (towers, states, seconds) = (self.towers, self.states, self.seconds);
        write!(
            f,
            "| {task} | {towers} | `{algorithm}` | {states} | {seconds:.3} | {value} |"
        )
    }
}

/// Runs of which the fastest counts, where one is short.
const RUNS: usize = 3;

/// Seconds that a short run takes at most.
const SHORT: f64 = 1.0;

/// Solves so many towers.
pub(crate) fn measure(
    task: Task,
    towers: usize,
    algorithm: PlanAlgorithm,
) -> Result<Row, Box<dyn Error>> {
    let mut best = run(task, towers, algorithm)?;
    for _ in 1..RUNS {
        if best.seconds < SHORT {
            let next = run(task, towers, algorithm)?;
            best.seconds = best.seconds.min(next.seconds);
        }
    }
    Ok(best)
}

fn run(task: Task, towers: usize, algorithm: PlanAlgorithm) -> Result<Row, Box<dyn Error>> {
    let limits = Limits::default();
    let (end, ended) = channel::<()>();
    let flag = limits.stop.clone();
    let watch = std::thread::spawn(move || {
        if ended.recv_timeout(Duration::from_secs(MAX_SECONDS)) == Err(RecvTimeoutError::Timeout) {
            flag.raise(StopReason::TimeLimit);
        }
    });
    let start = Instant::now();
    let outcome = outcome(rules(task, towers), algorithm, &limits)?;
    let seconds = start.elapsed().as_secs_f64();
    drop(end);
    // The thread only sleeps; it has nothing to report.
    let _ = watch.join();
    Ok(Row {
        task,
        towers,
        algorithm,
        states: outcome.counts.total(),
        seconds,
        is_done: outcome.proof.is_some(),
        value: outcome.value,
    })
}

fn outcome(
    text: String,
    algorithm: PlanAlgorithm,
    limits: &Limits,
) -> Result<PlanOutcome, Box<dyn Error>> {
    let source = Source::new("towers", text);
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let game = Game::new(&mut store, source, sheet.clauses, limits)?;
    let mut vocabulary = Vocabulary::new(store);
    let axioms = translate(&game, &mut vocabulary, limits)?;
    let analysis = analyze(&axioms, vocabulary.store_mut(), None, limits)?;
    let decomposition = Decomposition::of(&game, &axioms, &analysis, &mut vocabulary, limits)?;
    let mut reasoner = progression(&game, &axioms, &mut vocabulary, limits)?;
    let setting = PlanSetting {
        start: reasoner.initial_state(&mut vocabulary)?,
        highest: highest_value(&game, vocabulary.store_mut()),
        states: Some(MAX_STATES),
        undivided: UNDIVIDED,
        limits: limits.clone(),
        circuit: None,
    };
    let problem = Problem::new(&mut reasoner, &mut vocabulary, setting);
    Ok(solve(problem, algorithm, decomposition))
}
