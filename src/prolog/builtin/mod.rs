//! Built-in predicates that are deterministic functions of the machine.
//!
//! They read their arguments from the first registers. What has several solutions is written in
//! Prolog over these (`kb/system`); what changes the control state is
//! [`crate::prolog::program::predicate::Control`].

pub(super) mod assert;
mod atoms;
mod catalogue;
mod character_types;
mod characters;
pub(super) mod declare;
mod definition;
mod format;
mod lists;
mod proof;
pub(super) mod read;
mod state;
mod stream_output;
mod streams;
mod terms;
mod text_form;
mod text_parts;
mod write;

pub(super) use catalogue::{define, functions, tests};
