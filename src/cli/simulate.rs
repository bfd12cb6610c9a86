//! `flux playout --engine circuit`: many playouts at once, on each thread.

use std::time::{Duration, Instant};

use crate::circuit::{Batch, Simulator};
use crate::cli::failure::{Exit, Failure};
use crate::cli::playout::{Playout, Tally, publish};
use crate::cli::watch;
use crate::engine::Limits;
use crate::gdl::{Game, ReasonerError, Vocabulary};

/// Playouts made at once unless the user says otherwise.
const LANES: u64 = 512;

pub(super) fn measure(
    arguments: &Playout,
    game: &Game,
    vocabulary: &Vocabulary,
    simulator: &Simulator,
    limits: &Limits,
    setup: Duration,
) -> Result<Exit, Failure> {
    let start = Instant::now();
    let time = arguments.time()?;
    let _timer = time.map(|time| watch::Watch::start(limits.stop.clone(), Some(time), usize::MAX));
    let batches = batches(arguments);
    let lanes = arguments.lanes.unwrap_or(LANES) as usize;
    let mut total = Tally {
        goals: vec![(0, 0); game.roles().len()],
        stopped: None,
        ..Tally::default()
    };
    let tallies = std::thread::scope(|scope| {
        let run = |batch: Batch| scope.spawn(move || simulator.run(batch, lanes, &limits.stop));
        let threads: Vec<_> = batches.iter().map(|&batch| run(batch)).collect();
        let mut tallies = Vec::new();
        for thread in threads {
            match thread.join() {
                Ok(tally) => tallies.push(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        tallies
    });
    for tally in tallies {
        let mut part = Tally {
            playouts: tally.playouts,
            states: tally.states,
            length: tally.length,
            goals: tally.goals,
            ..Tally::default()
        };
        if let Some((number, playout)) = &tally.fault {
            part.blame_playout(game, vocabulary, *number, playout);
        }
        total.add(part);
    }
    if total.playouts < arguments.number() {
        total.stopped = limits.stop.raised().map(ReasonerError::Stopped);
    }
    publish(
        arguments,
        game,
        vocabulary,
        &total,
        (start.elapsed(), setup),
    )
}

/// What each thread plays.
fn batches(arguments: &Playout) -> Vec<Batch> {
    let (number, threads) = (arguments.number(), arguments.threads);
    let share = |thread: u64| match number {
        u64::MAX => u64::MAX,
        _ => number / threads + u64::from(thread < number % threads),
    };
    (0..threads)
        .map(|thread| Batch {
            playouts: share(thread),
            seed: arguments.seed ^ thread.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            max_length: arguments.max_length,
        })
        .collect()
}
