//! Positions in source text.
//!
//! A [`Span`] is a pair of byte offsets, eight bytes in all, so that every node can carry one;
//! lines and columns are computed only when a message is shown.

use std::fmt;
use std::ops::Range;

use crate::syntax::error::SyntaxError;

/// A half-open range of bytes of one [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The same range for slicing strings.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One text with the name that messages give it. At most 4 GiB, see [`crate::syntax::SyntaxError`].
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Offsets at which lines start; the first is 0. `\n`, `\r\n` and a lone `\r` end a line.
    line_starts: Vec<u32>,
}

/// A position as people count: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// Wraps a text; `name` is what messages call it (a path, `-`, `query`).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = line_starts(text.as_bytes());
        Self {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// Wraps bytes that should be a text.
    ///
    /// # Errors
    /// [`SyntaxError`] if they are not UTF-8 or more than 4 GiB.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SyntaxError> {
        if bytes.len() > u32::MAX as usize {
            return Err(SyntaxError::TooLarge {
                bytes: bytes.len() as u64,
            });
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            SyntaxError::InvalidUtf8 {
                offset: offset as u64,
                line: line_starts(&error.as_bytes()[..offset]).len() as u64,
            }
        })?;
        Ok(Self::new(name, text))
    }

    /// What messages call this text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text under `span`; empty if the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset; offsets behind the end give the end.
    pub fn position(&self, offset: u32) -> Position {
        let line = self
            .line_starts
            .partition_point(|&start| start <= offset)
            .max(1)
            - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let before = self.text.as_bytes().get(start..end).unwrap_or(&[]);
        // A column counts characters: every byte that does not continue one.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        Position {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }

    /// The line, from 1, on which `span` starts.
    pub fn line(&self, span: Span) -> u32 {
        self.position(span.start).line
    }
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = vec![0];
    for (i, &byte) in bytes.iter().enumerate() {
        let lone_return = byte == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        if byte == b'\n' || lone_return {
            starts.push(i as u32 + 1);
        }
    }
    starts
}
