//! What a game is made of: parts that are games of their own, found in the function that the rules compute.
//!
//! [`crate::analysis`] reads the rules as they are written, as the papers do. This layer asks the circuit, so
//! that a game has the same parts however its rules are spelt: variables are groups of fluents of which at
//! most one holds, a variable depends on another if changing that one alone changes what it is next, and
//! moves are what they do. Sampling finds what belongs together, each time with a witness; that the rest
//! does not is proved by a solver. Variables are those of [`crate::circuit::invariants`], proved by induction.
//!
//! ```text
//! model         a game as samples show it            effects      what moves do to variables
//! invariants    what is required of states
//! classes       moves with the same local effect     dependencies who depends on whom, by sampling
//! partition     what is joined, and why              phases       parts that are played one after another
//! concepts      what end and payoffs need together   local        what is chosen in a part
//! assemble      the steps, one after the other       part, whole  what comes of them
//! certificate   the proof of what is claimed         certify      the same, checked anew
//! twin          two states side by side in a solver  copies       copies of the circuit in one solver
//! local_concepts what end and goal values ask of each part, and the formula above that
//! composition   how moves, end and goal are made of the parts
//! emit          each part as a rule sheet
//! why           what joins two fluents, with states that show it
//! report        text, JSON, drawing
//! ```
//!
//! Sources: \[HVM16\]; \[GT14, ch. 14\].

mod assemble;
mod certificate;
mod certify;
mod classes;
mod composition;
mod concepts;
mod copies;
mod dependencies;
mod effects;
mod effort;
mod emit;
mod invariants;
mod local;
mod local_concepts;
mod model;
mod part;
mod partition;
mod phases;
mod report;
mod twin;
mod whole;
mod why;

pub use crate::circuit::invariants::Variable;
pub use assemble::{decompose, decompose_if};
pub use certify::{Certificate, CertificateVerdict, DecompositionClaim, certify};
pub use composition::{Composition, Legality, OutcomeForm};
pub use effort::{DecompositionEffort, Prospect, Undecomposed};
pub use emit::{CompositionReport, Emission, PartSheet, emit};
pub use local::LocalMoves;
pub use local_concepts::{ConceptCondition, ConceptOperand, LocalConcept, LocalConcepts};
pub use part::{Autonomous, Part, Proof, Use};
pub use partition::Cause;
pub use report::{DecomposedGame, DecompositionReport, certificates, json, text, view};
pub use whole::Decomposition;
pub use why::{Difference, JoiningStep, Together, Witness, why_together};
