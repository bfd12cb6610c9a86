//! The proof of what holds of all states, whatever is asked.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::Probe;
use crate::circuit::invariants::{Account, Trial};
use crate::prove::prover::invariants::KnownInvariants;
use crate::prove::prover::prepare::Prover;
use crate::prove::reachability::Reachability;

impl Prover {
    /// Proves variables, once.
    pub(super) fn know(&mut self) {
        if self.known.is_some() {
            return;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let probe = Probe::new(&self.circuit, &mut random);
        let mut trial = Trial::new(&self.circuit, probe, random);
        // All properties of the game build on it: two and a half times what one of them may cost. The proof keeps half
        // of an account for what comes after, which is nothing here.
        let mut account = Account {
            steps: 5 * self.effort.assignments,
            questions: 0,
        };
        let stop = &self.limits.stop;
        let proved = trial.conjecture(stop);
        let proved = proved.and_then(|guessed| trial.prove(guessed, stop, &mut account));
        let Ok(proved) = proved else {
            return;
        };
        let circuit = Arc::clone(&self.circuit);
        self.known = Some(KnownInvariants {
            reachability: Reachability::new(circuit, &proved.requirements, stop),
            plays: trial.plays,
            variables: proved.variables,
            requirements: proved.requirements,
            confirmed: None,
        });
    }
}
