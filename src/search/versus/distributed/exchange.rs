//! Messages between workers, as dataflows of which each ends when all that was sent has arrived.
//!
//! All workers have to open the same channels in the same order, as timely dataflow requires.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use timely::communication::Push;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::Message as Envelope;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::{InputHandle, StreamVec};
use timely::progress::Stamp;
use timely::worker::Worker;

use crate::search::versus::distributed::messages::{Broadcast, Message};

/// How long a worker that has nothing to do waits for messages before it looks whether it should stop.
pub(super) const PARK_TIME: Duration = Duration::from_millis(10);

/// A way on which messages are sent to all workers: a dataflow that ends when all workers have closed it and all that was sent
/// has arrived.
pub(super) struct Channel<M: Message> {
    input: InputHandle<u64, CapacityContainerBuilder<Vec<M>>>,
    /// The number of the dataflow.
    dataflow: usize,
}

impl<M: Message> Channel<M> {
    /// Opens a channel; `receive` is given what is sent to this worker.
    pub(super) fn open(worker: &mut Worker, receive: impl FnMut(M) + 'static) -> Self {
        let dataflow = worker.next_dataflow_index();
        let mut input = InputHandle::new();
        worker.dataflow(|scope| deliver(scope.input_from(&mut input), receive));
        Self { input, dataflow }
    }

    /// Opens a channel whose messages are answered: `answer` is given what is sent to this worker, and `receive` what is
    /// answered to it.
    pub(super) fn open_answered<A: Message>(
        worker: &mut Worker,
        mut answer: impl FnMut(M) -> A + 'static,
        receive: impl FnMut(A) + 'static,
    ) -> Self {
        let dataflow = worker.next_dataflow_index();
        let mut input = InputHandle::new();
        worker.dataflow(|scope| {
            let sent = scope.input_from(&mut input);
            let answered = sent.unary::<CapacityContainerBuilder<Vec<A>>, _, _, _>(
                address(),
                "answer",
                |_, _| {
                    move |input, output| {
                        input.for_each_stamp(|stamp, batches| {
                            let mut session = output.session(&stamp);
                            for batch in batches {
                                batch
                                    .drain(..)
                                    .for_each(|asked| session.give(answer(asked)));
                            }
                        });
                    }
                },
            );
            deliver(answered, receive);
        });
        Self { input, dataflow }
    }

    pub(super) fn send(&mut self, message: M) {
        self.input.send(message);
        // Messages are large: each is sent by itself.
        self.input.flush();
    }

    /// Sends nothing more, and receives until everybody does so and everything has arrived. What was to be done on arrival
    /// is dropped then.
    pub(super) fn close(self, worker: &mut Worker) {
        self.input.close();
        while worker.installed_dataflows().contains(&self.dataflow) {
            worker.step_or_park(Some(PARK_TIME));
        }
    }
}

/// Gives messages to the worker to which they are sent.
fn deliver<M: Message>(sent: StreamVec<'_, u64, M>, mut receive: impl FnMut(M) + 'static) {
    sent.sink(address(), "receive", move |(input, _)| {
        input.for_each_stamp(|_, batches| {
            batches.for_each(|batch| batch.drain(..).for_each(&mut receive));
        });
    });
}

/// Sends each message at once to the worker that it is for. What timely dataflow has for this collects messages until there
/// are many; these are large, and whoever sends one waits for the answer.
struct SendAtOnce;

impl<M: Message> Distributor<Vec<M>> for SendAtOnce {
    fn partition<T: Clone, P: Push<Envelope<T, Vec<M>>>>(
        &mut self,
        messages: &mut Vec<M>,
        stamp: &Stamp<T>,
        workers: &mut [P],
    ) {
        for message in messages.drain(..) {
            let worker = &mut workers[message.to() as usize];
            Envelope::push_at(&mut vec![message], stamp.clone(), worker);
            worker.done();
        }
    }

    fn flush<T: Clone, P: Push<Envelope<T, Vec<M>>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// Messages go to the worker to which they are sent.
fn address() -> DistributorPact<impl FnOnce(usize) -> SendAtOnce> {
    DistributorPact(|_| SendAtOnce)
}

/// What all workers say, by worker.
pub(super) fn gather<T>(worker: &mut Worker, own: T) -> Vec<T>
where
    Broadcast<T>: Message,
    T: Clone,
{
    let received = Rc::new(RefCell::new(Vec::new()));
    let receive = {
        let received = Rc::clone(&received);
        move |message: Broadcast<T>| received.borrow_mut().push(message)
    };
    let (from, workers) = (worker.index() as u32, worker.peers() as u32);
    let mut channel = Channel::open(worker, receive);
    for to in 0..workers {
        channel.send(Broadcast {
            to,
            from,
            what: own.clone(),
        });
    }
    channel.close(worker);
    let mut received = received.take();
    received.sort_unstable_by_key(|message| message.from);
    received.into_iter().map(|message| message.what).collect()
}
