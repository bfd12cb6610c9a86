//! A node on the current path, with its children and what follows on them.

use std::ops::Range;

use crate::circuit::successors::LANES;
use crate::search::versus::alpha_beta::batch::ExpandedStates;
use crate::search::versus::codes::Code;

/// What decides the place of a child in the order, one after the other: the larger, the earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// The move has decided the state before.
    pub(super) is_best: bool,
    /// How much nearer it brings whoever chooses to lines; zero in games without any.
    pub(super) potential: i64,
    pub(super) history: u64,
}

/// A child that is searched.
#[derive(Clone, Debug)]
pub(super) struct Child<const W: usize> {
    pub(super) code: Code<W>,
    /// The move that leads to it, by place in the circuit.
    pub(super) mv: u32,
    /// The role that chooses there.
    pub(super) chooser: usize,
    pub(super) score: Score,
    /// Its successors, among those of all children.
    pub(super) successors: Range<usize>,
    /// The answer, if it was found while lanes were filled.
    pub(super) answer: Option<bool>,
}

/// A node on the current path.
#[derive(Default)]
pub(super) struct Level<const W: usize> {
    pub(super) code: Option<Code<W>>,
    /// The role that chooses.
    pub(super) chooser: usize,
    /// Whether one child of which the question is true is enough.
    pub(super) is_or: bool,
    /// Moves that may be made from here.
    pub(super) depth: u8,
    /// Children in the order in which they are searched.
    pub(super) children: Vec<Child<W>>,
    /// The child that is searched.
    pub(super) at: usize,
    /// What follows on the children, child by child.
    pub(super) codes: Vec<Code<W>>,
    pub(super) moves: Vec<u32>,
    /// The same states expanded, as far as that was done.
    pub(super) batch: ExpandedStates<W>,
    /// The answers that hold after them whatever anybody does, as far as that is known.
    pub(super) settled: Vec<Option<bool>>,
    /// Some child is undecided within the depth.
    pub(super) is_open: bool,
    /// A child decides the node.
    pub(super) is_decided: bool,
    /// The move that decides it.
    pub(super) best: Option<u32>,
    /// States that were expanded before.
    pub(super) began: u64,
}

impl<const W: usize> Level<W> {
    /// A node without children as yet.
    pub(super) fn begin(
        &mut self,
        code: Code<W>,
        (chooser, is_or): (usize, bool),
        (depth, began): (u8, u64),
    ) {
        self.code = Some(code);
        self.began = began;
        (self.chooser, self.is_or, self.depth) = (chooser, is_or, depth);
        self.children.clear();
        self.at = 0;
        self.codes.clear();
        self.moves.clear();
        self.batch.clear();
        self.settled.clear();
        (self.is_open, self.is_decided) = (false, false);
        self.best = None;
    }

    /// Takes the answer of a child into account.
    pub(super) fn take(&mut self, mv: Option<u32>, answer: Option<bool>) {
        match answer {
            // One true child decides an OR node, one false child an AND node.
            Some(answer) if answer == self.is_or => {
                self.is_decided = true;
                self.best = mv;
            }
            Some(_) => {}
            None => self.is_open = true,
        }
    }

    /// Takes the answer of the current child into account, and goes on to the next one.
    pub(super) fn take_current(&mut self, answer: Option<bool>) {
        let mv = self.children.get(self.at).map(|child| child.mv);
        self.take(mv, answer);
        self.at += 1;
    }

    /// What is known of the node once all children were searched, or one of them decides it.
    pub(super) fn answer(&self) -> Option<bool> {
        match (self.is_decided, self.is_open) {
            (true, _) => Some(self.is_or),
            (false, true) => None,
            (false, false) => Some(!self.is_or),
        }
    }

    /// Orders the children, and copies what follows on them from where they were expanded.
    pub(super) fn arrange(&mut self, from: &ExpandedStates<W>) {
        self.children
            .sort_by_key(|child| std::cmp::Reverse(child.score));
        for child in &mut self.children {
            let start = self.codes.len();
            let successors = child.successors.clone();
            self.codes
                .extend_from_slice(&from.codes[successors.clone()]);
            self.moves.extend_from_slice(&from.moves[successors]);
            child.successors = start..self.codes.len();
        }
    }

    /// The states to expand next: those that follow on the current child, and on the ones after it as long as there are
    /// lanes.
    pub(super) fn lanes(&self) -> Range<usize> {
        let start = self.batch.len();
        let mut children = self.children[self.at..].iter();
        let mut end = children.next().map_or(start, |child| child.successors.end);
        for child in children {
            if child.successors.end - start > LANES {
                break;
            }
            end = child.successors.end;
        }
        start..end
    }
}
