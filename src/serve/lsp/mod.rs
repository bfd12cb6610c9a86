//! The language server: rule sheets in an editor.
//!
//! Two parts that know little of each other. [`sheet`] is pure: a text, what its words mean, and one function in a file
//! of its own for each question of an editor, from a sheet and a place to an answer in places of the same text. `protocol`
//! is the Language Server Protocol: messages, open documents, threads.
//!
//! ```text
//! editor ──▶ transport ──▶ server (applies edits, answers from what it has) ──▶ transport ──▶ editor
//!                             │ newest text          ▲ diagnostics, domains, effects
//!                             ▼                      │
//!                           worker (validates, evaluates; stops when there is a newer text)
//!                             │ why?                 ▲ explanations
//!                             ▼                      │
//!                           worker of `serve` (answers questions; stops when they are cancelled)
//! ```
//!
//! No request waits for an evaluation: a keystroke costs one reading of the text, and what takes longer belongs to the last
//! text that was evaluated, until the worker is done with the next.
//!
//! Source: Language Server Protocol 3.17.

mod protocol;
pub mod sheet;

pub use protocol::{Ending, serve};
