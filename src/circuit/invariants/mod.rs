//! What holds in all states: groups of fluents of which at most one holds, guessed from plays and proved.
//!
//! ```text
//! plays         random plays from the start          variables    groups of fluents, conjectured
//! crossing      … refuted by simulation              sample       states near the plays, joint moves
//! induction     … and proved                         weakening    what is left of what is refuted
//! sources       what a fluent is computed from       account      what questions may cost
//! links         variables that take the same course  counters     variables that gain values
//! history       when fluents are held, gained, lost  equations   numbers of fluents that are related
//! ```

mod account;
mod counters;
mod crossing;
mod equations;
mod history;
mod induction;
mod links;
mod plays;
mod sample;
mod sources;
mod trial;
mod variable;
mod variables;
mod weakening;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::simulate::Probe;
use crate::limits::{StopFlag, StopReason};

pub(crate) use account::Account;
pub(crate) use equations::{ConjecturedEquations, EquationContext, conjectured_equations};
pub(crate) use induction::{Induction, Invariants, exclusions};
pub(crate) use links::{Link, linked};
pub(crate) use plays::{LANES, Plays, Row, start};
pub(crate) use sample::{ALL, Joint, NO_MOVE, Sample, change, crossed, ended, options, reached};
pub(crate) use sources::Sources;
pub(crate) use trial::Trial;
pub use variable::Variable;
pub(crate) use variable::by_fluent;

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
    let account = Account {
        steps: assignments,
        questions: 0,
    };
    let mut induction = Induction::new(conjecture, account, stop);
    induction.prove(circuit, &trial.sources)?;
    Ok(induction.end().0)
}
