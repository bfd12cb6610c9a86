//! Proof and disproof numbers, and how those of a node follow from those of its successors.
//!
//! The maximum instead of the sum where nodes have several predecessors is weak proof-number search, [UHHI08].

/// A number that is never reached.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Proof and disproof number. None are below one but of decided nodes, one of whose numbers is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    pub(super) const PROVED: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };

    /// Those of a node with this answer.
    pub(super) fn decided(answer: bool) -> Self {
        Self::PROVED.seen_from(answer)
    }

    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The numbers as those of the negated question.
    pub(super) fn negated(self) -> Self {
        Self {
            proof: self.disproof,
            disproof: self.proof,
        }
    }

    /// Of a node of one kind as if it were an OR node.
    pub(super) fn seen_from(self, is_or: bool) -> Self {
        if is_or { self } else { self.negated() }
    }
}

/// The numbers of a node and the successor to descend to, or the choice that leads there, from those of its successors;
/// everything as of an OR node, since an AND node is one of the negated question.
#[derive(Default)]
pub(super) struct Selection<S> {
    pub(super) best: Option<S>,
    least: Option<u32>,
    second: Option<u32>,
    most: u32,
    open: u32,
    is_proved: bool,
}

impl<S> Selection<S> {
    pub(super) fn would_be_best(&self, numbers: Numbers) -> bool {
        numbers.disproof > 0 && self.least.is_none_or(|least| numbers.proof < least)
    }

    /// Takes a successor into account; says whether it proves the node.
    pub(super) fn add(&mut self, successor: S, numbers: Numbers) -> bool {
        if numbers.proof == 0 {
            self.is_proved = true;
        } else if numbers.disproof > 0 {
            // Successors that are disproved count nothing: they can neither prove the node nor have to be disproved.
            if self.would_be_best(numbers) {
                (self.second, self.best) = (self.least, Some(successor));
                self.least = Some(numbers.proof);
            } else {
                let second = self.second.unwrap_or(INFINITE);
                self.second = Some(second.min(numbers.proof));
            }
            self.open += 1;
            self.most = self.most.max(numbers.disproof);
        }
        self.is_proved
    }

    /// Weak proof-number search: the largest disproof number, and one for each further successor, instead of the sum,
    /// which would count shared successors more than once.
    pub(super) fn numbers(&self) -> Numbers {
        if self.is_proved {
            return Numbers::PROVED;
        }
        Numbers {
            proof: self.least.unwrap_or(INFINITE),
            disproof: (self.most + self.open.saturating_sub(1)).min(INFINITE),
        }
    }

    /// Takes so many of the successors that are undecided for different ones.
    pub(super) fn count_different(&mut self, different: usize) {
        self.open = self.open.min(different as u32);
    }

    /// The thresholds of the best successor.
    pub(super) fn below(&self, threshold: Numbers) -> Numbers {
        // Staying a quarter longer than the second best asks for saves going to and fro.
        let second = self.second.unwrap_or(INFINITE);
        let stay = (second + second / 4 + 1).min(INFINITE);
        Numbers {
            proof: threshold.proof.min(stay),
            // The node's number is this one's and one for each other open successor, so that much is left for it.
            disproof: threshold.disproof - self.open.saturating_sub(1),
        }
    }
}
