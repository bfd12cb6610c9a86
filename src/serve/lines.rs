//! The protocol as lines of JSON on a pair of streams.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Sender, channel};

use crate::serve::protocol::{Code, Failure, Message, read};
use crate::serve::session::Opening;
use crate::serve::worker::Worker;

/// Bytes of a line.
const LONGEST_LINE: usize = 256 << 20;

/// Which of the streams failed.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The requests cannot be read.
    #[error("requests cannot be read: {0}")]
    Input(#[source] std::io::Error),
    /// The messages cannot be written.
    #[error("messages cannot be written: {0}")]
    Output(#[source] std::io::Error),
}

/// Answers the requests of `input`, a line each, on `output` until the input ends; what was asked for by then is done
/// first. Memory is in bytes.
///
/// # Errors
/// If the input cannot be read or the output not be written, such as when its reader is gone.
pub fn serve(
    opening: Option<Opening>,
    memory: usize,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> Result<(), StreamError> {
    let worker = Worker::start(opening, memory);
    let (messages, written) = channel::<Message>();
    let writer = std::thread::spawn(move || write(output, written));
    let mut line = Vec::new();
    let result = loop {
        match next_line(&mut input, &mut line) {
            Ok(Line::End) => break Ok(()),
            Ok(Line::Whole) if line.trim_ascii().is_empty() => {}
            Ok(Line::Whole) => take(&worker, &messages, &line),
            Ok(Line::TooLong) => {
                let message = format!("a line has at most {} MiB", LONGEST_LINE >> 20);
                let _ = messages.send(Message::Error {
                    id: None,
                    error: Failure::new(Code::Limit, message),
                });
            }
            Err(error) => break Err(StreamError::Input(error)),
        }
        // The writer ends early only if the output is closed: answers have no reader then, and work on them stops.
        if writer.is_finished() {
            worker.cancel_all();
            break Ok(());
        }
    };
    // In this order: the worker answers what is queued, and when the last sender is gone the writer ends.
    drop(worker);
    drop(messages);
    match writer.join() {
        Ok(written) => written.map_err(StreamError::Output).and(result),
        Err(_) => result,
    }
}

/// Hands a request to the worker.
fn take(worker: &Worker, messages: &Sender<Message>, line: &[u8]) {
    match read(line) {
        Ok(request) => {
            let messages = messages.clone();
            // The stream of messages may be closed; then they are of no use.
            let reply = move |message| drop(messages.send(message));
            worker.take(request, Box::new(reply));
        }
        Err(fault) => drop(messages.send(fault)),
    }
}

fn write(
    mut output: impl Write,
    messages: std::sync::mpsc::Receiver<Message>,
) -> std::io::Result<()> {
    for message in messages {
        let mut line = serde_json::to_vec(&message)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

/// What was read.
enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads a line of bounded length; of one that is too long nothing is kept.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Line> {
    line.clear();
    let mut is_too_long = false;
    loop {
        let found = input.fill_buf()?;
        if found.is_empty() {
            // The end of the stream ends a line, too; the call after it finds nothing, and that is the end.
            return Ok(match (line.is_empty(), is_too_long) {
                (_, true) => Line::TooLong,
                (true, false) => Line::End,
                (false, false) => Line::Whole,
            });
        }
        let end = found.iter().position(|&byte| byte == b'\n');
        let part = &found[..end.unwrap_or(found.len())];
        // The flag stays although the line is cleared: the rest of a long line is passed over, too.
        is_too_long |= line.len() + part.len() > LONGEST_LINE;
        if is_too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(found.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(if is_too_long {
                Line::TooLong
            } else {
                Line::Whole
            });
        }
    }
}
