//! A strong solution by a cluster: its workers are started, and what they find becomes an outcome as of any other search.

use std::panic::{AssertUnwindSafe, catch_unwind};

use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, WorkerGuards};

use crate::circuit::successors::{After, Successors};
use crate::gdl::{Fnv, Goal, RoleId, State, Vocabulary};
use crate::limits::{Stage, StopReason};
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingFault, ForcingSetting};
use crate::search::versus::codes::Code;
use crate::search::versus::distributed::cluster::{Cluster, ClusterError};
use crate::search::versus::distributed::connect::{NoConnection, connect};
use crate::search::versus::distributed::messages::WorkerHalt;
use crate::search::versus::distributed::shard::SHARDS;
use crate::search::versus::distributed::worker::{Ending, LayerWorker, Solved, WorkerSetting};
use crate::search::versus::kind::Kind;
use crate::search::versus::layers::LayerGame;
use crate::search::versus::outcome::{ForcingAlgorithm, ForcingOutcome, Gap};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::tally::Tally;
use crate::search::versus::worth::{Bounds, Worth};

/// Solves all states that can be reached from the start of a setting, layer by layer, on the threads, processes and hosts of a
/// cluster. All processes return the same. Only games of several roles, of which one at a time chooses, have such layers.
///
/// # Errors
/// [`ClusterError`]: a directory or a connection does not work, or another process has ended.
pub fn solve_layers(
    setting: &ForcingSetting,
    vocabulary: &mut Vocabulary,
    cluster: &Cluster,
) -> Result<ForcingOutcome, ClusterError> {
    if let Some(uncertainty) = setting.game.uncertainty(vocabulary.store()) {
        return Err(ClusterError::Uncertain(uncertainty));
    }
    check(cluster)?;
    setting.limits.progress.begin(Stage::Searching, None);
    let Some(packed) = setting.packed(vocabulary) else {
        return Ok(unsolved(setting, Some(Gap::NoLayers), None));
    };
    let (game, symmetries) = &*packed;
    let asked = (game.clone(), &symmetries[..]);
    match game.packing.words {
        0..=1 => solve::<1>(asked, setting, vocabulary, cluster),
        2 => solve::<2>(asked, setting, vocabulary, cluster),
        3..=4 => solve::<4>(asked, setting, vocabulary, cluster),
        _ => Ok(unsolved(setting, Some(Gap::NoLayers), None)),
    }
}

fn check(cluster: &Cluster) -> Result<(), ClusterError> {
    let processes = cluster.processes();
    if cluster.process >= processes {
        return Err(ClusterError::Setting(format!(
            "there is no process {} among {processes}, which are numbered from 0",
            cluster.process
        )));
    }
    let workers = processes.saturating_mul(cluster.threads);
    if workers > SHARDS {
        return Err(ClusterError::Setting(format!(
            "{workers} threads in all are more than {SHARDS}, the most among which states are spread"
        )));
    }
    Ok(())
}

fn solve<const W: usize>(
    (game, symmetries): (PackedGame, &[Vec<usize>]),
    setting: &ForcingSetting,
    vocabulary: &mut Vocabulary,
    cluster: &Cluster,
) -> Result<ForcingOutcome, ClusterError> {
    let Some(layers) = LayerGame::<W>::new(game, &setting.start, symmetries) else {
        return Ok(unsolved(setting, Some(Gap::NoLayers), None));
    };
    let workers = WorkerSetting {
        solution: solution(&layers, setting, vocabulary),
        layers,
        directory: cluster.directory.clone(),
        threads: cluster.threads,
        table_bytes: cluster.table_bytes,
        most_states: setting.states,
        stop: setting.limits.stop.clone(),
        expanded: setting.limits.progress.counter(),
    };
    let mut layers = workers.layers.clone();
    let ending = match start(cluster, workers) {
        Ok(ending) => ending,
        Err(NoConnection::Failed(error)) => return Err(error),
        Err(NoConnection::Stopped) => {
            let reason = setting.limits.stop.raised();
            return Ok(unsolved(setting, None, reason.map(Halt::from)));
        }
    };
    match ending {
        Ending::Solved(solved) => Ok(outcome(solved, &mut layers, vocabulary)),
        Ending::Unsuited => Ok(unsolved(setting, Some(Gap::NoLayers), None)),
        Ending::Halted(worker, reason) => {
            let halt = halt((worker, reason), setting, cluster)?;
            Ok(unsolved(setting, None, Some(halt)))
        }
    }
}

/// What tells a solution apart from all others whose files or messages would not fit.
pub(super) fn solution<const W: usize>(
    layers: &LayerGame<W>,
    setting: &ForcingSetting,
    vocabulary: &Vocabulary,
) -> String {
    let mut codes = Fnv::new();
    for field in &layers.game.packing.fields {
        codes.feed(format!("{:?}", field.group).as_bytes());
    }
    let game = setting.game.fingerprint(vocabulary.store());
    format!(
        "{game} from {:x?} in codes {:016x}, {} symmetries",
        layers.start,
        codes.value(),
        layers.symmetries.len()
    )
}

