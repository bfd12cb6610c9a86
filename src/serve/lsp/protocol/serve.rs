//! The threads of a session: one reads, one writes, and between them is the one that holds the documents.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::serve::lsp::protocol::event::{Ending, Event};
use crate::serve::lsp::protocol::session::EditorSession;
use crate::serve::lsp::protocol::transport::{self, Outgoing};

/// Serves one client until it leaves.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Ending {
    let (events, arriving) = channel();
    let (outbox, outgoing) = channel();
    let reading = events.clone();
    // Not joined: a client that has left without closing its end keeps it waiting.
    thread::spawn(move || read_all(input, &reading));
    let writer = thread::spawn(move || write_all(output, &outgoing));
    let mut session = EditorSession::new(outbox, events);
    let ending = run(&mut session, &arriving);
    // The session has the last sender of the writer, which ends with it.
    drop(session);
    // What was answered is written before the program ends; a writer that failed has no stream to tell it on.
    let _ = writer.join();
    ending
}

fn run(session: &mut EditorSession, arriving: &Receiver<Event>) -> Ending {
    while let Ok(first) = arriving.recv() {
        let mut events = vec![first];
        // The cancellation of a request stands behind it, and counts only if it is seen first.
        events.extend(arriving.try_iter());
        session.note_cancelled(&events);
        for event in events {
            if let Some(ending) = session.take(event) {
                return ending;
            }
        }
    }
    Ending::Abrupt
}

fn read_all(mut input: impl BufRead, events: &Sender<Event>) {
    while let Ok(Some(incoming)) = transport::read(&mut input) {
        if events.send(Event::Incoming(incoming)).is_err() {
            return;
        }
    }
    // The session may have ended first; then the event is of no use.
    let _ = events.send(Event::End);
}

fn write_all(mut output: impl Write, outgoing: &Receiver<Outgoing>) {
    for one in outgoing {
        // A client that does not read any more has left; the reader will see the end of its stream.
        if transport::write(&mut output, one).is_err() {
            return;
        }
    }
}
