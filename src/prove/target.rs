//! What plays may reach: states, moves, or steps from one state to the next.

use crate::circuit::Signal;

/// What plays may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A state in which a signal is true.
    State(Signal),
    /// A move from a state in which one signal is true to one in which the other is, for one of some pairs.
    Step(Vec<[Signal; 2]>),
    /// A legal joint move with which a signal is true.
    Move(Signal),
}

/// A target, and whether the property asks that some play reaches it, or that none does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReachClaim {
    pub(super) target: Target,
    pub(super) is_reached: bool,
}
