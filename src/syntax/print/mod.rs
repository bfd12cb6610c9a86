//! The canonical text of a document, in either notation of GDL or as plain Prolog.
//!
//! There is one layout: a fact on a line, a rule's head on the first line and one condition on each
//! further one. Kept from the author are the order, single blank lines between sentences, and all
//! comments; one inside of a sentence moves in front of it.
//!
//! Laws, tested on random documents: reading what was printed gives the printed document up to
//! case, layout and places; printing that again gives the same text; and a document that goes from
//! prefix notation to infix and back has the same clauses, up to the names of variables.

mod comments;
mod options;
mod sentences;
mod terms;
mod variables;

pub use options::{Case, PrintOptions};
pub use sentences::{print, print_sentences, print_with};
pub(crate) use variables::infix_names;
