//! A conjecture on trial: made from plays, and weakened by what refutes it.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::invariants::crossing::weaken;
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variables::{Conjecture, Preference, conjecture};
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
        let (conjecture, is_refuted) = self.tried(Preference::Explaining, stop)?;
        if !is_refuted {
            return Ok(conjecture);
        }
        let (other, _) = self.tried(Preference::Related, stop)?;
        // The fewer variables, the more is said of each fluent.
        let is_better = other.variables.len() < conjecture.variables.len();
        Ok(if is_better { other } else { conjecture })
    }

    /// What is left of a conjecture, and whether a large group was refuted.
    fn tried(
        &mut self,
        preference: Preference,
        stop: &StopFlag,
    ) -> Result<(Conjecture, bool), StopReason> {
        let recorded = (self.circuit, &self.sources, &self.plays);
        let mut conjecture = conjecture(recorded, preference, stop)?;
        let before = large(&conjecture);
        let made = (&mut self.probe, &mut self.random);
        weaken(recorded, &mut conjecture, made, stop)?;
        let is_refuted = large(&conjecture) < before;
        Ok((conjecture, is_refuted))
    }
}

/// Fluents of a large group.
const LARGE: usize = 16;

/// The number of large groups.
fn large(conjecture: &Conjecture) -> usize {
    let variables = conjecture.variables.iter();
    variables
        .filter(|variable| variable.fluents.len() >= LARGE)
        .count()
}
