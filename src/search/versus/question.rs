//! Questions that decide what a role can force: whether it can force at least some payoff.

use crate::search::versus::worth::{Bounds, Worth};

/// Who chooses first where several choose at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The role whose worth is asked for: what it can force for certain.
    Role,
    /// The others: what the role can force if it sees their choice.
    Others,
}

/// What is asked of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PayoffQuestion {
    pub(super) role: usize,
    pub(super) first: First,
    /// Whether the role can force so much; more than [`Worth::NONE`].
    pub(super) at_least: Worth,
}

impl PayoffQuestion {
    /// The answer that bounds give, if they do.
    pub(super) fn answer(self, bounds: Bounds) -> Option<bool> {
        if bounds.at_least >= self.at_least {
            return Some(true);
        }
        (bounds.at_most < self.at_least).then_some(false)
    }

    /// Tightens the bounds of a state by an answer that is found at some time. Its rank is the time at which it was found out how much
    /// can be forced there: what is found once more, or found out about the other bound, leaves it, since what was found by it
    /// meanwhile has a higher one.
    pub(super) fn note_at(self, answer: bool, time: u32, (bounds, rank): (&mut Bounds, &mut u32)) {
        let before = bounds.at_least;
        self.note(answer, bounds);
        if bounds.at_least != before {
            *rank = time;
        }
    }

    /// Tightens bounds by an answer.
    pub(super) fn note(self, answer: bool, bounds: &mut Bounds) {
        match (answer, self.at_least.below()) {
            (true, _) => bounds.at_least = bounds.at_least.max(self.at_least),
            (false, Some(below)) => bounds.at_most = bounds.at_most.min(below),
            // Nothing is less than no payoff, and nobody asks whether that can be forced.
            (false, None) => {}
        }
    }
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Proved,
    Disproved,
    /// The budget is used up.
    Open,
    /// Cycles keep it open: no number of states would decide it.
    Cyclic,
    /// The algorithm is not for such games.
    Unsuited,
}

impl Reply {
    pub(super) fn of(answer: bool) -> Self {
        if answer {
            Self::Proved
        } else {
            Self::Disproved
        }
    }
}

/// The payoff to ask for next: the one in the middle of those that are open, upwards. Bisection decides 101 payoffs by
/// seven questions.
pub(super) fn next_payoff(values: &[Worth], bounds: Bounds) -> Option<Worth> {
    let open = values
        .iter()
        .filter(|&&value| bounds.at_least < value && value <= bounds.at_most);
    let open: Vec<Worth> = open.copied().collect();
    open.get(open.len() / 2).copied()
}
