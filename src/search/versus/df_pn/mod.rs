//! Depth-first proof-number search on packed states.
//!
//! The numbers and thresholds are those of [`super::proof`], which keeps the graph of all states that it meets and
//! expands them one by one. This search keeps a transposition table instead, and fills the lanes of the circuit:
//!
//! - A node is entered with one evaluation for all of its successors, a move a lane, and another one for what there is to
//!   choose in each of them. So ends one move ahead decide at once, and a successor with *n* legal moves starts with
//!   the numbers that *n* unknown successors would give it.
//! - When a successor turns out to be decided by some move against whoever chooses at the node, the same move is made in all
//!   other successors at once. A threat is answered by few of a hundred moves, and all others fall by one
//!   evaluation:
//!
//! ```text
//! node ── a ── a1 a2 a3*       a3 ends the game in favour of whoever chooses in a, by move m:
//!      ── b ── b4*             m is tried in b and c in the same lanes; b is decided by it,
//!      ── c                    c is the answer to the threat.
//! ```
//!
//! Facts are kept as bounds, as everywhere: zeros come from ends alone. A successor that is on the current path can
//! neither be proved on this path nor prove the node: whoever wants no end repeats the play. Such numbers are
//! not kept, since they belong to the path.
//!
//! Successors after which nobody can change the answer any more are left out: ternary simulation tells what a role may
//! still get ([`super::lane_game::LaneGame::settled`]).
//!
//! Where several roles choose at once, all joint moves are made in lanes (`joint`).
//!
//! Sources: df-pn [N02]; weak proof-number search [UHHI08]; numbers by mobility [A94]; moves that refute siblings are killer
//! moves [AN77].

mod enter;
mod entry;
mod joint;
mod level;
mod search;

pub(super) use search::df_pn;
