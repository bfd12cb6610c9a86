//! What a file of built-in predicates says of each of them.

use crate::prolog::state::machine::Function;

/// Whether a built-in may bind variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Binds,
    /// It only tests, so that a condition over it needs no choice point.
    Tests,
}

/// Name, number of arguments, effect, function.
pub(super) type Builtin = (&'static str, usize, Effect, Function);
