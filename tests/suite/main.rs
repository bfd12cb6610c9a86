//! All integration tests: one file an area.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod gdl;
mod syntax;
mod syntax_laws;
