//! Symmetries of the rules: permutations of fluents and moves under which next state, legal moves, end and payoffs of
//! every role are the same functions.
//!
//! Colours of fluents, moves and sums are refined by what stands around them until nothing more can be told apart. One
//! fluent is then singled out, and another one in a copy; if the colours of both are refined alike down to single
//! fluents and moves, they are a permutation, and whether that is a symmetry is checked sum by sum, which is its own
//! proof: a wrong colour costs a symmetry and never admits one.
//!
//! A permutation may exchange roles as well; then what is moved and paid to one role is moved and paid to another.
//!
//! Source: individualisation and refinement, as of McKay, Practical Graph Isomorphism, 1981, without its pruning.

mod forms;
mod search;

pub(crate) use search::{Exchange, Exchanges, Start, TooMuchWork, symmetries, symmetries_of_moves};
