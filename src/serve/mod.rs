//! Protocols for other programs: what can be asked of a game, as messages.
//!
//! The protocol is [`protocol`]; it is spoken as lines of JSON on standard input and output ([`lines`]),
//! and by a page in the browser ([`page`]). Requests go to
//! a [`worker`], a thread that answers them one after the other from a [`session`]: a game with the tree of all states
//! that were visited. Editors have a protocol of their own, [`lsp`]. As `cli` beside it, this layer has a clock; it reads
//! and writes no file.

pub mod lines;
pub mod lsp;
pub mod page;
pub mod protocol;
mod session;
pub(crate) mod watch;
mod worker;

pub use session::Opening;
