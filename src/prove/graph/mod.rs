//! All states that plays reach, with all joint moves, found breadth first.
//!
//! Whether or not it is all of them, the play to a state has as few moves as a play to it can have, so that what is
//! found here refutes with a shortest play.
//!
//! ```text
//! labels     which signals are true in a state      explore    states, breadth first
//! states     what was found                         plays      ways to states
//! cycles     plays that come back, longest plays    forcing    what a role can force
//! ```

mod cycles;
mod explore;
mod forcing;
mod labels;
mod plays;
mod states;

pub(super) use explore::GraphSize;
pub(super) use labels::{LabelledSignals, Labeller};
pub(super) use states::Graph;
