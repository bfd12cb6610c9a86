//! The order of the steps: variables, samples, parts, proofs.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{Account, Induction, Invariants, Trial, Variable};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::assemble::assembly::Assembly;
use crate::decomposition::assemble::draft::Draft;
use crate::decomposition::effort::{DecompositionEffort, Prospect, Undecomposed};
use crate::decomposition::invariants::StateInvariants;
use crate::decomposition::model::Model;
use crate::decomposition::whole::Decomposition;
use crate::limits::{Limits, StopFlag, StopReason};

/// One evaluation of the circuit for each move may take this part of the operations: classes of moves take several.
const SHARE_OF_EVALUATION: usize = 16;

/// Decomposes a game.
///
/// # Errors
/// [`Undecomposed`] if the game is too large or a limit is reached.
pub fn decompose(
    circuit: &Circuit,
    effort: &DecompositionEffort,
    limits: &Limits,
) -> Result<Decomposition, Undecomposed> {
    decompose_if(circuit, effort, limits, &|_| true)
}

/// Decomposes a game unless samples show that the parts would be of no use.
///
/// # Errors
/// [`Undecomposed`] if the game is too large, a limit is reached, or the parts are not wanted.
pub fn decompose_if(
    circuit: &Circuit,
    effort: &DecompositionEffort,
    limits: &Limits,
    is_wanted: &dyn Fn(Prospect) -> bool,
) -> Result<Decomposition, Undecomposed> {
    let mut assembly = prepared(circuit, effort, &limits.stop)?;
    let found = assembly.run(is_wanted).map_err(sampling)?;
    found.ok_or(Undecomposed::NotWanted)
}

/// Proves the variables and draws the samples.
fn prepared<'c>(
    circuit: &'c Circuit,
    effort: &DecompositionEffort,
    stop: &StopFlag,
) -> Result<Assembly<'c>, Undecomposed> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(effort.seed);
    let probe = Probe::new(circuit, &mut random);
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    if moves.saturating_mul(probe.operations()) > effort.max_operations / SHARE_OF_EVALUATION {
        return Err(Undecomposed::TooManyMoves(moves));
    }
    let mut trial = Trial::new(circuit, probe, random);
    let (proved, account) = proved_variables(circuit, &mut trial, effort, stop)?;
    let model = Model::new(circuit, trial, (proved.variables, &proved.links), stop);
    Ok(Assembly {
        model: model.map_err(sampling)?,
        invariants: StateInvariants::new(proved.requirements, &proved.links),
        gained: proved.gained,
        account,
        undecided: 0,
    })
}

/// The variables, with what is left for the proofs of parts.
fn proved_variables(
    circuit: &Circuit,
    trial: &mut Trial<'_>,
    effort: &DecompositionEffort,
    stop: &StopFlag,
) -> Result<(Invariants, Account), Undecomposed> {
    let stopped = |reason| Undecomposed::Stopped("variables", reason);
    let check_number = |variables: &[Variable]| {
        // That a variable has one value takes clauses that name half of all pairs of its values. With more values than there
        // may be variables it is not proved, and its values count.
        let counted = variables.iter().map(|variable| {
            let values = variable.fluents.len();
            if values > effort.max_variables {
                values
            } else {
                1
            }
        });
        let number: usize = counted.sum();
        if number > effort.max_variables {
            Err(Undecomposed::TooManyVariables(number))
        } else {
            Ok(())
        }
    };
    let conjecture = trial.conjecture(stop).map_err(stopped)?;
    check_number(&conjecture.variables)?;
    let granted = effort.max_induction.min(effort.max_assignments);
    let account = Account {
        steps: granted,
        questions: 0,
    };
    let mut induction = Induction::new(conjecture, account, stop);
    let proved = induction.prove(circuit, &trial.sources);
    proved.map_err(stopped)?;
    let (proved, mut account) = induction.end();
    // What is refuted falls apart into single fluents.
    check_number(&proved.variables)?;
    // Parts get what the induction left of its grant, and all that it was never granted.
    account.steps += effort.max_assignments - granted;
    Ok((proved, account))
}

fn sampling(reason: StopReason) -> Undecomposed {
    Undecomposed::Stopped("sampling", reason)
}

impl Assembly<'_> {
    /// All steps behind the samples; none if the parts are not wanted.
    fn run(
        &mut self,
        is_wanted: &dyn Fn(Prospect) -> bool,
    ) -> Result<Option<Decomposition>, StopReason> {
        let mut draft = self.draft(None)?;
        if let Some(phases) = self.phases(&draft)? {
            let phased = self.draft(Some(phases))?;
            // A partition into phases is of use if it tells more apart.
            let number = |work: &Self, draft: &Draft| {
                draft.partition.parts().len() + work.autonomous_groups(draft).moving.len()
            };
            if number(self, &phased) > number(self, &draft) {
                draft = phased;
            }
        }
        if !is_wanted(self.prospect(&draft)) {
            return Ok(None);
        }
        self.join_by_concepts(&mut draft);
        self.certify(draft).map(Some)
    }
}
