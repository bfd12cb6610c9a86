//! Where programs read from and write to.

pub(super) mod environment;
pub(super) mod output;
pub(super) mod stream;
