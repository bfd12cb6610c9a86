//! Terms as texts of bounded length: terms share their parts, and could be longer than any memory.

use std::fmt::{self, Write};

use crate::syntax::Notation;
use crate::term::{Infix, Prefix, Store, TermId};

/// Bytes of a term that are shown.
const LONGEST: usize = 200;

struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.len() + more.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}

/// A term in a notation, cut short if it is long.
pub(in crate::serve::lsp::sheet) fn text(
    store: &Store,
    term: TermId,
    notation: Notation,
) -> String {
    let mut bounded = Bounded(String::new());
    let written = match notation {
        Notation::Prefix => write!(bounded, "{}", Prefix::new(store, term)),
        Notation::Infix | Notation::Prolog => write!(bounded, "{}", Infix::new(store, term)),
    };
    if written.is_err() {
        bounded.0.push('…');
    }
    bounded.0
}
