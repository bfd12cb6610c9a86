//! The fluents and the moves of a planning task.

use crate::circuit::planning::conditions::TaskLiteral;
use crate::circuit::planning::effects::Effect;

/// A fluent of a planning task.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    /// As prefix GDL.
    pub(super) text: String,
    pub(super) initial: bool,
    /// Whether it is part of the task.
    pub(super) is_used: bool,
}

/// A move of a planning task.
#[derive(Clone, Debug)]
pub(super) struct Action {
    /// As prefix GDL.
    pub(super) text: String,
    pub(super) precondition: Vec<TaskLiteral>,
    pub(super) effects: Vec<Effect>,
}
