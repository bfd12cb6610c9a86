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
pub(crate) use plays::{LANES, Plays, Row};
pub(crate) use sample::{ALL, Joint, NO_MOVE, Sample, change, crossed, ended, options, reached};
pub(crate) use sources::Sources;
pub use variables::Variable;
pub(crate) use variables::{Conjecture, conjecture};

/// The part of a conjecture that stands trial: what moves from made-up states break is given up first, the rest as
/// far as induction needs it.
///
/// # Errors
/// [`StopReason`] from outside.
pub(crate) fn prove(
    trial: Trial<'_>,
    mut conjecture: Conjecture,
    stop: &StopFlag,
    account: &mut Account,
) -> Result<Invariants, StopReason> {
    let Trial {
        circuit,
        sources,
        plays,
        probe,
        random,
    } = trial;
    crossing::weaken(circuit, sources, &mut conjecture, plays, probe, random);
    induction::prove(circuit, sources, conjecture, stop, account)
}

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
    let mut probe = Probe::new(circuit, &mut random);
    let plays = Plays::record(circuit, &mut probe);
    let sources = Sources::new(circuit);
    let conjecture = conjecture(circuit, &sources, &plays);
    let trial = Trial {
        circuit,
        sources: &sources,
        plays: &plays,
        probe: &mut probe,
        random: &mut random,
    };
    let mut account = Account {
        steps: assignments,
        questions: 0,
    };
    prove(trial, conjecture, stop, &mut account)
}

/// What conjectures are tried with.
pub(crate) struct Trial<'t> {
    pub(crate) circuit: &'t Circuit,
    pub(crate) sources: &'t Sources,
    pub(crate) plays: &'t Plays,
    pub(crate) probe: &'t mut Probe,
    pub(crate) random: &'t mut Xoshiro256PlusPlus,
}
