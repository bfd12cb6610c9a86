//! What the states of a layer are worth, given what those of the next one are.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::circuit::successors::{After, Successors};
use crate::search::versus::distributed::checkpoint::Counts;
use crate::search::versus::distributed::messages::WorkerHalt;
use crate::search::versus::distributed::requests::{RequestSender, Tables};
use crate::search::versus::distributed::worker::LayerWorker;
use crate::search::versus::folding::{Folding, TooManyVectors};
use crate::search::versus::layers::{Accumulated, BATCH, Census};
use crate::search::versus::lookup::{Lookup, Mark};
use crate::search::versus::worth::Worth;

/// Requests of a worker that may be open before it waits for answers.
const MOST_OPEN: usize = 64;

/// Not met, as all payoffs that choices can make are numbered before.
const TOO_MANY_PAYOFFS: &str = "too many payoffs";

/// What a worker says of a layer that it evaluated.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct BackwardReport {
    pub(super) counts: Counts,
    pub(super) halt: Option<WorkerHalt>,
}

/// What is known of the states of a layer that a worker has: all its shards, one behind the other.
pub(super) struct Evaluation {
    states: Vec<Accumulated>,
    folding: Folding,
    /// Whether there were more payoffs than numbers.
    is_overfull: bool,
}

impl Evaluation {
    /// Adds what a successor of a state is worth.
    #[inline]
    pub(super) fn add(&mut self, parent: u32, mark: Mark) {
        let state = &mut self.states[parent as usize];
        if state.add(mark, &mut self.folding).is_err() {
            self.is_overfull = true;
        }
    }
}

impl<const W: usize> LayerWorker<'_, W> {
    /// Evaluates the worker's states of a layer, in so many passes, each of which looks at a part of the next layer.
    pub(super) fn backward(
        &mut self,
        (layer, is_last): (usize, bool),
        passes: usize,
        folding: &mut Folding,
    ) -> BackwardReport {
        let evaluation = Rc::new(RefCell::new(Evaluation {
            states: Vec::new(),
            folding: std::mem::replace(folding, Folding::new(0)),
            is_overfull: false,
        }));
        let mut done = Ok(());
        for pass in 0..passes {
            // A layer without a next one has empty tables, as a worker that cannot go on has: others still ask it.
            let nothing = || self.share.shards().map(|_| Lookup::new(0)).collect();
            let tables = match (done, is_last) {
                (Ok(()), false) => self.tables(layer + 1, (pass, passes)),
                (done, _) => done.map(|()| nothing()),
            };
            let (tables, ready) = match tables {
                Ok(tables) => (tables, Ok(())),
                Err(halt) => (nothing(), Err(halt)),
            };
            let mut sender = RequestSender::open(self, (pass, passes), tables, &evaluation);
            done = ready.and_then(|()| self.ask_layer((layer, pass), (&mut sender, &evaluation)));
            sender.close(self);
        }
        // What received answers was dropped with the channels.
        let evaluation = Rc::into_inner(evaluation).map(RefCell::into_inner);
        let counts = match evaluation {
            None => Err(WorkerHalt::Failed("an evaluation is shared".to_owned())),
            Some(evaluation) => {
                let counts = done.and_then(|()| self.keep_marks(layer, &evaluation));
                *folding = evaluation.folding;
                counts
            }
        };
        match counts {
            Ok(counts) => BackwardReport { counts, halt: None },
            Err(halt) => BackwardReport {
                counts: Counts::default(),
                halt: Some(halt),
            },
        }
    }

    /// A table for each shard of a layer that the worker has; an empty one if the pass does not look at it.
    fn tables(
        &self,
        layer: usize,
        (pass, passes): (usize, usize),
    ) -> Result<Tables<W>, WorkerHalt> {
        let shards = self.share.shards();
        let tables = shards.map(|shard| {
            if self.share.place(shard) % passes != pass {
                return Ok(Lookup::new(0));
            }
            let (codes, marks) = (self.codes((layer, shard))?, self.marks((layer, shard))?);
            let mut table = Lookup::new(codes.len());
            for (code, mark) in codes.iter().zip(marks) {
                table.insert(code, mark);
            }
            Ok(table)
        });
        tables.collect()
    }

    /// Expands the worker's states of a layer and asks what their successors are worth.
    fn ask_layer(
        &mut self,
        (layer, pass): (usize, usize),
        (sender, evaluation): (&mut RequestSender<W>, &RefCell<Evaluation>),
    ) -> Result<(), WorkerHalt> {
        let mut found = Successors::default();
        let mut first = 0_u32;
        for shard in self.share.shards() {
            let codes = self.codes((layer, shard))?;
            for batch in codes.batches(BATCH) {
                self.poll(batch.len())?;
                self.layers.expand(&batch, &mut found);
                if pass == 0 {
                    self.begin(&found, &mut evaluation.borrow_mut())
                        .map_err(|TooManyVectors| {
                            WorkerHalt::Failed(TOO_MANY_PAYOFFS.to_owned())
                        })?;
                }
                let after = first.checked_add(batch.len() as u32).ok_or_else(|| {
                    let reason = "a worker has more states of a layer than can be numbered; there must be more workers";
                    WorkerHalt::Failed(reason.to_owned())
                })?;
                for (code, &from) in found.codes.iter().zip(&found.from) {
                    sender.ask(code, first + from);
                }
                first = after;
                self.worker.step();
                sender.wait(self, MOST_OPEN);
            }
        }
        Ok(())
    }

    /// Notes who chooses in expanded states, and what ends among them are worth.
    fn begin(
        &self,
        found: &Successors<W>,
        evaluation: &mut Evaluation,
    ) -> Result<(), TooManyVectors> {
        let folding = &mut evaluation.folding;
        for &after in &found.after {
            evaluation.states.push(match after {
                After::Choice(role) => Accumulated::choice(role as u8),
                After::End(number) => Accumulated::end(match folding.end(number) {
                    Some(known) => known,
                    None => folding.note_end(number, self.layers.worths(number))?,
                }),
                After::Stuck | After::Joint => {
                    Accumulated::end(folding.number(vec![Worth::NONE; self.layers.roles()])?)
                }
            });
        }
        Ok(())
    }

    /// Keeps and counts the marks of the worker's states of a layer.
    fn keep_marks(&mut self, layer: usize, evaluation: &Evaluation) -> Result<Counts, WorkerHalt> {
        if evaluation.is_overfull {
            return Err(WorkerHalt::Failed(TOO_MANY_PAYOFFS.to_owned()));
        }
        let folding = &evaluation.folding;
        let mut census = Census::new(self.layers.roles());
        let mut states = evaluation.states.iter();
        for shard in self.share.shards() {
            let codes = self.codes((layer, shard))?;
            let mut marks = Vec::with_capacity(codes.len());
            for (code, state) in codes.iter::<W>().zip(states.by_ref()) {
                let mark = state.mark(folding);
                let orbit = self.layers.symmetries.orbit(&code);
                census.count((state.chooser(), mark), orbit, folding);
                marks.push(mark);
            }
            self.store.write_marks((layer, shard), &marks)?;
        }
        let vectors = folding.vectors().len();
        census
            .states
            .iter_mut()
            .for_each(|row| row.truncate(vectors));
        Ok(Counts {
            states: census.states,
            longest: census.longest,
        })
    }
}
