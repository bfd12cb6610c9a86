//! What the states of a layer are worth, given what those of the next one are.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::circuit::successors::{After, Successors};
use crate::search::versus::codes::Code;
use crate::search::versus::distributed::checkpoint::Counts;
use crate::search::versus::distributed::exchange::{Channel, PARK_TIME};
use crate::search::versus::distributed::messages::{Reply, Request, WorkerHalt};
use crate::search::versus::distributed::shard::{SHARDS, Share, shard_of};
use crate::search::versus::distributed::store::{marks_of_bytes, marks_to_bytes};
use crate::search::versus::distributed::worker::LayerWorker;
use crate::search::versus::folding::{Folding, TooManyVectors};
use crate::search::versus::layers::{Accumulated, BATCH, Census};
use crate::search::versus::lookup::{Lookup, Mark};
use crate::search::versus::worth::Worth;

/// Successors that are asked for at once.
const REQUEST: usize = 1 << 13;

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
struct Evaluation {
    states: Vec<Accumulated>,
    folding: Folding,
    /// Whether there were more payoffs than numbers.
    is_overfull: bool,
}

impl Evaluation {
    fn add(&mut self, parent: u32, mark: Mark) {
        let state = &mut self.states[parent as usize];
        if state.add(mark, &mut self.folding).is_err() {
            self.is_overfull = true;
        }
    }
}

/// The requests of a worker that are not answered, with the places of the states that asked.
type Open = Rc<RefCell<BTreeMap<u32, Vec<u32>>>>;

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
            // A layer without a next one has an empty table, as a worker that cannot go on has: others still ask it.
            let table = match (done, is_last) {
                (Ok(()), false) => self.table(layer + 1, (pass, passes)),
                (done, _) => done.map(|()| Lookup::new(0)),
            };
            let (table, ready) = match table {
                Ok(table) => (table, Ok(())),
                Err(halt) => (Lookup::new(0), Err(halt)),
            };
            let mut sender = RequestSender::open(self, (pass, passes), Rc::new(table), &evaluation);
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

    /// A table of the worker's states of a layer that a pass looks at.
    fn table(
        &mut self,
        layer: usize,
        (pass, passes): (usize, usize),
    ) -> Result<Lookup<W>, WorkerHalt> {
        let share = self.share;
        let shards = share.shards();
        let shards: Vec<usize> = shards
            .filter(|&shard| share.place(shard) % passes == pass)
            .collect();
        let mut all = Vec::new();
        for &shard in &shards {
            all.push((self.codes((layer, shard))?, self.marks((layer, shard))?));
        }
        let mut table = Lookup::new(all.iter().map(|(codes, _)| codes.len()).sum());
        for (codes, marks) in all {
            for (code, mark) in codes.iter().zip(marks) {
                table.insert(code, mark);
            }
        }
        Ok(table)
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
                sender.answer_own(&mut evaluation.borrow_mut());
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

/// States that another worker is asked about.
#[derive(Clone, Debug, Default)]
struct Question {
    codes: Vec<u64>,
    parents: Vec<u32>,
}

/// Asks workers what states of the next layer are worth.
struct RequestSender<const W: usize> {
    share: Share,
    /// By shard, the worker that has it, if it is asked in this pass.
    owners: [Option<usize>; SHARDS],
    channel: Channel<Request>,
    table: Rc<Lookup<W>>,
    /// By worker, what was not sent as yet.
    questions: Vec<Question>,
    /// What the worker's own table is to be asked.
    own: (Vec<Code<W>>, Vec<u32>),
    marks: Vec<Mark>,
    open: Open,
    tickets: u32,
}

impl<const W: usize> RequestSender<W> {
    fn open(
        worker: &mut LayerWorker<'_, W>,
        (pass, passes): (usize, usize),
        table: Rc<Lookup<W>>,
        evaluation: &Rc<RefCell<Evaluation>>,
    ) -> Self {
        let share = worker.share;
        let open = Open::default();
        let answer = {
            let table = Rc::clone(&table);
            let mut marks = Vec::new();
            move |request: Request| {
                let (codes, _) = request.codes.as_chunks::<W>();
                table.find(codes, &mut marks);
                Reply {
                    to: request.from,
                    ticket: request.ticket,
                    marks: marks_to_bytes(&marks),
                }
            }
        };
        let receive = {
            let (open, evaluation) = (Rc::clone(&open), Rc::clone(evaluation));
            move |reply: Reply| {
                let parents = open.borrow_mut().remove(&reply.ticket).unwrap_or_default();
                let mut evaluation = evaluation.borrow_mut();
                for (parent, mark) in parents.into_iter().zip(marks_of_bytes(&reply.marks)) {
                    evaluation.add(parent, mark);
                }
            }
        };
        let is_asked = |shard: usize| share.place(shard) % passes == pass;
        Self {
            share,
            owners: std::array::from_fn(|shard| is_asked(shard).then(|| share.owner(shard))),
            channel: Channel::open_answered(worker.worker, answer, receive),
            table,
            questions: vec![Question::default(); share.workers],
            own: (Vec::new(), Vec::new()),
            marks: Vec::new(),
            open,
            tickets: 0,
        }
    }

    /// Asks whoever has it about a successor of a state, if that is asked in this pass.
    #[inline]
    fn ask(&mut self, code: &Code<W>, parent: u32) {
        let Some(worker) = self.owners[shard_of(code)] else {
            return;
        };
        if worker == self.share.worker {
            self.own.0.push(*code);
            self.own.1.push(parent);
            return;
        }
        let question = &mut self.questions[worker];
        question.codes.extend_from_slice(code);
        question.parents.push(parent);
        if question.parents.len() == REQUEST {
            self.send(worker);
        }
    }

    fn send(&mut self, worker: usize) {
        let question = std::mem::take(&mut self.questions[worker]);
        if question.parents.is_empty() {
            return;
        }
        self.open
            .borrow_mut()
            .insert(self.tickets, question.parents);
        self.channel.send(Request {
            to: worker as u32,
            from: self.share.worker as u32,
            ticket: self.tickets,
            codes: question.codes,
        });
        self.tickets = self.tickets.wrapping_add(1);
    }

    /// Looks up what the worker has itself.
    fn answer_own(&mut self, evaluation: &mut Evaluation) {
        let (codes, parents) = &mut self.own;
        self.table.find(codes, &mut self.marks);
        for (parent, &mark) in parents.drain(..).zip(&self.marks) {
            evaluation.add(parent, mark);
        }
        codes.clear();
    }

    /// Answers and receives until no more than so many requests are open.
    fn wait(&self, worker: &mut LayerWorker<'_, W>, most: usize) {
        while self.open.borrow().len() > most {
            worker.worker.step_or_park(Some(PARK_TIME));
        }
    }

    /// Sends what is left, and waits for all answers.
    fn close(mut self, worker: &mut LayerWorker<'_, W>) {
        for to in 0..self.share.workers {
            self.send(to);
        }
        self.channel.close(worker.worker);
    }
}