/// Starts the workers of this process, and waits for them.
fn start<const W: usize>(
    cluster: &Cluster,
    setting: WorkerSetting<W>,
) -> Result<Ending, NoConnection> {
    let streams = if cluster.processes() > 1 {
        connect(cluster, &setting.solution, &setting.stop)?
    } else {
        Vec::new()
    };
    let work = move |worker: &mut timely::worker::Worker| LayerWorker::new(worker, &setting).run();
    // Timely dataflow panics where another process ends, here or in threads that it joins here.
    let joined = catch_unwind(AssertUnwindSafe(|| {
        let hooks = Hooks::default();
        let threads = ProcessBuilder::new_typed_vector(
            cluster.threads,
            hooks.refill.clone(),
            hooks.spill.clone(),
        );
        let guards: Result<WorkerGuards<Ending>, String> = if streams.is_empty() {
            let builders = threads.into_iter().map(AllocatorBuilder::Process).collect();
            timely::execute::execute_from(builders, Box::new(()), Default::default(), work)
        } else {
            initialize_networking_from_sockets(
                threads,
                streams,
                cluster.process,
                cluster.threads,
                hooks,
            )
            .map_err(|error| error.to_string())
            .and_then(|(builders, guard)| {
                let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
                timely::execute::execute_from(builders, Box::new(guard), Default::default(), work)
            })
        };
        let ended = guards.map(WorkerGuards::join)?;
        ended.into_iter().collect::<Result<Vec<Ending>, String>>()
    }));
    let ending = match joined {
        Ok(Ok(endings)) => endings.into_iter().next(),
        Ok(Err(_)) | Err(_) => None,
    };
    ending.ok_or(NoConnection::Failed(ClusterError::Lost))
}

/// Why nothing was solved: a limit that was reached, or an error.
fn halt(
    (worker, reason): (usize, WorkerHalt),
    setting: &ForcingSetting,
    cluster: &Cluster,
) -> Result<Halt, ClusterError> {
    Ok(match reason {
        WorkerHalt::Time => StopReason::TimeLimit.into(),
        WorkerHalt::Memory => StopReason::MemoryLimit.into(),
        WorkerHalt::Interrupted => StopReason::Interrupted.into(),
        WorkerHalt::States => Halt::States(setting.states.unwrap_or_default()),
        WorkerHalt::Failed(reason) => {
            return Err(ClusterError::Worker {
                worker,
                workers: cluster.processes() * cluster.threads,
                reason,
            });
        }
    })
}

/// Nothing is known, and why.
fn unsolved(setting: &ForcingSetting, gap: Option<Gap>, halt: Option<Halt>) -> ForcingOutcome {
    let unknown = Bounds {
        at_least: Worth::NONE,
        at_most: Worth::MOST,
    };
    ForcingOutcome {
        bounds: vec![unknown; setting.roles],
        states: setting.limits.progress.seen().done,
        algorithm: ForcingAlgorithm::Layers,
        gap,
        halt,
        ..ForcingOutcome::unknown()
    }
}

fn outcome<const W: usize>(
    solved: Solved,
    layers: &mut LayerGame<W>,
    vocabulary: &mut Vocabulary,
) -> ForcingOutcome {
    let kind = Kind::turn_taking(&solved.ends);
    let line = solved.line.iter();
    let line = line.map(|joint| layers.moves(joint, vocabulary)).collect();
    ForcingOutcome {
        bounds: solved.value.iter().copied().map(Bounds::exactly).collect(),
        is_forced: true,
        induced: kind
            .needs_induction(layers.roles())
            .then_some(solved.induced),
        kind,
        line: Some(line),
        line_ends: true,
        tally: Some(Tally::of_census(&solved.census)),
        // Each state is expanded on the way forwards and on the way back.
        states: solved.states * 2,
        algorithm: ForcingAlgorithm::Layers,
        faults: faults(&solved.stuck, &solved.valueless, layers),
        ..ForcingOutcome::unknown()
    }
}

/// What is wrong with the rules, as two states show.
fn faults<const W: usize>(
    stuck: &Option<Vec<u64>>,
    valueless: &Option<Vec<u64>>,
    layers: &mut LayerGame<W>,
) -> Vec<ForcingFault> {
    let code = |words: &Vec<u64>| Code::<W>::try_from(&words[..]).ok();
    let stuck = stuck.as_ref().and_then(code);
    let mut faults: Vec<ForcingFault> = stuck
        .map(|code| ForcingFault::NoLegalMove(layers.game.unpack(&code)))
        .into_iter()
        .collect();
    if let Some(code) = valueless.as_ref().and_then(code)
        && let Some((state, role, goal)) = missing_goal(&code, layers)
    {
        faults.push(ForcingFault::NoValue(state, role, goal));
    }
    faults
}

/// The first role that has no payoff at an end.
fn missing_goal<const W: usize>(
    code: &Code<W>,
    layers: &mut LayerGame<W>,
) -> Option<(State, RoleId, Goal)> {
    let mut found = Successors::default();
    layers.expander.expand(&[*code], &mut found);
    let &After::End(number) = found.after.first()? else {
        return None;
    };
    let goals = (0..).zip(layers.expander.goals(number));
    let (role, goal) = goals.into_iter().find(|(_, goal)| goal.value().is_none())?;
    Some((layers.game.unpack(code), RoleId(role), goal.clone()))
}
