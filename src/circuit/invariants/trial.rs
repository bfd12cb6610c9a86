//! A conjecture on trial: made from plays, and weakened by what refutes it.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::invariants::crossing::weaken;
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variables::{Conjecture, conjecture};
use crate::circuit::simulate::Probe;
use crate::limits::{StopFlag, StopReason};

/// Random plays, from which conjectures are made, and what these are tried with.
pub(crate) struct Trial<'c> {
    circuit: &'c Circuit,
    pub(crate) sources: Sources,
    pub(crate) plays: Plays,
    pub(crate) probe: Probe,
    pub(crate) random: Xoshiro256PlusPlus,
}

impl<'c> Trial<'c> {
    /// Plays from the start.
    pub(crate) fn new(circuit: &'c Circuit, mut probe: Probe, random: Xoshiro256PlusPlus) -> Self {
        Self {
            plays: Plays::record(circuit, &mut probe),
            sources: Sources::new(circuit),
            circuit,
            probe,
            random,
        }
    }

    /// Groups the fluents by what they do in the plays, and gives up what moves from made-up states break.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(crate) fn conjecture(&mut self, stop: &StopFlag) -> Result<Conjecture, StopReason> {
        let recorded = (self.circuit, &self.sources, &self.plays);
        let mut conjecture = conjecture(recorded, stop)?;
        let made = (&mut self.probe, &mut self.random);
        weaken(recorded, &mut conjecture, made, stop)?;
        Ok(conjecture)
    }
}
