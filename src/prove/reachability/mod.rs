//! Property-directed reachability: what no play reaches in so many moves, as clauses that are found when they are
//! needed.
//!
//! Frame i is a set of states that has all those that plays reach in at most i moves: states without any of the cubes
//! of frames i and above. A state of the last frame that is bad is an obligation: either its cube has no predecessor
//! in the frame before, and is blocked by as few of its literals as that takes, or a predecessor is the next
//! obligation. An obligation that contains the start is a play. When a frame equals the next one it is an
//! invariant, which from then on holds of all questions: frames do not depend on what is asked.
//!
//! ```text
//! start = F0 ⊆ F1 ⊆ F2 ⊆ … ⊆ Fk       T(Fi) ⊆ Fi+1       bad ∩ Fi = ∅ for i < k
//! ```
//!
//! Source: [B11]; lifting by unsatisfiable cores is that of
//! Chockler, Ivrii, Matsliah, Moran, Nevo, Incremental Formal Verification of Hardware, FMCAD 2011.
//! DIVERGENCE: invariants of groups of fluents, which are proved before, hold in all frames, infinite ones included.
//!
//! ```text
//! side         solvers that know frames                frames   what they exclude, and what becomes invariant
//! obligations  states that lead to bad ones, blocked   targets  whether plays reach a target, frame by frame
//! strengthen   conjectures, proved together
//! ```

mod frames;
mod obligations;
mod side;
mod strengthen;
mod targets;

pub(super) use frames::Reachability;
pub(super) use targets::Reach;
