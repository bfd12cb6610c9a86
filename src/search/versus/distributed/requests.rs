//! What states of the next layer are worth, asked of the workers that have them.
//!
//! Successors are collected by shard, and many of a shard are looked up at once, as in a partitioned hash join: the table of
//! a shard has a sixty-fourth of a layer, and stays in the caches while it is asked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::search::versus::codes::Code;
use crate::search::versus::distributed::backward::Evaluation;
use crate::search::versus::distributed::exchange::{Channel, PARK_TIME};
use crate::search::versus::distributed::messages::{Reply, Request};
use crate::search::versus::distributed::shard::{SHARDS, Share, shard_of};
use crate::search::versus::distributed::store::{marks_of_bytes, marks_to_bytes};
use crate::search::versus::distributed::worker::LayerWorker;
use crate::search::versus::lookup::{Lookup, Mark};

/// Successors of a shard that are asked for at once.
const REQUEST: usize = 1 << 13;

/// By place among the shards of a worker, a table of its states.
pub(super) type Tables<const W: usize> = Vec<Lookup<W>>;

/// States of a shard that are asked for, with the places of the states on which they follow.
#[derive(Clone, Debug, Default)]
struct Question<const W: usize> {
    codes: Vec<Code<W>>,
    parents: Vec<u32>,
}

/// Asks workers what states of the next layer are worth.
pub(super) struct RequestSender<const W: usize> {
    share: Share,
    /// By shard, whether it is asked in this pass.
    is_asked: [bool; SHARDS],
    channel: Channel<Request>,
    /// Of the worker itself.
    tables: Rc<Tables<W>>,
    marks: Vec<Mark>,
    evaluation: Rc<RefCell<Evaluation>>,
    /// By shard, what was not sent as yet.
    questions: Vec<Question<W>>,
    /// Requests that are not answered, with the places of the states that asked.
    open: Rc<RefCell<BTreeMap<u32, Vec<u32>>>>,
    tickets: u32,
}

impl<const W: usize> RequestSender<W> {
    /// For one of so many passes; answers are added to the evaluation.
    pub(super) fn open(
        worker: &mut LayerWorker<'_, W>,
        (pass, passes): (usize, usize),
        tables: Tables<W>,
        evaluation: &Rc<RefCell<Evaluation>>,
    ) -> Self {
        let share = worker.share;
        let (tables, open) = (Rc::new(tables), Rc::default());
        let answer = {
            let tables = Rc::clone(&tables);
            let mut marks = Vec::new();
            move |request: Request| {
                let (codes, _) = request.codes.as_chunks::<W>();
                tables[share.place(request.shard as usize)].find(codes, &mut marks);
                Reply {
                    to: request.from,
                    ticket: request.ticket,
                    marks: marks_to_bytes(&marks),
                }
            }
        };
        let receive = {
            let open: Rc<RefCell<BTreeMap<u32, Vec<u32>>>> = Rc::clone(&open);
            let evaluation = Rc::clone(evaluation);
            move |reply: Reply| {
                let parents = open.borrow_mut().remove(&reply.ticket).unwrap_or_default();
                let mut evaluation = evaluation.borrow_mut();
                for (parent, mark) in parents.into_iter().zip(marks_of_bytes(&reply.marks)) {
                    evaluation.add(parent, mark);
                }
            }
        };
        Self {
            share,
            is_asked: std::array::from_fn(|shard| share.place(shard) % passes == pass),
            channel: Channel::open_answered(worker.worker, answer, receive),
            tables,
            marks: Vec::new(),
            evaluation: Rc::clone(evaluation),
            questions: vec![Question::default(); SHARDS],
            open,
            tickets: 0,
        }
    }

    /// Asks for a successor of a state, if its shard is asked in this pass.
    #[inline]
    pub(super) fn ask(&mut self, code: &Code<W>, parent: u32) {
        let shard = shard_of(code);
        if !self.is_asked[shard] {
            return;
        }
        let question = &mut self.questions[shard];
        question.codes.push(*code);
        question.parents.push(parent);
        if question.parents.len() == REQUEST {
            self.send(shard);
        }
    }

    /// Looks up what the worker has itself, and sends everything else.
    fn send(&mut self, shard: usize) {
        let owner = self.share.owner(shard);
        let question = &mut self.questions[shard];
        if owner == self.share.worker {
            let table = &self.tables[self.share.place(shard)];
            table.find(&question.codes, &mut self.marks);
            question.codes.clear();
            let mut evaluation = self.evaluation.borrow_mut();
            for (parent, &mark) in question.parents.drain(..).zip(&self.marks) {
                evaluation.add(parent, mark);
            }
            return;
        }
        let question = std::mem::take(question);
        self.open
            .borrow_mut()
            .insert(self.tickets, question.parents);
        self.channel.send(Request {
            to: owner as u32,
            from: self.share.worker as u32,
            shard: shard as u32,
            ticket: self.tickets,
            codes: question.codes.into_flattened(),
        });
        self.tickets = self.tickets.wrapping_add(1);
    }

    /// Answers and receives until no more than so many requests are open.
    pub(super) fn wait(&self, worker: &mut LayerWorker<'_, W>, most: usize) {
        while self.open.borrow().len() > most {
            worker.worker.step_or_park(Some(PARK_TIME));
        }
    }

    /// Sends what is left, and waits for all answers.
    pub(super) fn close(mut self, worker: &mut LayerWorker<'_, W>) {
        for shard in 0..SHARDS {
            if !self.questions[shard].parents.is_empty() {
                self.send(shard);
            }
        }
        self.channel.close(worker.worker);
    }
}
