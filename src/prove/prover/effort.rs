//! What proofs of properties may cost.

use crate::circuit::Circuit;
use crate::limits::StopFlag;
use crate::prove::check::CheckContext;

/// How much more than the proof of a property its confirmation may take: the checker has learned nothing on the way.
const CONFIRMATION: u64 = 5;

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEffort {
    /// Operations, of 256 lanes each, that random plays may take.
    pub operations: usize,
    /// Moves of a random play.
    pub length: usize,
    /// States that are looked at one by one.
    pub states: usize,
    /// Moves from them.
    pub moves: usize,
    /// Assignments that the solver may infer for a property.
    pub assignments: u64,
    /// Seed of the plays.
    pub seed: u64,
}

impl ProofEffort {
    /// What the checker may do.
    pub(in crate::prove) fn check<'c>(
        &self,
        circuit: &'c Circuit,
        stop: &'c StopFlag,
    ) -> CheckContext<'c> {
        CheckContext {
            circuit,
            steps: CONFIRMATION * self.assignments,
            stop,
        }
    }
}

impl Default for ProofEffort {
    fn default() -> Self {
        Self {
            operations: 100_000_000,
            length: 600,
            states: 100_000,
            moves: 1_000_000,
            assignments: 20_000_000,
            seed: 1,
        }
    }
}
