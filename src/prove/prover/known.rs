//! The proof of what holds of all states, whatever is asked.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::Probe;
use crate::circuit::invariants::{Account, Induction, Trial};
use crate::limits::StopReason;
use crate::prove::prover::invariants::{ConjecturedInvariants, KnownInvariants};
use crate::prove::prover::prepare::Prover;
use crate::prove::reachability::Reachability;

impl Prover {
    /// Proves variables, once. What is stopped on the way goes on with the next property.
    pub(super) fn know(&mut self) {
        if self.known.is_some() {
            return;
        }
        let Ok(mut conjectured) = self.conjectured() else {
            return;
        };
        let proved = conjectured
            .induction
            .prove(&self.circuit, &conjectured.sources);
        if proved.is_err() {
            self.conjectured = Some(conjectured);
            return;
        }
        let (proved, _) = conjectured.induction.end();
        let circuit = Arc::clone(&self.circuit);
        let stop = &self.limits.stop;
        self.known = Some(KnownInvariants {
            reachability: Reachability::new(circuit, &proved.requirements, stop),
            plays: conjectured.plays,
            variables: proved.variables,
            requirements: proved.requirements,
            is_counted: false,
            is_confirmed: None,
            confirmed: None,
        });
    }

    /// What is conjectured of all states; if it was begun to prove it, with what is known by now.
    fn conjectured(&mut self) -> Result<ConjecturedInvariants, StopReason> {
        if let Some(begun) = self.conjectured.take() {
            return Ok(begun);
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let probe = Probe::new(&self.circuit, &mut random);
        let mut trial = Trial::new(&self.circuit, probe, random);
        let stop = &self.limits.stop;
        let conjecture = trial.conjecture(stop)?;
        // All properties of the game build on it: two and a half times what one of them may cost. The proof keeps half
        // of an account for what comes after, which is nothing here.
        let account = Account {
            steps: 5 * self.effort.assignments,
            questions: 0,
        };
        Ok(ConjecturedInvariants {
            induction: Induction::new(conjecture, account, stop),
            sources: trial.sources,
            plays: trial.plays,
        })
    }
}
