//! `:why`, `:whynot` and `:table`: what the machine can tell about itself.

use crate::cli::failure::Failure;
use crate::cli::repl::session::Session;

pub(super) fn why(_session: &mut Session, _goal: &str) -> Result<(), Failure> {
    Err(Failure::bad_input("not yet"))
}

pub(super) fn why_not(_session: &mut Session, _goal: &str) -> Result<(), Failure> {
    Err(Failure::bad_input("not yet"))
}

pub(super) fn tables(_session: &mut Session, _predicate: &str) -> Result<(), Failure> {
    Err(Failure::bad_input("not yet"))
}
