//! What is proved of all states, whatever is asked.

use crate::circuit::invariants::{Plays, Variable};
use crate::circuit::sat::Requirement;
use crate::prove::reachability::Reachability;

/// What is proved of all states.
pub(super) struct KnownInvariants {
    pub(super) plays: Plays,
    pub(super) variables: Vec<Variable>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) reachability: Reachability,
    /// How many cubes and signals were looked at last, and whether they were confirmed.
    pub(super) confirmed: Option<(usize, bool)>,
}
