//! Who wins: what each role of a game can force, whatever the others do.
//!
//! Several algorithms find it. The *strong* solution expands every reachable state and computes values backwards
//! ([`retrograde`], [`layers`]); the *weak* one decides the value of the first state alone, by proof-number search
//! ([`df_pn`] on packed states, [`proof`] on a graph) or alpha-beta search ([`alpha_beta`]); where the game is a sum of parts, each is valued by itself
//! ([`sum`]). Their results are bounds: what is not known is never guessed, and a play that does not end, or ends
//! without a payoff, is worth less than any payoff ([`Worth`]).
//!
//! Where several roles choose at the same moment, the lower bound is what a role can force if it must choose
//! first and the others answer, the upper bound what it can force if it sees their choice; the value of mixed
//! strategies lies between the two.

mod alpha_beta;
mod arena;
mod assured;
mod certificate;
mod chunks;
mod codes;
mod df_pn;
#[cfg(feature = "distributed")]
pub mod distributed;
mod evidence;
mod folding;
mod game_search;
mod graph;
mod history;
mod induction;
mod kind;
mod known;
mod lane_game;
mod layers;
mod line;
mod lookup;
mod matrix;
mod measure;
mod numbers;
mod outcome;
mod packed;
mod packed_algorithm;
mod potential;
mod proof;
mod question;
mod replies;
mod retrograde;
mod solution;
mod solve;
mod stages;
mod start;
mod strategy;
mod sum;
mod symmetry;
mod table_file;
mod tally;
mod transposition;
mod value_table;
mod weak;
mod worth;

pub use arena::{Arena, ForcingFault, ForcingSetting};
pub use certificate::{Claim, Refutation, Strategy, StrategyMoves, Unchecked, check};
pub use kind::Kind;
pub use matrix::Rational;
pub use outcome::{ForcingAlgorithm, ForcingOutcome, Gap};
pub use replies::{ConstantStrategy, ReplyStrategy};
pub use solve::solve;
pub use stages::Mixed;
pub use table_file::TableError;
pub use tally::Tally;
pub use value_table::ValueTable;
pub use worth::{Bounds, Worth, named_values};
