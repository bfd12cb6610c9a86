//! What built-ins write: to a stream, or to the buffer that collects the current output.

use crate::prolog::state::machine::Machine;
use crate::prolog::streams::stream::{ERROR, OUTPUT};
use crate::prolog::terms::cell::Cell;

/// What a stream gathers before it is flushed.
const PENDING: usize = 1 << 16;

impl Machine {
    /// Writes to a stream, or to the buffer that collects what the current output gets.
    pub(in crate::prolog) fn write_to(&mut self, number: usize, text: &str) {
        if number == self.streams.output && self.output.depth() > 0 || number == OUTPUT {
            self.output.write(text);
        } else if number == ERROR {
            self.output.write_error(text);
        } else if let Some(stream) = self.streams.open.get_mut(&number) {
            stream.pending.extend(text.as_bytes());
            stream.lines += text.matches('\n').count();
            stream.column = match text.rfind('\n') {
                Some(end) => text[end + 1..].chars().count(),
                None => stream.column + text.chars().count(),
            };
            if stream.pending.len() > PENDING {
                self.streams.flush(number);
            }
        }
    }

    /// Writes to the current output.
    pub(super) fn write_out(&mut self, text: &str) {
        self.write_to(self.streams.output, text);
    }

    /// The column that the next character of a stream is written to.
    pub(super) fn column_of(&self, number: usize) -> usize {
        if number == OUTPUT || number == self.streams.output && self.output.depth() > 0 {
            return self.output.column();
        }
        self.streams
            .open
            .get(&number)
            .map_or(0, |stream| stream.column)
    }

    /// The term of a stream.
    pub(super) fn stream_term(&mut self, number: usize) -> Cell {
        let name = self.heap.store.symbol("$stream");
        self.heap.compound(name, &[Cell::small(number as i64)])
    }
}
