//! All integration tests: one file an area.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking and says what it stands on"
)]

mod agreement;
mod analysis;
mod analysis_soundness;
mod answer_sets;
mod broken_games;
mod circuit;
mod cli;
mod collection;
mod composed_game;
mod decomposition;
mod distributed;
mod emitted;
mod exact;
mod examples;
mod fluent;
mod fluent_agreement;
mod fluent_laws;
mod flux_programs;
mod fuzz_corpus;
mod gdl;
mod hostile;
mod incremental;
mod language_server;
mod laws;
mod layering;
mod page;
mod planning;
mod prolog;
mod prolog_syntax;
mod prove;
mod random_game;
mod readme;
mod reference;
mod repair;
mod repl;
mod replies;
mod rewriting;
mod rules;
mod schemas;
mod search;
mod serve;
mod syntax;
mod syntax_laws;
mod tabling;
#[cfg(unix)]
mod terminal;
mod versus;
