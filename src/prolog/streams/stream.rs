//! Streams: where programs read from and write to [ISO 7.10.2].
//!
//! The library opens no files. Whoever owns the machine hands in an [`Environment`]; without one there
//! are no files and standard input is empty. A file is loaded whole when it is opened for input,
//! and what is written goes out in pieces, when a stream is flushed or closed. Standard input is
//! asked for a line at a time, so that a program can answer before the next line is typed:
//!
//! ```text
//! open('a.txt', read, S)     load("a.txt")            position 0
//! get_char(S, C)             one character             position 1
//! get_char(C)                read_line() if no character is left
//! ```

use std::collections::BTreeMap;

use crate::prolog::streams::environment::{Environment, Existing, Nothing};
use crate::syntax::Source;
use crate::term::SymbolId;

/// How a stream was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenMode {
    Read,
    Write,
    Append,
}

/// What reading behind the end of a stream does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndAction {
    Error,
    Code,
    Reset,
}

/// Where a stream is relative to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Not,
    Past,
}

/// An open stream.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) alias: Option<SymbolId>,
    pub(crate) path: Option<String>,
    pub(crate) mode: OpenMode,
    pub(crate) is_binary: bool,
    pub(crate) end_action: EndAction,
    pub(crate) end: End,
    /// The text of an input stream; of standard input, what was read of it last.
    pub(crate) source: Source,
    /// The bytes of a binary input stream.
    pub(crate) bytes: Vec<u8>,
    /// Offset in `source` or `bytes` of what is read next.
    pub(crate) offset: usize,
    /// Bytes of standard input that are no longer in `source`.
    pub(crate) before: usize,
    /// What was written and not yet given to the file system.
    pub(crate) pending: Vec<u8>,
    /// Characters since the last line end, and line ends, of what was written.
    pub(crate) column: usize,
    pub(crate) lines: usize,
}

impl Stream {
    pub(crate) fn new(mode: OpenMode) -> Self {
        Self {
            alias: None,
            path: None,
            mode,
            is_binary: false,
            end_action: EndAction::Error,
            end: End::Not,
            source: Source::new("stream", ""),
            bytes: Vec::new(),
            offset: 0,
            before: 0,
            pending: Vec::new(),
            column: 0,
            lines: 1,
        }
    }

    /// The unread text.
    pub(crate) fn rest(&self) -> &str {
        self.source.text().get(self.offset..).unwrap_or("")
    }

    /// Whether nothing is left to be read, as far as is known without asking for more.
    pub(crate) fn is_spent(&self) -> bool {
        if self.is_binary {
            self.offset >= self.bytes.len()
        } else {
            self.rest().is_empty()
        }
    }
}

/// The number of standard input.
pub(crate) const INPUT: usize = 0;
/// The number of standard output.
pub(crate) const OUTPUT: usize = 1;
/// The number of standard error.
pub(crate) const ERROR: usize = 2;

/// All streams of a machine; a number is never used again.
pub(crate) struct Streams {
    pub(crate) open: BTreeMap<usize, Stream>,
    pub(crate) next: usize,
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) environment: Box<dyn Environment>,
}

impl Default for Streams {
    fn default() -> Self {
        let standard = |mode| Stream {
            end_action: EndAction::Reset,
            ..Stream::new(mode)
        };
        let open = [
            (INPUT, standard(OpenMode::Read)),
            (OUTPUT, standard(OpenMode::Append)),
            (ERROR, standard(OpenMode::Append)),
        ];
        Self {
            open: BTreeMap::from(open),
            next: ERROR + 1,
            input: INPUT,
            output: OUTPUT,
            environment: Box::new(Nothing),
        }
    }
}

impl Streams {
    /// Asks for another line of standard input; false if there is none.
    pub(crate) fn more(&mut self, number: usize) -> bool {
        if number != INPUT {
            return false;
        }
        let Some(stream) = self.open.get_mut(&INPUT) else {
            return false;
        };
        let mut text = stream.rest().to_owned();
        if !self.environment.read_line(&mut text) {
            return false;
        }
        stream.before += stream.offset;
        stream.source = Source::new("user_input", text);
        stream.offset = 0;
        stream.end = End::Not;
        true
    }

    /// Gives what was written to the file system; false if it does not take it.
    pub(crate) fn flush(&mut self, number: usize) -> bool {
        let Some(stream) = self.open.get_mut(&number) else {
            return true;
        };
        let Some(path) = &stream.path else {
            // A stream without a file takes everything and keeps nothing.
            stream.pending.clear();
            return true;
        };
        if stream.mode == OpenMode::Read || stream.pending.is_empty() {
            return true;
        }
        let pending = std::mem::take(&mut stream.pending);
        self.environment
            .store(path, &pending, Existing::Append)
            .is_ok()
    }

    /// Closes a stream; the standard streams stay.
    pub(crate) fn close(&mut self, number: usize) -> bool {
        let flushed = self.flush(number);
        if number > ERROR {
            self.open.remove(&number);
            self.input = if self.input == number {
                INPUT
            } else {
                self.input
            };
            self.output = if self.output == number {
                OUTPUT
            } else {
                self.output
            };
        }
        flushed
    }
}
