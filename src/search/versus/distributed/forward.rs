//! From a layer to the next one.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::circuit::successors::{After, Successors};
use crate::search::versus::codes::{Code, Codes};
use crate::search::versus::distributed::cluster::ClusterError;
use crate::search::versus::distributed::collector::ShardCollector;
use crate::search::versus::distributed::exchange::Channel;
use crate::search::versus::distributed::messages::{Run, WorkerHalt};
use crate::search::versus::distributed::shard::{SHARDS, Share, shard_of};
use crate::search::versus::distributed::worker::LayerWorker;
use crate::search::versus::layers::BATCH;
use crate::search::versus::worth::Worth;

/// Successors of a shard that are collected before they are sorted and sent.
const RUN: usize = 1 << 15;

/// What a worker says of a layer that it expanded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ForwardReport {
    /// States of the next layer that it has.
    pub(super) states: u64,
    /// Whether several roles choose at once in some state, or a state is not where the measure says.
    pub(super) is_unsuited: bool,
    /// The payoffs of ends that it met.
    pub(super) ends: Vec<Vec<Option<u8>>>,
    /// The least state in which a role can do nothing, and the least end without a payoff.
    pub(super) stuck: Option<Vec<u64>>,
    pub(super) valueless: Option<Vec<u64>>,
    pub(super) halt: Option<WorkerHalt>,
}

/// The states of a layer that a worker receives, by place among its shards.
type Collectors = Rc<RefCell<Vec<ShardCollector>>>;

impl<const W: usize> LayerWorker<'_, W> {
    /// Expands the worker's states of a layer, and keeps its states of the next one.
    pub(super) fn forward(&mut self, layer: usize) -> ForwardReport {
        let share = self.share;
        let collectors = share.shards().map(|_| ShardCollector::default());
        let collectors: Collectors = Rc::new(RefCell::new(collectors.collect()));
        let receive = {
            let collectors = Rc::clone(&collectors);
            move |run: Run| {
                let codes = Codes::of_bytes(run.bytes, run.states as usize);
                collectors.borrow_mut()[share.place(run.shard as usize)].add::<W>(codes);
            }
        };
        let mut sender = RunSender {
            share,
            channel: Channel::open(self.worker, receive),
            collectors: Rc::clone(&collectors),
            open: vec![Vec::new(); SHARDS],
        };
        let mut report = ForwardReport::default();
        // What keeps the worker from going on is told once all are done.
        if let Err(halt) = self.expand_layer(layer, &mut sender, &mut report) {
            report.halt = Some(halt);
        }
        sender.flush();
        sender.channel.close(self.worker);
        let collectors = collectors.take();
        if report.halt.is_none()
            && !report.is_unsuited
            && let Err(error) = self.keep(layer + 1, collectors, &mut report)
        {
            report.halt = Some(error.into());
        }
        report
    }

    fn expand_layer(
        &mut self,
        layer: usize,
        sender: &mut RunSender<W>,
        report: &mut ForwardReport,
    ) -> Result<(), WorkerHalt> {
        let mut found = Successors::default();
        for shard in self.share.shards() {
            let codes = self.codes((layer, shard))?;
            for batch in codes.batches(BATCH) {
                self.poll(batch.len())?;
                self.layers.expand(&batch, &mut found);
                self.note_ends(&batch, &found, report);
                if report.is_unsuited {
                    return Ok(());
                }
                found.codes.iter().for_each(|code| sender.add(code));
                self.worker.step();
            }
        }
        Ok(())
    }

    /// Notes what the ends among expanded states show.
    fn note_ends(&self, batch: &[Code<W>], found: &Successors<W>, report: &mut ForwardReport) {
        for (code, &after) in batch.iter().zip(&found.after) {
            let worths = match after {
                After::Choice(_) => continue,
                After::Joint => {
                    report.is_unsuited = true;
                    return;
                }
                After::Stuck => {
                    note_least(&mut report.stuck, code);
                    vec![Worth::NONE; self.layers.roles()]
                }
                After::End(number) => {
                    let worths = self.layers.worths(number);
                    if worths.contains(&Worth::NONE) {
                        note_least(&mut report.valueless, code);
                    }
                    worths
                }
            };
            let points: Vec<Option<u8>> = worths.iter().map(|worth| worth.points()).collect();
            if !report.ends.contains(&points) {
                report.ends.push(points);
            }
        }
    }

    /// Keeps the states of a layer that were received, if the measure says that they are in it.
    fn keep(
        &mut self,
        layer: usize,
        collectors: Vec<ShardCollector>,
        report: &mut ForwardReport,
    ) -> Result<(), ClusterError> {
        for (shard, collector) in self.share.shards().zip(collectors) {
            let codes: Vec<Code<W>> = collector.finish();
            if !codes.iter().all(|code| self.layers.belongs(code, layer)) {
                report.is_unsuited = true;
                return Ok(());
            }
            report.states += codes.len() as u64;
            self.store.write_codes((layer, shard), &Codes::of(&codes))?;
        }
        Ok(())
    }
}

fn note_least<const W: usize>(least: &mut Option<Vec<u64>>, code: &Code<W>) {
    if least.as_ref().is_none_or(|least| least[..] > code[..]) {
        *least = Some(code.to_vec());
    }
}

/// Sends successors to the workers that have them, sorted.
struct RunSender<const W: usize> {
    share: Share,
    channel: Channel<Run>,
    /// Of the worker itself.
    collectors: Collectors,
    /// By shard, successors that were not sent as yet.
    open: Vec<Vec<Code<W>>>,
}

impl<const W: usize> RunSender<W> {
    fn add(&mut self, code: &Code<W>) {
        let shard = shard_of(code);
        self.open[shard].push(*code);
        if self.open[shard].len() == RUN {
            self.send(shard);
        }
    }

    fn flush(&mut self) {
        for shard in 0..SHARDS {
            if !self.open[shard].is_empty() {
                self.send(shard);
            }
        }
    }

    fn send(&mut self, shard: usize) {
        let run = Codes::of_unsorted(&mut self.open[shard]);
        self.open[shard].clear();
        let owner = self.share.owner(shard);
        if owner == self.share.worker {
            self.collectors.borrow_mut()[self.share.place(shard)].add::<W>(run);
        } else {
            self.channel.send(Run {
                to: owner as u32,
                shard: shard as u32,
                states: run.len() as u32,
                bytes: run.into_bytes(),
            });
        }
    }
}
