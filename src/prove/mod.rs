//! What is true of every state: properties of a game, each proved, refuted with a play, or open.
//!
//! A property comes down to targets: states, or moves, that some play reaches or none does. A target that a play
//! reaches is settled by the play, which the rules replay; one that no play reaches by an inductive invariant, which
//! independent code checks. Methods take their turns, cheap ones first, each within a number of steps:
//!
//! ```text
//! property      the properties that have names      formula      those in the user's words
//! condition     what they ask of states, as signals reduction    what they come down to
//! target        states and moves that plays may reach
//! branching     formulas over the graph of states    application   which rules apply, as signals
//! cover         what some play should do
//! plays         random plays, 256 at once           graph        all states, if they are few
//! guided        plays that are led to a target      relaxed       how far off it is, over several moves
//! invariant     clauses that all states satisfy     reachability clauses found when they are needed (IC3)
//! ranking       measures that only grow             clock        counters that run out
//! check         proofs, confirmed by other code     replay       plays, confirmed by the rules
//! reply         strategies of fixed answers
//! prover        the methods, one after the other    census       all states, confirmed by the rules
//! diagnose      what every game should have         report       text, JSON
//! ```
//!
//! Sources: Schiffel, Thielscher, Automated Theorem Proving for General Game Playing, IJCAI 2009; Haufe, Schiffel,
//! Thielscher, Automated Verification of State Sequence Invariants in General Game Playing, AIJ 187, 2012; Bradley,
//! SAT-Based Model Checking without Unrolling, VMCAI 2011; Schiffel,
//! Symmetry Detection in General Game Playing, AAAI 2010; Eén, Mishchenko, Brayton, Efficient Implementation of
//! Property Directed Reachability, FMCAD 2011.

mod application;
mod branching;
mod census;
mod check;
mod clock;
mod condition;
mod cover;
mod diagnose;
mod finding;
mod formula;
mod graph;
mod guided;
mod invariant;
mod plays;
mod property;
mod prover;
mod ranking;
mod reachability;
mod reduction;
mod relaxed;
mod repair;
mod replay;
mod reply;
mod report;
mod target;

pub use application::{Application, Grounded, GroundedGame, ground};
pub use diagnose::{demanded, diagnose, faults};
pub use finding::{Finding, Method, Missing, Play, Verdict, within_limits};
pub use formula::{FormulaError, TemporalFormula};
pub use property::{Property, PropertyError, PropertyKind, PropertyQuestion};
pub use prover::{ProofEffort, Prover};
pub use repair::{Repair, RepairEffort, RepairError, Repairs, SheetText, repair};
pub(crate) use reply::{ConstantCandidates, ForcedPayoff, ReplyGame, ReplyRules, best_replies};
pub use report::{FindingJson, json, text};
