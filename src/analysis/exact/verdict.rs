//! What comes of the question whether axioms are exact.

use std::fmt;

use thiserror::Error;

use crate::circuit::ground::GroundError;
use crate::fluent::Difference;
use crate::gdl::{GameError, ReasonerError};
use crate::limits::StopReason;
use crate::rules::EvaluationError;

/// Whether axioms and rules give the same successors, and how that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exactness {
    /// The answer.
    pub verdict: ExactnessVerdict,
    /// What was done for it.
    pub tally: ProofTally,
}

/// Whether axioms and rules give the same successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExactnessVerdict {
    /// They do in every state that satisfies the invariants and is not terminal, for every joint move of
    /// legal moves. If there is none, see [`ProofTally::vacuous`], that says nothing.
    Proved,
    /// They do not in this state, which satisfies the invariants; perhaps no play leads there. The two
    /// reasoners were asked.
    Refuted(Difference),
    /// It is not known.
    Undecided(Doubt),
}

/// Numbers of a proof, as far as it got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofTally {
    /// Fluents that some state may have, or that the axioms may give.
    pub fluents: usize,
    /// Fluents whose successors by rules and axioms are one signal of the circuit.
    pub alike: usize,
    /// Fluents whose successors were found to be equal by search.
    pub searched: usize,
    /// Invariants that were proved before.
    pub invariants: usize,
    /// Those among them that the searches made use of.
    pub used: usize,
    /// Gates of the circuit.
    pub gates: usize,
    /// Variables of the solver.
    pub variables: usize,
    /// No state that satisfies the invariants has a joint move of legal moves: what is proved of all
    /// such moves is proved of none.
    pub vacuous: bool,
}

impl ProofTally {
    /// The fluents whose successors are proved to be equal.
    pub fn proved(&self) -> usize {
        self.alike + self.searched
    }
}

/// Why it is not known whether axioms and rules give the same successors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Doubt {
    /// There is no ground form.
    #[error("rules and axioms cannot be made propositional: {0}")]
    Ground(#[from] GroundError),
    /// There is no circuit.
    #[error("rules and axioms have no circuit: {0}")]
    Circuit(#[source] EvaluationError),
    /// A search came to its end before it had an answer.
    #[error("the search was ended: {0}")]
    Stopped(StopReason),
    /// The reasoners do not say of any state that was found what the circuit says of it: atoms that
    /// depend on each other are not evaluated by the search.
    #[error("rules and axioms agree where {fluents} fluents seemed to differ")]
    Unconfirmed {
        /// Fluents for which such a state was found.
        fluents: usize,
    },
    /// The game cannot be prepared for a look at a state that was found.
    #[error("a state that was found could not be looked at: {0}")]
    Game(#[from] GameError),
    /// A reasoner could not say what follows from a state that was found.
    #[error("a state that was found could not be looked at: {0}")]
    Reasoner(#[from] ReasonerError),
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.tally;
        match &self.verdict {
            ExactnessVerdict::Proved if tally.vacuous => write!(
                f,
                "proved, but of nothing: in no state that satisfies the invariants and is not terminal \
                 has every role a legal move, so that there is no joint move to agree about\n  \
                 fluents     {}\n  \
                 invariants  {}",
                tally.fluents, tally.invariants
            ),
            ExactnessVerdict::Proved => write!(
                f,
                "proved: the axioms agree with the rules in every state that satisfies the \
                 invariants, for every legal joint move\n  \
                 fluents     {}: {} with one circuit, {} by SAT\n  \
                 invariants  {} of {} used",
                tally.fluents, tally.alike, tally.searched, tally.used, tally.invariants
            ),
            ExactnessVerdict::Refuted(_) => f.write_str(
                "not proved: in this state, which satisfies the invariants and may not be \
                 reachable, the axioms do not agree with the rules",
            ),
            ExactnessVerdict::Undecided(doubt) if tally.fluents == 0 => {
                write!(f, "not proved: {doubt}")
            }
            ExactnessVerdict::Undecided(doubt) => write!(
                f,
                "not proved, but for {} of {} fluents: {doubt}",
                tally.proved(),
                tally.fluents
            ),
        }
    }
}
