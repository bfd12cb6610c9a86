//! One value for a game and all that can be asked of it: the façade of the library.
//!
//! The layers below are made for being combined: they take stores, vocabularies and reasoners by reference, so that
//! threads and searches can share or copy them. A [`Workbench`] keeps the usual combination together and speaks in
//! texts where people do:
//!
//! ```
//! use flux::workbench::Workbench;
//!
//! let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
//! let start = game.initial_state()?;
//! assert_eq!(game.legal_moves(&start, "xplayer")?.len(), 9);
//! let next = game.play(&start, &["(mark 2 2)", "noop"])?;
//! assert!(game.fluents(&next).contains(&"(cell 2 2 x)".to_owned()));
//! assert!(!game.is_terminal(&next)?);
//! # Ok::<(), flux::workbench::WorkbenchError>(())
//! ```
//!
//! What is not offered here is one step away: [`Workbench::parts`] lends the game, its vocabulary and its reasoner to
//! the functions of the layers.

mod analysing;
mod boards;
mod engine;
mod error;
mod exception;
mod explanation;
mod forcing;
mod forms;
mod game_machine;
mod lockstep;
mod playing;
mod proving;
mod reading;
mod series;
mod solving;

pub use analysing::planning_task;
pub use engine::{Engine, Player, circuit, small_circuit};
pub use error::{ErrorKind, WorkbenchError};
pub use exception::{backtrace_in_words, exception_in_words};
pub use explanation::{Because, Explanation, ExplanationStep, Failed, explain};
pub use forcing::decide;
pub use forms::Form;
pub use game_machine::{GameMachine, Query, is_prefix};
pub use reading::{Parts, Workbench, diagnose, diagnose_source};
