//! What a role can force by answering each move of another one by a fixed move of its own, and what roles can force by one
//! and the same move.
//!
//! Such strategies take no search: the game in which a role keeps to one is a circuit like any other, and what all its
//! plays have in common is proved like any other property, however many states it has.
//!
//! ```text
//! pairing      of each line that the other role needs, two cells: who takes one is answered by the other
//! reflection   the move that becomes of the other one's by a symmetry of the board, after a good opening
//! the same     "in the same column", as in connect four
//! ```
//!
//! Where the answer is not legal, any legal move will do: what is proved holds for all of them.
//!
//! ```text
//! strategy     a strategy, and the circuit of the game in which a role keeps to it
//! observed     what random plays show of moves: which fluents they set, and which other moves they take away
//! candidates   strategies that may be worth something
//! bound        what the best of them is worth         constant    strategies of one move
//! conjectures  what seems to hold while a role keeps to its answers
//! game         what the plays of a strategy have in common, and its proof
//! ```
//!
//! Sources: Hales, Jewett, Regularity and Positional Games, Trans. AMS 106, 1963 (pairings); Berlekamp, Conway, Guy,
//! Winning Ways, 1982, chapter 1 (Tweedledum and Tweedledee).

mod bound;
mod candidates;
mod conjectures;
mod constant;
mod game;
mod observed;
mod strategy;

pub(crate) use bound::{ForcedPayoff, best_replies};
pub(crate) use constant::ConstantCandidates;
pub(crate) use game::ReplyGame;
pub(crate) use strategy::ReplyRules;
