//! What a machine may read from outside: standard input and program files.
//!
//! The library opens no file by itself: the caller hands in an [`Environment`]. Without one, input is at its end and no
//! file is found.

use crate::syntax::Source;

/// Gives a machine what it reads.
pub trait Environment {
    /// Appends the next line of standard input, with its end, to a text; false at the end of input.
    fn read_line(&mut self, text: &mut String) -> bool;

    /// The program file that a directive in the text `from` names; none if there is no such file.
    fn program(&mut self, name: &str, from: &str) -> Option<Source>;
}

/// Nothing is to be had.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nothing;

impl Environment for Nothing {
    fn read_line(&mut self, _: &mut String) -> bool {
        false
    }

    fn program(&mut self, _: &str, _: &str) -> Option<Source> {
        None
    }
}
