//! The forms that an end or a goal value may have as a function of several parts.

/// What a function of several parts is like, whatever the state of what runs by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutcomeForm {
    /// No part has an influence.
    Constant,
    /// One part alone decides.
    Single(usize),
    /// An end: one part is enough. A goal value: the largest of those of the parts.
    Disjunctive,
    /// An end: all parts are needed. A goal value: the smallest of those of the parts.
    Conjunctive,
    /// A goal value: the sum of those of the parts.
    Additive,
    /// A goal value: the first of these parts that makes a difference decides.
    Ordered(Vec<usize>),
    /// None of these.
    Mixed,
    /// The solver gave up.
    Open,
}

impl OutcomeForm {
    /// Its name in reports.
    pub(in crate::decomposition) fn name(&self) -> &'static str {
        match self {
            OutcomeForm::Constant => "constant",
            OutcomeForm::Single(_) => "single",
            OutcomeForm::Disjunctive => "disjunctive",
            OutcomeForm::Conjunctive => "conjunctive",
            OutcomeForm::Additive => "additive",
            OutcomeForm::Ordered(_) => "ordered",
            OutcomeForm::Mixed => "mixed",
            OutcomeForm::Open => "open",
        }
    }
}
