//! How moves, end and goal values of a game are made of those of its parts.
//!
//! The moves of a role are a *sum* if each is a move in one part, and a *product* if each is one in all parts
//! and whatever is legal in the parts can be chosen together: they are the lossless join of the local ones. In
//! general they are a sum of products ([`legality`]).
//! End and goal values are functions of several parts; what form they have is asked of a solver, one part
//! against the others ([`square`]).
//!
//! Source: Genesereth, Thielscher, General Game Playing, 2014, ch. 14 (joint moves, disjunctive and
//! conjunctive termination and goals, "best" games).

mod compose;
mod form;
mod legality;
mod square;

pub use compose::Composition;
pub use form::OutcomeForm;
pub use legality::Legality;
pub(super) use legality::unjoined;
