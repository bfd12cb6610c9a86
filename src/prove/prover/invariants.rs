//! What is proved of all states, or about to be, whatever is asked.

use crate::circuit::invariants::{Induction, Plays, Sources, Variable};
use crate::circuit::sat::{LinearEquation, Requirement};
use crate::prove::reachability::Reachability;

/// What is conjectured of all states, and proved in part.
pub(super) struct ConjecturedInvariants {
    pub(super) plays: Plays,
    pub(super) sources: Sources,
    pub(super) induction: Induction,
}

/// What is proved of all states.
pub(super) struct KnownInvariants {
    pub(super) plays: Plays,
    pub(super) variables: Vec<Variable>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) reachability: Reachability,
    /// Whether linear equations were looked for.
    pub(super) is_counted: bool,
    /// Whether the requirements are, if that was looked at.
    pub(super) is_confirmed: Option<bool>,
    /// How many cubes and signals were looked at last, and whether they were confirmed.
    pub(super) confirmed: Option<(usize, bool)>,
}

impl KnownInvariants {
    /// What is known of numbers of fluents.
    pub(super) fn equations(&self) -> impl Iterator<Item = &LinearEquation> {
        self.requirements.iter().filter_map(|known| match known {
            Requirement::Linear(equation) => Some(equation),
            Requirement::Never(_)
            | Requirement::AtMostOne(_)
            | Requirement::NotBoth(..)
            | Requirement::Some(_) => None,
        })
    }
}
