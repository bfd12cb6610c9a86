//! A game as it is made of its parts: the result of a decomposition.

use crate::circuit::invariants::Variable;
use crate::circuit::{Circuit, Signal};
use crate::decomposition::composition::Composition;
use crate::decomposition::invariants::StateInvariants;
use crate::decomposition::part::{Autonomous, Part, Proof};
use crate::decomposition::partition::Cause;
use crate::decomposition::phases::Phases;

/// What a game is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// The variables; all else is by their numbers.
    pub variables: Vec<Variable>,
    /// The games in the game.
    pub parts: Vec<Part>,
    /// What runs by itself.
    pub autonomous: Vec<Autonomous>,
    /// Variables that never change, or say no more than which phase it is.
    pub constant: Vec<usize>,
    /// That these depend on nothing but themselves and on what runs by itself.
    pub constant_proof: Proof,
    /// Number of phases, at least one.
    pub phases: usize,
    /// How moves, end and goal values are made of those of the parts.
    pub composition: Composition,
    /// Pairs of variables with the reason why they belong together; enough of them to connect each part.
    pub links: Vec<(usize, usize, Cause)>,
    /// Questions that the solver was asked.
    pub questions: usize,
    /// Claims that it gave up on, so that nothing is claimed and what they are about is taken together.
    pub undecided: usize,
    /// What the claims stand on beside each other.
    pub(super) premises: Premises,
}

/// What claims stand on beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Premises {
    pub(super) invariants: StateInvariants,
    pub(super) phases: Option<Phases>,
}

impl Decomposition {
    /// The signals of which one is true while one of the first so many phases goes on; none for no phases, or all of
    /// them.
    pub fn goes_on(&self, circuit: &Circuit, phases: usize) -> Vec<Signal> {
        let last = phases.checked_sub(1).filter(|_| phases < self.phases);
        let of_phases = self.premises.phases.as_ref().zip(last);
        of_phases.map_or(Vec::new(), |(phases, last)| phases.signals(circuit, last))
    }

    /// Whether all claims of independence are proved.
    pub fn is_certified(&self) -> bool {
        let parts = self.parts.iter().map(|part| part.proof);
        let autonomous = self.autonomous.iter().map(|group| group.proof);
        let claims = parts.chain(autonomous).chain([self.constant_proof]);
        claims.into_iter().all(|proof| proof != Proof::Open)
    }
}
