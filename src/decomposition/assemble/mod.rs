//! The steps of a decomposition, one after the other.
//!
//! Samples give a draft, and the solver has the last word: what a counterexample shows to belong together is joined,
//! and the rest is asked anew. Each refutation makes fewer parts, so that this comes to an end.
//!
//! ```text
//! variables ── samples ──▶ draft ── phases, concepts ──▶ draft ── solver ──▶ parts with proofs
//!                                                          ▲          │
//!                                                          └── joined ┘ by counterexamples
//! ```
//!
//! ```text
//! steps      the order of the steps               draft      parts as samples show them
//! assembly   what all steps work on               unmoved    what no move has an influence on
//! proofs     parts as the solver leaves them      context    … and what runs by itself
//! ```

mod assembly;
mod context;
mod draft;
mod proofs;
mod steps;
mod unmoved;

pub use steps::{decompose, decompose_if};
