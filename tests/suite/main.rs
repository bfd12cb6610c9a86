//! All integration tests: one file an area.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking and says why it is skipped"
)]

mod gdl;
mod laws;
mod layering;
mod rules;
mod syntax;
mod syntax_laws;
