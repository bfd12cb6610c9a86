//! A node on the current path, with its successors.

use crate::search::versus::codes::Code;
use crate::search::versus::numbers::{INFINITE, Numbers, Selection};

/// A successor that is not decided, or was not when the node was entered.
#[derive(Clone, Debug)]
pub(super) struct Child<const W: usize> {
    pub(super) code: Code<W>,
    /// The move that leads to it, by place in the circuit.
    pub(super) mv: u32,
    /// The role that chooses there.
    pub(super) chooser: usize,
    pub(super) numbers: Numbers,
    /// It is on the current path.
    pub(super) is_repeated: bool,
}

/// A node on the current path.
#[derive(Debug)]
pub(super) struct Level<const W: usize> {
    pub(super) code: Code<W>,
    /// The role that chooses.
    pub(super) chooser: usize,
    /// Whether it is the role in question that chooses.
    pub(super) is_or: bool,
    /// The move that leads to the node, by place in the circuit.
    pub(super) before: u32,
    /// Numbers at which the search goes back.
    pub(super) threshold: Numbers,
    /// In the order in which they are preferred among equal ones.
    pub(super) children: Vec<Child<W>>,
    /// The child that is searched.
    pub(super) at: usize,
    /// Moves that were tried in all children at once.
    pub(super) killers: Vec<u32>,
    /// States that were expanded before.
    pub(super) began: u64,
}

/// What to do at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Search a child until its numbers pass thresholds.
    Descend(usize, Numbers),
    /// Go back with these numbers.
    Leave(Numbers),
}

impl<const W: usize> Level<W> {
    /// The numbers of the node, and what to do.
    pub(super) fn step(&self) -> Step {
        let mut selection = Selection::default();
        for (place, child) in self.children.iter().enumerate() {
            let mut numbers = child.numbers;
            if child.is_repeated && !numbers.is_decided() {
                // Nobody can be forced to an end by a play that comes again.
                numbers.proof = INFINITE;
            }
            if selection.add(place, numbers.seen_from(self.is_or)) {
                break;
            }
        }
        let own = selection.numbers();
        let threshold = self.threshold.seen_from(self.is_or);
        match selection.best {
            Some(best)
                if !own.is_decided()
                    && own.proof < threshold.proof
                    && own.disproof < threshold.disproof =>
            {
                let below = selection.below(threshold);
                Step::Descend(best, below.seen_from(self.is_or))
            }
            Some(_) | None => Step::Leave(own.seen_from(self.is_or)),
        }
    }

    /// The child that decides the node in favour of whoever chooses there, if one does.
    pub(super) fn decisive(&self) -> Option<&Child<W>> {
        let mut children = self.children.iter();
        children.find(|child| child.numbers.seen_from(self.is_or).proof == 0)
    }
}
