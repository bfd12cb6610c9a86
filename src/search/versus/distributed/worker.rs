//! What a worker does, from the first layer to the last one and back; all workers do the same at the same time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use timely::worker::Worker;

use crate::limits::StopFlag;
use crate::search::versus::codes::Codes;
use crate::search::versus::distributed::checkpoint::{Checkpoint, Counts};
use crate::search::versus::distributed::cluster::ClusterError;
use crate::search::versus::distributed::exchange::gather;
use crate::search::versus::distributed::messages::WorkerHalt;
use crate::search::versus::distributed::shard::{SHARDS, Share, shard_of};
use crate::search::versus::distributed::store::Store;
use crate::search::versus::folding::Folding;
use crate::search::versus::layers::{Census, LayerGame};
use crate::search::versus::lookup::{Lookup, Mark};
use crate::search::versus::worth::Worth;

/// What all workers are told when they start.
#[derive(Clone)]
pub(super) struct WorkerSetting<const W: usize> {
    pub(super) layers: LayerGame<W>,
    /// Of which game, start and codes.
    pub(super) solution: String,
    pub(super) directory: Option<PathBuf>,
    /// Threads of the process.
    pub(super) threads: usize,
    /// Bytes of the tables of a process; none means no bound.
    pub(super) table_bytes: Option<u64>,
    /// States of the solution; none means no bound.
    pub(super) most_states: Option<u64>,
    pub(super) stop: StopFlag,
    /// States that were expanded by the process.
    pub(super) expanded: Arc<AtomicU64>,
}

/// A thread that has a share of all states.
pub(super) struct LayerWorker<'w, const W: usize> {
    pub(super) worker: &'w mut Worker,
    pub(super) share: Share,
    pub(super) layers: LayerGame<W>,
    pub(super) store: Store,
    setting: &'w WorkerSetting<W>,
}

/// How the work of all workers ends.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    Solved(Solved),
    /// The game has no layers.
    Unsuited,
    /// What keeps a worker from going on.
    Halted(usize, WorkerHalt),
}

/// What is known of a game once all states are evaluated.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub(super) census: Census,
    /// What the start is worth, and what roles get under backward induction.
    pub(super) value: Vec<Worth>,
    pub(super) induced: Vec<Worth>,
    /// Joint moves of best play, by role as places in the circuit.
    pub(super) line: Vec<Vec<u32>>,
    pub(super) ends: Vec<Vec<Worth>>,
    pub(super) stuck: Option<Vec<u64>>,
    pub(super) valueless: Option<Vec<u64>>,
    /// States that are kept.
    pub(super) states: u64,
}

/// Why all workers stop, if they do before everything is done.
pub(super) type Stopped = Box<Ending>;

impl<'w, const W: usize> LayerWorker<'w, W> {
    pub(super) fn new(worker: &'w mut Worker, setting: &'w WorkerSetting<W>) -> Self {
        Self {
            share: Share {
                worker: worker.index(),
                workers: worker.peers(),
            },
            worker,
            layers: setting.layers.clone(),
            store: Store::new(setting.directory.as_deref()),
            setting,
        }
    }

    /// Solves the game with all other workers.
    pub(super) fn run(mut self) -> Ending {
        self.solve().unwrap_or_else(|stopped| *stopped)
    }

    fn solve(&mut self) -> Result<Ending, Stopped> {
        let mut checkpoint = self.resume()?;
        while !checkpoint.is_grown {
            self.grow(&mut checkpoint)?;
        }
        let Some(ends) = checkpoint.end_worths() else {
            let reason = "the checkpoint has a payoff that is none";
            return Ok(Ending::Halted(0, WorkerHalt::Failed(reason.to_owned())));
        };
        let Ok(mut folding) = Folding::closed(self.layers.roles(), &ends) else {
            return Ok(Ending::Unsuited);
        };
        let tables = self.table_bytes();
        while !checkpoint.is_finished() {
            self.evaluate(&mut checkpoint, tables, &mut folding)?;
        }
        let start = self.layers.start;
        let marks = self.known_marks(&[(0, start)])?;
        let Some(&Some(mark)) = marks.first() else {
            let reason = "the start is not among the states of the first layer";
            return Ok(Ending::Halted(0, WorkerHalt::Failed(reason.to_owned())));
        };
        Ok(Ending::Solved(Solved {
            census: self.census(&checkpoint.evaluated, &folding),
            value: folding.worths(mark.value).to_vec(),
            induced: folding.worths(mark.induced).to_vec(),
            line: self.line(checkpoint.layers.len(), &folding)?,
            ends,
            stuck: checkpoint.stuck,
            valueless: checkpoint.valueless,
            states: checkpoint.layers.iter().sum(),
        }))
    }

    /// The checkpoint that all workers have reached; the first layer is there.
    fn resume(&mut self) -> Result<Checkpoint, Stopped> {
        let solution = &self.setting.solution;
        let own = match &self.setting.directory {
            Some(directory) => Checkpoint::read(directory, solution),
            None => Ok(Checkpoint::new(solution)),
        };
        let all = self.agree(own.map_err(WorkerHalt::from))?;
        // A process may have been stopped before it wrote what another one did.
        let least = all.into_iter().min_by_key(Checkpoint::progress);
        let mut checkpoint = least.unwrap_or_else(|| Checkpoint::new(solution));
        if checkpoint.layers.is_empty() {
            let kept = self.keep_start().map_err(WorkerHalt::from);
            self.agree(kept)?;
            checkpoint.layers.push(1);
            self.save(&checkpoint)?;
        }
        Ok(checkpoint)
    }

