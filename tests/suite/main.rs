//! All integration tests: one file an area.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking and says why it is skipped"
)]

mod agreement;
mod cli;
mod fuzz_corpus;
mod gdl;
mod hostile;
mod laws;
mod layering;
mod readme;
mod repl;
mod rules;
mod syntax;
mod syntax_laws;
mod tabling;
