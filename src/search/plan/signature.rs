//! Plan signatures: what global search needs to know of a local plan.
//!
//! Two plans of one subgame that end with the same concepts, and pass the same terminal concepts in
//! the same order, can stand for each other:
//!
//! ```text
//! [u(f,e), u(e,d), u(c,a), ...]  ⟨ caetower: yes, bdftower: no ; ⟨⟩ ⟩
//! ```
//!
//! Source: \[GST09, Definitions 6 to 8\]; \[G07, Definitions 5.2 to 5.4\].

use fixedbitset::FixedBitSet;

use crate::search::plan::parts::{Evaluation, Parts};

/// The evaluations of the terminal concepts that a plan passes, by number; a repetition of the one
/// before is omitted.
pub(super) type Passed = Vec<usize>;

/// What a local plan is told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signature {
    /// The concepts in the state it ends in.
    pub(super) last: Evaluation,
    /// The terminal concepts on its way.
    pub(super) passed: Passed,
    /// The number of its moves, where that matters.
    pub(super) length: Option<usize>,
}

/// Whether plans are told apart by their length too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// No: \[GST09, Definition 7\] omits repetitions.
    Omitted,
    /// Yes: \[G07, Definition 5.3\] has one element for each situation.
    Kept,
}

/// The concepts of a part that the end depends on.
pub(super) fn terminal_concepts(parts: &Parts<'_>, part: usize) -> FixedBitSet {
    let conditions = parts.conditions;
    let mut concepts = parts.concepts(part).clone();
    let mut terminal = FixedBitSet::with_capacity(concepts.len());
    terminal.extend(conditions.leaves_of(conditions.end()));
    concepts.intersect_with(&terminal);
    concepts
}
