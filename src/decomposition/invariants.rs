//! What is required of states in proofs: the invariants of the variables, and links between them.

use crate::circuit::invariants::{Link, exclusions};
use crate::circuit::sat::Requirement;

/// Invariants, proved together by induction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateInvariants {
    /// Those of the variables, then the links.
    all: Vec<Requirement>,
    /// Number of those of the variables.
    of_variables: usize,
}

impl StateInvariants {
    pub(super) fn new(of_variables: Vec<Requirement>, links: &[Link]) -> Self {
        let number = of_variables.len();
        let mut all = of_variables;
        all.extend(exclusions(links));
        Self {
            all,
            of_variables: number,
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Requirement] {
        &self.all
    }

    /// Those of the variables alone. No state differs in one of two linked variables only, so that what depends on one is
    /// to be asked without links.
    pub(super) fn of_variables(&self) -> &[Requirement] {
        &self.all[..self.of_variables]
    }
}