    fn keep_start(&mut self) -> Result<(), ClusterError> {
        let start = self.layers.start;
        for shard in self.share.shards() {
            let codes = [start];
            let own = if shard_of(&start) == shard {
                &codes[..]
            } else {
                &[]
            };
            self.store.write_codes((0, shard), &Codes::of(own))?;
        }
        Ok(())
    }

    /// Adds a layer.
    fn grow(&mut self, checkpoint: &mut Checkpoint) -> Result<(), Stopped> {
        let known: u64 = checkpoint.layers.iter().sum();
        if self.setting.most_states.is_some_and(|most| known > most) {
            return Err(Box::new(Ending::Halted(0, WorkerHalt::States)));
        }
        let report = self.forward(checkpoint.layers.len() - 1);
        let reports = gather(self.worker, report);
        let mut states = 0;
        let (mut stuck, mut valueless) = (None, None);
        for (worker, report) in reports.into_iter().enumerate() {
            if let Some(halt) = report.halt {
                return Err(Box::new(Ending::Halted(worker, halt)));
            }
            if report.is_unsuited {
                return Err(Box::new(Ending::Unsuited));
            }
            states += report.states;
            checkpoint.add_ends(report.ends);
            stuck = least(stuck, report.stuck);
            valueless = least(valueless, report.valueless);
        }
        // The least state is told of the first layer that has one, whichever worker has it.
        checkpoint.stuck = checkpoint.stuck.take().or(stuck);
        checkpoint.valueless = checkpoint.valueless.take().or(valueless);
        if states == 0 {
            checkpoint.is_grown = true;
        } else {
            checkpoint.layers.push(states);
        }
        self.save(checkpoint)
    }

    /// Evaluates the last layer that is not.
    fn evaluate(
        &mut self,
        checkpoint: &mut Checkpoint,
        table_bytes: Option<u64>,
        folding: &mut Folding,
    ) -> Result<(), Stopped> {
        let layer = checkpoint.layers.len() - 1 - checkpoint.evaluated.len();
        let next = checkpoint.layers.get(layer + 1).copied();
        let passes = self.passes(next.unwrap_or(0), table_bytes);
        let report = self.backward((layer, next.is_none()), passes, folding);
        let mut sum = Counts::default();
        for (worker, report) in gather(self.worker, report).into_iter().enumerate() {
            if let Some(halt) = report.halt {
                return Err(Box::new(Ending::Halted(worker, halt)));
            }
            sum.add(&report.counts);
        }
        checkpoint.evaluated.push(sum);
        self.save(checkpoint)
    }

    /// In how many passes a layer is looked at whose states are in tables of so many bytes a process at most.
    fn passes(&self, states: u64, table_bytes: Option<u64>) -> usize {
        let Some(bytes) = table_bytes else {
            return 1;
        };
        let own = states / self.share.workers as u64 * self.setting.threads as u64;
        let needed = own.saturating_mul(Lookup::<W>::BYTES_PER_STATE);
        // All workers have to make as many passes, and the least share of shards bounds them.
        let most = (SHARDS / self.share.workers).max(1);
        usize::try_from(needed.div_ceil(bytes.max(1)))
            .unwrap_or(most)
            .clamp(1, most)
    }

    /// The least bound of all processes on their tables.
    fn table_bytes(&mut self) -> Option<u64> {
        let all = gather(self.worker, self.setting.table_bytes);
        all.into_iter().flatten().min()
    }

    /// The counts of all layers.
    fn census(&self, evaluated: &[Counts], folding: &Folding) -> Census {
        let mut sum = Counts::default();
        evaluated.iter().for_each(|counts| sum.add(counts));
        Census {
            states: sum.states,
            worths: folding.vectors(),
            longest: sum.longest,
        }
    }

    /// Writes the checkpoint, if there is a directory for it.
    fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), Stopped> {
        let Some(directory) = &self.setting.directory else {
            return Ok(());
        };
        let is_first = self.share.worker.is_multiple_of(self.setting.threads);
        let written = if is_first {
            checkpoint.write(directory)
        } else {
            Ok(())
        };
        self.agree(written.map_err(WorkerHalt::from)).map(|_| ())
    }

    /// What all workers have, by worker; or the halt of the first that has some.
    pub(super) fn agree<T>(&mut self, own: Result<T, WorkerHalt>) -> Result<Vec<T>, Stopped>
    where
        T: Clone + Send + serde::Serialize + for<'d> serde::Deserialize<'d> + 'static,
    {
        let all = gather(self.worker, own).into_iter().enumerate();
        let all =
            all.map(|(worker, own)| own.map_err(|halt| Box::new(Ending::Halted(worker, halt))));
        all.collect()
    }

    /// Stops if somebody asked for it; else so many states are expanded.
    pub(super) fn poll(&self, states: usize) -> Result<(), WorkerHalt> {
        self.setting
            .expanded
            .fetch_add(states as u64, Ordering::Relaxed);
        self.setting.stop.poll().map_err(WorkerHalt::from)
    }

    /// The states of a shard of a layer.
    pub(super) fn codes(&self, shard: (usize, usize)) -> Result<Codes, WorkerHalt> {
        self.store.codes(shard).map_err(WorkerHalt::from)
    }

    /// The marks of a shard of a layer.
    pub(super) fn marks(&self, shard: (usize, usize)) -> Result<Vec<Mark>, WorkerHalt> {
        self.store.marks(shard).map_err(WorkerHalt::from)
    }
}

/// The lesser of two states, if there are any.
fn least(one: Option<Vec<u64>>, other: Option<Vec<u64>>) -> Option<Vec<u64>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
