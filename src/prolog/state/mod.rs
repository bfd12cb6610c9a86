//! The state of a machine, as data.
//!
//! ```text
//! frame      environments                    choice     choice points
//! tables     tables, answers, suspensions    consulted  texts that were loaded
//! backtrace  what ran when an exception was thrown
//! machine    all of it
//! ```

pub(super) mod backtrace;
pub(super) mod choice;
pub(super) mod consulted;
pub(super) mod flags;
pub(super) mod frame;
pub(super) mod machine;
pub(super) mod tables;
