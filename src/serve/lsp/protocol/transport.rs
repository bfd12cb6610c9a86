//! Messages on a pair of streams: a header with a length, an empty line, and JSON.
//!
//! The reader goes on where a message makes no sense: it says so, and the next one may. A length that is not to be
//! believed is not reserved, and what it announces is skipped.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{Message, RequestId};
use serde::Serialize;
use serde_json::json;

/// The longest message, in bytes: a text of 100 MB with every character escaped has its place.
const MAX_MESSAGE: u64 = 1 << 30;

/// The longest line of a header.
const MAX_LINE: u64 = 4096;

/// The version of the protocol of messages.
const VERSION: &str = "2.0";

/// What arrives.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Something that is none, and why; whose request it was, if that can be told.
    Unreadable(Option<RequestId>, String),
}

/// What is sent.
pub(super) enum Outgoing {
    /// A message.
    Message(Message),
    /// A message that is yet to become JSON: thousands of places take a while, which the writer has.
    Unwritten(Box<dyn FnOnce() -> serde_json::Result<String> + Send>),
    /// An answer to something that was no message.
    Unreadable(String),
}

/// Reads the next message; none at the end of the stream.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let unreadable = |why: &str| Ok(Some(Incoming::Unreadable(None, why.to_owned())));
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // A line without end is cut and makes no field, so that it cannot fill the memory.
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim_end().split_once(':'), length) {
            (None, Some(length)) if line.trim().is_empty() => return body(input, length),
            (None, None) if line.trim().is_empty() => {
                return unreadable("a header without Content-Length");
            }
            (None, _) => return unreadable("a line that is no field of a header"),
            (Some((name, value)), _) => {
                // Other fields are passed over: `Content-Type` may only say UTF-8.
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.trim().parse().ok();
                    if length.is_none() {
                        return unreadable("a Content-Length that is no number");
                    }
                }
            }
        }
    }
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Option<Incoming>> {
    if length > MAX_MESSAGE {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        let why = format!("a message of {length} bytes");
        return Ok(Some(Incoming::Unreadable(None, why)));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice::<Message>(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(error) => {
            // JSON that is no message may still have an id, which its answer must repeat (JSON-RPC 2.0, section 5).
            let value: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
            let id = value.and_then(|value| serde_json::from_value(value.get("id")?.clone()).ok());
            Incoming::Unreadable(id, format!("not a message: {error}"))
        }
    }))
}

impl Outgoing {
    /// The answer to a request.
    pub(super) fn answer<R: Serialize + Send + 'static>(id: RequestId, result: R) -> Self {
        #[derive(Serialize)]
        struct Answer<R> {
            jsonrpc: &'static str,
            id: RequestId,
            result: R,
        }
        Self::unwritten(Answer {
            jsonrpc: VERSION,
            id,
            result,
        })
    }

    /// A notification.
    pub(super) fn notification<P: Serialize + Send + 'static>(
        method: &'static str,
        params: P,
    ) -> Self {
        #[derive(Serialize)]
        struct Notification<P> {
            jsonrpc: &'static str,
            method: &'static str,
            params: P,
        }
        Self::unwritten(Notification {
            jsonrpc: VERSION,
            method,
            params,
        })
    }

    /// Messages of `lsp-server` have their contents as trees of values, which take longer to build than to write.
    fn unwritten(message: impl Serialize + Send + 'static) -> Self {
        Self::Unwritten(Box::new(move || serde_json::to_string(&message)))
    }
}

/// Writes a message.
pub(super) fn write(output: &mut impl Write, outgoing: Outgoing) -> io::Result<()> {
    match outgoing {
        Outgoing::Message(message) => message.write(output),
        Outgoing::Unwritten(text) => write_text(output, &text()?),
        Outgoing::Unreadable(why) => {
            // The id is null where none could be read, which a `Response` of lsp-server cannot express.
            let code = lsp_server::ErrorCode::ParseError as i32;
            let error =
                json!({"jsonrpc": VERSION, "id": null, "error": {"code": code, "message": why}});
            write_text(output, &error.to_string())
        }
    }
}

fn write_text(output: &mut impl Write, text: &str) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", text.len())?;
    output.write_all(text.as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        let mut kinds = Vec::new();
        while let Ok(Some(incoming)) = read(&mut input) {
            kinds.push(match incoming {
                Incoming::Message(Message::Request(request)) => request.method,
                Incoming::Message(_) => "other".to_owned(),
                Incoming::Unreadable(..) => "unreadable".to_owned(),
            });
        }
        kinds
    }

    #[test]
    fn reading_goes_on_behind_what_is_no_message() {
        let sound = "Content-Length: 23\r\n\r\n{\"id\":1,\"method\":\"abc\"}";
        assert_eq!(kinds(sound), ["abc"]);
        for broken in [
            "Content-Length: 3\r\n\r\n{{{",
            "Content-Length: x\r\n",
            "rubbish\n",
            "Content-Length: 2\r\n\r\n[]",
        ] {
            let text = format!("{broken}{sound}");
            assert_eq!(kinds(&text), ["unreadable", "abc"], "{broken}");
        }
        assert_eq!(
            kinds("Content-Length: 99999999999999999\r\n\r\n{}"),
            ["unreadable"]
        );
        assert!(kinds("Content-Length: 20\r\n\r\n{}").is_empty());
    }
}
