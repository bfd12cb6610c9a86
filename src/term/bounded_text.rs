//! Terms as text of bounded length.
//!
//! Terms share their parts, so that rules such as `(<= (next (f ?x ?x)) (true ?x))` build in a few moves what no disk
//! could hold as text.

use std::fmt::{self, Write};

use crate::term::{Prefix, Store, TermId};

/// Text up to a number of bytes; writing more is an error.
struct Bounded {
    text: String,
    limit: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len() + more.len() > self.limit {
            // A piece that does not fit is left out as a whole, so that no character is cut.
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// The text of a term as prefix GDL.
///
/// # Errors
/// Its beginning, if the text would have more than `limit` bytes.
pub fn bounded_text(store: &Store, term: TermId, limit: usize) -> Result<String, String> {
    let mut bounded = Bounded {
        text: String::new(),
        limit,
    };
    match write!(bounded, "{}", Prefix::new(store, term)) {
        Ok(()) => Ok(bounded.text),
        Err(fmt::Error) => Err(bounded.text),
    }
}
