//! A thread that answers requests one after the other, and can be told to stop what it does.
//!
//! Terms of a game live where they are made, so that a session never leaves its thread; requests come in through a
//! queue, messages go out through whatever the asker gave. While one request is worked on, a second thread says how
//! far it is, and stops it when time or memory runs out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indexmap::{IndexMap, IndexSet};

use crate::limits::{Limits, Progress, Stage, StopFlag, StopReason};
use crate::serve::protocol::{Answer, Cancelled, Code, Failure, Id, Message, Request, Seen, Task};
use crate::serve::session::{Opening, Session};
use crate::serve::watch::{Watch, over_memory};

/// How often time and memory are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How often it is said how far work is.
const SAY: Duration = Duration::from_millis(300);

/// Takes the messages about a request.
pub(super) type Reply = Box<dyn Fn(Message) + Send + Sync>;

/// A request that waits for its turn.
struct QueuedRequest {
    request: Request,
    reply: Arc<Reply>,
}

/// What both sides of the queue know.
#[derive(Default)]
struct Shared {
    stop: StopFlag,
    progress: Progress,
    work: Mutex<OpenRequests>,
}

/// What is to be done.
#[derive(Default)]
struct OpenRequests {
    /// The requests that are not done, and whether they were cancelled.
    open: IndexMap<Id, bool>,
    /// The one that is worked on.
    current: Option<Id>,
}

/// The thread, from outside. Dropping it has the thread finish what was asked for.
pub(super) struct Worker {
    queue: Option<Sender<QueuedRequest>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
}

impl Worker {
    /// Starts with a game, or without one; a game that cannot be played is answered for by `opened`.
    pub(super) fn start(opening: Option<Opening>, memory: usize) -> Self {
        let (queue, jobs) = channel();
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let thread = std::thread::spawn(move || work(&own, opening, memory, &jobs));
        Self {
            queue: Some(queue),
            thread: Some(thread),
            shared,
        }
    }

    /// Puts a request into the queue; one to cancel another is answered at once.
    pub(super) fn take(&self, request: Request, reply: Reply) {
        if let Task::Cancel { target } = &request.task {
            let cancelled = self.cancel(target);
            let result = Box::new(Answer::Cancelled(Cancelled { cancelled }));
            return reply(Message::Result {
                id: request.id,
                result,
            });
        }
        let id = request.id.clone();
        // All requests to one worker come from one thread, so that none with the same id comes in between.
        if self.shared.work().open.contains_key(&id) {
            let message = "a request with this id is not done yet";
            return reply(failed(id, Failure::new(Code::IdInUse, message)));
        }
        self.shared.work().open.insert(id.clone(), false);
        let reply = Arc::new(reply);
        let job = QueuedRequest {
            request,
            reply: reply.clone(),
        };
        // The queue is closed only if the thread is gone.
        let sent = self
            .queue
            .as_ref()
            .is_some_and(|queue| queue.send(job).is_ok());
        if !sent {
            self.shared.end(&id);
            let message = "nobody is there to answer";
            reply(failed(id, Failure::new(Code::Internal, message)));
        }
    }

    /// Stops the work on a request; says whether there was any to stop.
    pub(super) fn cancel(&self, target: &Id) -> bool {
        let mut work = self.shared.work();
        let Some(is_cancelled) = work.open.get_mut(target) else {
            return false;
        };
        // A request that waits is refused when its turn comes; the one that is worked on is stopped now.
        *is_cancelled = true;
        if work.current.as_ref() == Some(target) {
            self.shared.stop.raise(StopReason::Interrupted);
        }
        true
    }

    /// Stops everything that was asked for.
    pub(super) fn cancel_all(&self) {
        // Collected first, since each cancellation takes the lock.
        let open: IndexSet<Id> = self.shared.work().open.keys().cloned().collect();
        for id in &open {
            self.cancel(id);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The loop of the thread ends when the queue is closed and empty.
        self.queue.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was told where it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// What is to be done. A thread that panicked while it held the lock left nothing half done.
    fn work(&self) -> MutexGuard<'_, OpenRequests> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a request, unless it was cancelled.
    fn begin(&self, id: &Id) -> bool {
        let mut work = self.work();
        if work.open.get(id) == Some(&true) {
            return false;
        }
        // Under the lock, so that a flag raised for the request before does not stop this one.
        self.stop.clear();
        self.progress.begin(Stage::Idle, None);
        work.current = Some(id.clone());
        true
    }

    fn end(&self, id: &Id) {
        let mut work = self.work();
        work.current = None;
        work.open.shift_remove(id);
    }
}

/// Answers requests until there are no more.
fn work(
    shared: &Arc<Shared>,
    opening: Option<Opening>,
    memory: usize,
    jobs: &Receiver<QueuedRequest>,
) {
    let mut session = Session::new(Limits {
        stop: shared.stop.clone(),
        progress: shared.progress.clone(),
        ..Limits::default()
    });
    if let Some(Opening { name, text }) = opening {
        // What is wrong with the rules was told before; a request about them is told that there is no game.
        let _ = answer(&mut session, Task::Load { text, name });
    }
    for QueuedRequest { request, reply } in jobs {
        let id = request.id;
        if !shared.begin(&id) {
            shared.end(&id);
            reply(failed(id, StopReason::Interrupted.into()));
            continue;
        }
        let watch = watch(shared, &id, &reply, (request.max_seconds, memory));
        let answer = answer(&mut session, request.task);
        // In this order: no progress follows the answer, and its id is free before anybody can read it.
        drop(watch);
        shared.end(&id);
        reply(match answer {
            Ok(answer) => Message::Result {
                id,
                result: Box::new(answer),
            },
            Err(failure) => failed(id, failure),
        });
    }
}

/// Does what is asked for. A panic is a failure of it alone, and the thread goes on.
fn answer(session: &mut Session, task: Task) -> Result<Answer, Failure> {
    // After a panic the game is forgotten, so that nothing half changed is read.
    catch_unwind(AssertUnwindSafe(|| session.answer(task))).unwrap_or_else(|_| {
        session.forget();
        let message = "this is a bug in flux; please report it. The game is to be loaded again";
        Err(Failure::new(Code::Internal, message))
    })
}

fn failed(id: Id, error: Failure) -> Message {
    Message::Error {
        id: Some(id),
        error,
    }
}

/// Watches over the work on one request until the watch is dropped: says how far it is, and stops it when time or memory
/// runs out.
fn watch(
    shared: &Arc<Shared>,
    id: &Id,
    reply: &Arc<Reply>,
    (seconds, memory): (Option<f64>, usize),
) -> Watch {
    // A number that no duration holds, such as 1e30, is no limit.
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let (flag, shared) = (shared.stop.clone(), shared.clone());
    let (id, reply) = (id.clone(), reply.clone());
    let mut said = Duration::ZERO;
    Watch::start(flag, time, LOOK, move |passed| {
        if passed - said >= SAY {
            said = passed;
            reply(Message::Progress {
                id: id.clone(),
                progress: seen(&shared.progress),
            });
        }
        over_memory(memory)
    })
}

fn seen(progress: &Progress) -> Seen {
    let seen = progress.seen();
    let (stage, unit) = seen.stage.words();
    Seen {
        stage,
        done: seen.done,
        unit,
        total: seen.total,
        best: seen.best,
    }
}
