//! What holds in all states: groups of fluents of which at most one holds, guessed from plays and proved.
//!
//! ```text
//! plays         random plays from the start          variables    groups of fluents, conjectured
//! crossing      … refuted by simulation              sample       states near the plays, joint moves
//! induction     … and proved                         weakening    what is left of what is refuted
//! sources       what a fluent is computed from       account      what questions may cost
//! ```

mod account;
mod crossing;
mod induction;
mod plays;
mod sample;
mod sources;
mod variables;
mod weakening;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::simulate::Probe;
use crate::limits::{StopFlag, StopReason};

pub(crate) use account::Account;
pub(crate) use induction::Invariants;
pub(crate) use plays::{LANES, Plays, Row, start};
pub(crate) use sample::{ALL, Joint, NO_MOVE, Sample, change, crossed, ended, options, reached};
pub(crate) use sources::Sources;
pub(crate) use variables::Conjecture;
pub use variables::Variable;
use variables::conjecture;

/// What is proved of the fluents of a game, by plays and with so many assignments of a solver.
///
/// # Errors
/// [`StopReason`] from outside.
pub(crate) fn proved_variables(
    circuit: &Circuit,
    stop: &StopFlag,
    assignments: u64,
) -> Result<Invariants, StopReason> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let probe = Probe::new(circuit, &mut random);
    let mut trial = Trial::new(circuit, probe, random);
    let conjecture = trial.conjecture(stop)?;
    let mut account = Account {
        steps: assignments,
        questions: 0,
    };
    trial.prove(conjecture, stop, &mut account)
}

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

    /// Groups the fluents by what they do in the plays.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(crate) fn conjecture(&self, stop: &StopFlag) -> Result<Conjecture, StopReason> {
        conjecture(self.circuit, &self.sources, &self.plays, stop)
    }

    /// The part of a conjecture that stands trial: what moves from made-up states break is given up first, the rest as
    /// far as induction needs it.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(crate) fn prove(
        &mut self,
        mut conjecture: Conjecture,
        stop: &StopFlag,
        account: &mut Account,
    ) -> Result<Invariants, StopReason> {
        crossing::weaken(self, &mut conjecture, stop)?;
        induction::prove(self.circuit, &self.sources, conjecture, stop, account)
    }
}
