//! A game as an answer set program: its plays of a bounded number of moves are the stable models.
//!
//! Every relation that depends on the state or the moves gets the time as its last argument; a choice rule has each
//! role make one of its legal moves as long as the game is not over:
//!
//! ```text
//! (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
//! true(step(Y),T+1) :- goes_on(T), true(step(X),T), succ(X,Y).
//! 1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), goes_on(T).
//! ```
//!
//! `or` has no counterpart in a body and becomes a rule for each case. Names that a solver would not read become
//! other ones, which the header lists, or strings.
//!
//! Source: \[T09\], with its time-stamped rules; DIVERGENCE: the state after an end is not described, since games
//! may give no sense to it.

mod conditions;
mod names;
mod program;
mod relations;
mod rules;

pub use program::{TooManyCases, answer_set_program};
