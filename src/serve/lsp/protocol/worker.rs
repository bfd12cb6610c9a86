//! The threads that study texts: one for what is wrong with them and for domains, which takes a fraction of a second,
//! and one for what is evaluated, which may take long.
//!
//! Of several texts of one document only the newest is studied. A newer one raises the flag of the one
//! before, so that its evaluation stops. A text is studied when it has not been edited for a moment: the requests that follow a
//! keystroke have the machine to themselves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::limits::Limits;
use crate::serve::lsp::protocol::event::Event;
use crate::serve::lsp::protocol::study::{StudyFinding, StudyJob, StudyResult};
use crate::serve::lsp::sheet::{Study, diagnose};
use crate::syntax::Source;

/// Steps of one evaluation, some seconds.
const MAX_STEPS: u64 = 20_000_000;

/// How long a text rests before it is studied; shorter than what is seen, and than the pause of a key that is held down.
const REST: Duration = Duration::from_millis(25);

/// A job of which the rules are known.
struct Evaluation {
    job: StudyJob,
    study: Study,
}

/// Starts the threads; they end when the sender is dropped.
pub(super) fn start(events: Sender<Event>) -> Sender<StudyJob> {
    let (jobs, incoming) = channel();
    let (evaluations, evaluated) = channel();
    let slow_events = events.clone();
    thread::spawn(move || {
        each_newest(
            &incoming,
            REST,
            |job: &StudyJob| &job.uri,
            |job| examine(job, &events, &evaluations),
        );
    });
    thread::spawn(move || {
        each_newest(
            &evaluated,
            Duration::ZERO,
            |evaluation: &Evaluation| &evaluation.job.uri,
            |evaluation| evaluate(evaluation, &slow_events),
        );
    });
    jobs
}

/// Does the jobs that arrive, in order, but for those that are older than another one of the same document; begins when
/// none has arrived for a while.
fn each_newest<J>(
    incoming: &Receiver<J>,
    rest: Duration,
    uri: impl Fn(&J) -> &str,
    mut work: impl FnMut(J),
) {
    let mut waiting: Vec<J> = Vec::new();
    loop {
        if waiting.is_empty() {
            match incoming.recv() {
                Ok(job) => waiting.push(job),
                Err(_) => return,
            }
        }
        while let Ok(job) = incoming.recv_timeout(rest) {
            // The newest goes to the end: a document that is edited all the time does not hold up the others.
            waiting.retain(|older| uri(older) != uri(&job));
            waiting.push(job);
        }
        let job = waiting.remove(0);
        // A fault in one text leaves the thread for the others; where it comes from has been said by then.
        let _ = catch_unwind(AssertUnwindSafe(|| work(job)));
    }
}

fn limits(job: &StudyJob) -> Limits {
    Limits {
        steps: Some(MAX_STEPS),
        stop: job.stop.clone(),
        ..Limits::default()
    }
}

/// Validates a text, and hands it on if it can be played.
fn examine(job: StudyJob, events: &Sender<Event>, evaluations: &Sender<Evaluation>) {
    let source = Source::new(job.uri.as_str(), job.text.as_str());
    let (diagnostics, study) = diagnose(&source, &limits(&job));
    send(events, &job, StudyFinding::Diagnostics(diagnostics));
    if let Some(study) = study {
        send(
            events,
            &job,
            StudyFinding::Domains(Arc::new(study.domains())),
        );
        // Refused only if the session has ended.
        let _ = evaluations.send(Evaluation { job, study });
    }
}

/// Evaluates the initial state and the effects of moves.
fn evaluate(mut evaluation: Evaluation, events: &Sender<Event>) {
    let limits = limits(&evaluation.job);
    // What reaches a limit is not sent, so that what is known of an earlier text stays.
    if let Ok(start) = evaluation.study.start(&limits) {
        send(
            events,
            &evaluation.job,
            StudyFinding::Start(Arc::new(start)),
        );
    }
    if let Ok(effects) = evaluation.study.effects(&limits) {
        send(
            events,
            &evaluation.job,
            StudyFinding::Effects(Arc::new(effects)),
        );
    }
}

fn send(events: &Sender<Event>, job: &StudyJob, found: StudyFinding) {
    let result = StudyResult {
        uri: job.uri.clone(),
        version: job.version,
        found,
    };
    // Refused only if the session has ended.
    let _ = events.send(Event::Result(Box::new(result)));
}
