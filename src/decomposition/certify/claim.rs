//! What a decomposition claims, and what each claim stands on.

use crate::decomposition::whole::Decomposition;

/// Something that a decomposition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecompositionClaim {
    /// The fluents of each variable exclude each other; where it is said, one of them holds.
    Variables,
    /// No phase that is over comes back.
    Phases,
    /// What is constant changes in the same way whatever else there is.
    Constant,
    /// The group with this number runs by itself.
    Autonomous(usize),
    /// The part with this number is independent of the others.
    Independent(usize),
    /// End, goal values and phase do not depend on the part with this number, as far as it is said.
    UselessPart(usize),
    /// The same of a group that runs by itself.
    UselessAutonomous(usize),
    /// How the legal moves are made of those of the parts.
    Moves,
    /// How the end and the goal values are made of those of the parts.
    Outcome,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateVerdict {
    /// There is no counterexample.
    Holds,
    /// There is one.
    Fails,
    /// The solver gave up, now or when the claim was found, or what was found is not said to be proved.
    Open,
}

/// A claim that was checked anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What is claimed.
    pub claim: DecompositionClaim,
    /// The claims that it stands on.
    pub premises: Vec<DecompositionClaim>,
    /// Questions that the solver was asked.
    pub questions: usize,
    /// Whether it holds.
    pub verdict: CertificateVerdict,
}

/// The claims, each with those that it stands on.
pub(super) fn claims(found: &Decomposition) -> Vec<(DecompositionClaim, Vec<DecompositionClaim>)> {
    let mut base = vec![DecompositionClaim::Variables];
    let mut all = vec![(DecompositionClaim::Variables, Vec::new())];
    if found.premises.phases.is_some() {
        all.push((DecompositionClaim::Phases, base.clone()));
        base.push(DecompositionClaim::Phases);
    }
    let mut context = base.clone();
    if !found.constant.is_empty() {
        all.push((DecompositionClaim::Constant, base.clone()));
        context.push(DecompositionClaim::Constant);
    }
    for group in 0..found.autonomous.len() {
        all.push((DecompositionClaim::Autonomous(group), base.clone()));
        context.push(DecompositionClaim::Autonomous(group));
        all.push((DecompositionClaim::UselessAutonomous(group), base.clone()));
    }
    let several = found.parts.len() > 1;
    for part in (0..found.parts.len()).filter(|_| several) {
        all.push((DecompositionClaim::Independent(part), context.clone()));
        all.push((DecompositionClaim::UselessPart(part), base.clone()));
    }
    if several {
        let parts = (0..found.parts.len()).map(DecompositionClaim::Independent);
        let premises: Vec<DecompositionClaim> = context.into_iter().chain(parts).collect();
        all.push((DecompositionClaim::Moves, premises.clone()));
        all.push((DecompositionClaim::Outcome, premises));
    }
    all
}
