//! Depth-first search for what a role can force from the first state: alpha-beta search with null windows and a
//! transposition table, on packed states.
//!
//! A question "can the role force at least *v*?" is a search with a null window: there are no values in between, so
//! alpha-beta search is a search of AND/OR trees that leaves a node at the first successor that decides it. It looks
//! a few moves ahead at first, then to the end. What lies beyond the horizon is *unknown*, not a guess, so that what is
//! decided is a fact about the state whatever the way to it and whatever the depth; facts are kept in the table for all
//! later questions, and plays that repeat states do no harm. What the table calls best is tried first, then what
//! comes nearest to lines ([`super::potential`]), then what decided most nodes before ([`super::history`]).
//!
//! States are expanded in lanes, 256 at once, which a search that expands one state at a time leaves empty. Here
//! the lanes are filled with what follows on the *siblings* that would be searched next:
//!
//! ```text
//! node ── a ── a1 a2 a3        a is searched next: a1 a2 a3 b1 b2 c1 c2 c3 are expanded at once.
//!      ── b ── b1 b2           If an end among them decides b or c, that needs no search;
//!      ── c ── c1 c2 c3        if a decides the node, what was done for b and c was idle lanes.
//! ```
//!
//! So a node is entered with its children expanded, and an end two moves ahead is seen.

mod batch;
mod entry;
mod level;
mod search;

pub(super) use search::depth_first;
