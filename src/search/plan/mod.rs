//! How a game is won: plans found by decomposition, or without.
//!
//! Single-player games only. Whatever the algorithm, the result says what the best plan is worth,
//! whether and why nothing is better, and how many states were computed.

mod best_first;
mod breadth;
mod clock;
mod concept;
mod decomposed;
mod deepening;
mod division;
mod estimate;
mod greedy;
mod highest;
mod interleave;
mod lengths;
mod local;
mod lockstep;
mod open_list;
mod outcome;
mod parts;
mod planning;
mod problem;
mod product;
mod reach;
mod replay;
mod series;
mod shorten;
mod signature;
mod solve;
mod state_constraints;
mod tree;
mod weighted_a_star;

pub use division::UNDIVIDED;
pub use highest::highest_value;
pub use outcome::{Counts, Plan, PlanAlgorithm, PlanFault, PlanOutcome, Proof, Remark};
pub use problem::{PlanSetting, Problem};
pub use replay::{Replay, replay};
pub use solve::{Decomposition, solve, solve_shortest};
