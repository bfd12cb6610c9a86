//! What is proved of all plays before the start is searched.
//!
//! Searches of the start visit few plays, so that they do not know that all plays end with a payoff; without that, a
//! role that can be kept from everything but its lowest payoff is not known to get even that. If it is proved that
//! every play ends, that nobody is without a move before, and that there is one payoff for each role at each end, each
//! gets the lowest that the rules name. And if payoffs are proved to have a constant sum, what is said of one of two roles
//! tells of the other even where some ends were never met.

use std::sync::Arc;

use crate::circuit::Circuit;
use crate::gdl::{Game, Vocabulary};
use crate::limits::Limits;
use crate::prove::{
    GroundedGame, ProofEffort, Property, PropertyKind, PropertyQuestion, Prover, Verdict,
};

/// What is proved of all plays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Assured {
    /// Every play ends, with a payoff for every role.
    pub(super) is_paid: bool,
    /// That, and payoffs have this sum at all ends.
    pub(super) sum: Option<u32>,
    /// That, and payoffs have different sums at some ends.
    pub(super) has_several_sums: bool,
    /// There are two roles, and if they are exchanged, the start stays what it is.
    pub(super) has_equal_roles: bool,
}

/// What it takes together to be paid for every play; then, to have a constant sum.
const PROPERTIES: [PropertyKind; 5] = [
    PropertyKind::Terminates,
    PropertyKind::Playable,
    PropertyKind::GoalsDefined,
    PropertyKind::GoalsUnique,
    PropertyKind::ConstantSum,
];

/// Gates of a circuit for which proofs are tried.
const MOST_GATES: usize = 20_000;

/// Most proofs that are found at all are found fast.
pub(super) const SMALL_EFFORT: ProofEffort = ProofEffort {
    operations: 2_000_000,
    length: 200,
    states: 1_000,
    moves: 10_000,
    assignments: 2_000_000,
    seed: 1,
};

/// For games that are not decided in a few turns, which take seconds themselves.
pub(super) const LARGE_EFFORT: ProofEffort = ProofEffort {
    operations: 20_000_000,
    assignments: 10_000_000,
    ..SMALL_EFFORT
};

/// What can be proved of all plays with some effort; whether roles are equal only if they may be.
pub(super) fn assured(
    (game, circuit): (&Game, &Arc<Circuit>),
    vocabulary: &mut Vocabulary,
    is_even: bool,
    (effort, limits): (ProofEffort, &Limits),
) -> Assured {
    if circuit.gates.len() > MOST_GATES {
        return Assured::default();
    }
    let subject = GroundedGame {
        game,
        circuit,
        rules: &[],
    };
    let questions = PROPERTIES.map(|kind| PropertyQuestion::Named(Property { kind, role: None }));
    // What stops a proof leaves it open; who is stopped is told by the search.
    let Ok(mut prover) = Prover::new(subject, &questions, vocabulary, effort, limits) else {
        return Assured::default();
    };
    let mut verdict = |number: usize| match prover.decide(number, vocabulary) {
        Ok(finding) if finding.confirmed => finding.verdict,
        Ok(_) | Err(_) => Verdict::Open,
    };
    let last = PROPERTIES.len() - 1;
    let is_paid = (0..last).all(|number| verdict(number) == Verdict::Proved);
    let constant_sum = if is_paid {
        verdict(last)
    } else {
        Verdict::Open
    };
    let sum = u32::try_from(prover.sum()).ok();
    Assured {
        is_paid,
        sum: sum.filter(|_| constant_sum == Verdict::Proved),
        has_several_sums: constant_sum == Verdict::Refuted,
        has_equal_roles: is_even && prover.has_equal_roles(),
    }
}
