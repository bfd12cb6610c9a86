//! What every play gives to every role, whatever anybody does.
//!
//! Searches of the start visit few plays, so that they do not know that all plays end with a payoff; without that, a
//! role that can be kept from everything but its lowest payoff is not known to get even that. If it is proved that
//! every play ends, that nobody is without a move before, and that there is one payoff for each role at each end, each
//! gets the lowest that the rules name.

use std::sync::Arc;

use crate::circuit::Circuit;
use crate::gdl::{Game, Vocabulary};
use crate::limits::Limits;
use crate::prove::{
    GroundedGame, ProofEffort, Property, PropertyKind, PropertyQuestion, Prover, Verdict,
};

/// What it takes together.
const PROPERTIES: [PropertyKind; 4] = [
    PropertyKind::Terminates,
    PropertyKind::Playable,
    PropertyKind::GoalsDefined,
    PropertyKind::GoalsUnique,
];

/// Gates of a circuit for which proofs are tried.
const MOST_GATES: usize = 20_000;

/// Proofs that are found at all are found fast.
const EFFORT: ProofEffort = ProofEffort {
    operations: 2_000_000,
    length: 200,
    states: 1_000,
    moves: 10_000,
    assignments: 2_000_000,
    seed: 1,
};

/// Whether it is proved that every play gives every role a payoff.
pub(super) fn pays_everybody(
    game: &Game,
    circuit: &Arc<Circuit>,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> bool {
    if circuit.gates.len() > MOST_GATES {
        return false;
    }
    let subject = GroundedGame {
        game,
        circuit,
        rules: &[],
    };
    let questions = PROPERTIES.map(|kind| PropertyQuestion::Named(Property { kind, role: None }));
    // What stops a proof leaves it open; who is stopped is told by the search.
    let Ok(mut prover) = Prover::new(subject, &questions, vocabulary, EFFORT, limits) else {
        return false;
    };
    (0..questions.len()).all(|number| {
        let finding = prover.decide(number, vocabulary);
        finding.is_ok_and(|finding| finding.verdict == Verdict::Proved && finding.confirmed)
    })
}
