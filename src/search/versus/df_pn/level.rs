//! A node on the current path, with its successors.
//!
//! Where several roles choose at once, successors come in groups: one for each choice of whoever is first, with a child for each
//! answer. A group is a node of its own, of the other kind, which is never stored.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::search::versus::codes::Code;
use crate::search::versus::numbers::{INFINITE, Numbers, Selection};

/// A successor that is not decided, or was not when the node was entered.
#[derive(Clone, Debug)]
pub(super) struct Child<const W: usize> {
    pub(super) code: Code<W>,
    /// The move that leads to it, by place in the circuit; in a group, the answer.
    pub(super) mv: u32,
    /// The role that chooses there.
    pub(super) chooser: usize,
    pub(super) numbers: Numbers,
    /// It is on the current path.
    pub(super) is_repeated: bool,
}

impl<const W: usize> Child<W> {
    /// Its numbers on this path.
    fn numbers(&self) -> Numbers {
        let mut numbers = self.numbers;
        if self.is_repeated && !numbers.is_decided() {
            // Nobody can be forced to an end by a play that comes again.
            numbers.proof = INFINITE;
        }
        numbers
    }
}

/// The answers to one choice.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The choice, by place in the circuit.
    pub(super) mv: u32,
    /// Its children, in the order of their codes, so that among equal ones groups prefer the same state.
    pub(super) children: Range<usize>,
    pub(super) numbers: Numbers,
    /// The child that is searched next.
    pub(super) best: Option<usize>,
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
    /// Children by choice, where several roles choose; empty where one does.
    pub(super) groups: Vec<Group>,
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
        let (selection, below) = if self.groups.is_empty() {
            (self.best_of(0..self.children.len(), self.is_or), None)
        } else {
            self.best_group()
        };
        let own = selection.numbers();
        let threshold = self.threshold.seen_from(self.is_or);
        match selection.best {
            Some(best)
                if !own.is_decided()
                    && own.proof < threshold.proof
                    && own.disproof < threshold.disproof =>
            {
                let threshold = selection.below(threshold);
                match below {
                    None => Step::Descend(best, threshold.seen_from(self.is_or)),
                    // The threshold of the best group, negated, is that of its answers.
                    Some(answers) => {
                        let below = answers.below(threshold.negated());
                        Step::Descend(best, below.seen_from(!self.is_or))
                    }
                }
            }
            Some(_) | None => Step::Leave(own.seen_from(self.is_or)),
        }
    }

    /// The best of some children for whoever has the choice between them.
    fn best_of(&self, children: Range<usize>, is_or: bool) -> Selection<usize> {
        let mut selection = Selection::default();
        for place in children {
            let numbers = self.children[place].numbers();
            if selection.add(place, numbers.seen_from(is_or)) {
                break;
            }
        }
        selection
    }

    /// The best group, given by the best answer in it, and the choice between the answers.
    ///
    /// Joint moves share most of the states that they lead to: what refutes one choice often refutes all of them. So groups
    /// whose best answer is the same state count once. Else a chain of *n* joint moves with one good answer at each would look as hard
    /// as *n* times the number of choices, and all states near the start would be searched before it.
    fn best_group(&self) -> (Selection<usize>, Option<Selection<usize>>) {
        let mut selection = Selection::default();
        for (place, group) in self.groups.iter().enumerate() {
            if selection.add(place, group.numbers.seen_from(self.is_or)) {
                break;
            }
        }
        let undecided = self
            .groups
            .iter()
            .filter(|group| !group.numbers.is_decided());
        let states = undecided.filter_map(|group| Some(&self.children[group.best?].code));
        let states: BTreeSet<&Code<W>> = states.collect();
        selection.count_different(states.len());
        let group = selection.best.map(|place| &self.groups[place]);
        let answers = group.map(|group| self.best_of(group.children.clone(), !self.is_or));
        selection.best = answers.as_ref().and_then(|answers| answers.best);
        (selection, answers)
    }

    /// Computes the numbers of a group anew, after those of a child have changed.
    pub(super) fn update_group(&mut self, child: usize) {
        let mut groups = self.groups.iter();
        if let Some(place) = groups.position(|group| group.children.contains(&child)) {
            let answers = self.best_of(self.groups[place].children.clone(), !self.is_or);
            self.groups[place].numbers = answers.numbers().seen_from(!self.is_or);
            self.groups[place].best = answers.best;
        }
    }

    /// The move that decides the node in favour of whoever chooses there, or is first, if one does.
    pub(super) fn decisive(&self) -> Option<u32> {
        let is_decisive = |numbers: Numbers| numbers.seen_from(self.is_or).proof == 0;
        if self.groups.is_empty() {
            let mut children = self.children.iter();
            return children
                .find(|child| is_decisive(child.numbers))
                .map(|child| child.mv);
        }
        let mut groups = self.groups.iter();
        groups
            .find(|group| is_decisive(group.numbers))
            .map(|group| group.mv)
    }
}
