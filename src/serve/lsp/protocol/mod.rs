//! The protocol: messages in, messages out, and the threads between.
//!
//! One thread reads, one writes, two study texts, one answers questions; the thread of [`serve`] alone holds the open documents. It takes
//! everything that has arrived before it answers, so that a request that was cancelled meanwhile costs nothing.

mod capabilities;
mod client;
mod commands;
mod convert;
mod documents;
mod event;
mod explained;
mod proposals;
mod questions;
mod requests;
mod serve;
mod session;
mod study;
mod tokens;
mod transport;
mod worker;

pub use event::Ending;
pub use serve::serve;
