//! What is known of the first state, from all algorithms together.

use crate::search::versus::certificate::Claim;
use crate::search::versus::question::{First, PayoffQuestion, next_payoff};
use crate::search::versus::worth::{Bounds, Worth, mirrored, snapped};

/// What is known of what each role can force from the start.
#[derive(Clone, Debug)]
pub(super) struct StartBounds {
    /// The payoffs that are possible, ascending.
    values: Vec<Worth>,
    /// By role, if it chooses first where several roles choose at the same moment.
    forced: Vec<Bounds>,
    /// By role, if it sees what the others choose.
    answering: Vec<Bounds>,
}

impl StartBounds {
    /// Nothing is known, but the payoffs that are possible, ascending.
    pub(super) fn new(roles: usize, values: Vec<Worth>) -> Self {
        let bounds = Bounds {
            at_least: Worth::NONE,
            at_most: snapped(&values, Worth::MOST),
        };
        Self {
            values,
            forced: vec![bounds; roles],
            answering: vec![bounds; roles],
        }
    }

    /// The payoffs that are possible, ascending.
    pub(super) fn values(&self) -> &[Worth] {
        &self.values
    }

    /// Whether it is known of every role what it can force for certain.
    pub(super) fn is_forced(&self) -> bool {
        self.forced.iter().all(|bounds| bounds.is_exact())
    }

    /// What each role can force at least, and what the others can keep it from exceeding.
    pub(super) fn bounds(&self) -> Vec<Bounds> {
        let pairs = self.forced.iter().zip(&self.answering);
        let bounds = pairs.map(|(forced, answering)| Bounds {
            at_least: forced.at_least,
            at_most: answering.at_most,
        });
        bounds.collect()
    }

    pub(super) fn roles(&self) -> usize {
        self.forced.len()
    }

    /// Takes into account what every play gives to every role.
    pub(super) fn assure(&mut self, at_least: Worth) {
        for bounds in self.forced.iter_mut().chain(&mut self.answering) {
            bounds.at_least = bounds.at_least.max(at_least);
        }
    }

    /// Takes a solution of all states: what a role can force if it is first, and if the others are.
    pub(super) fn set(&mut self, role: usize, (forced, answering): (Worth, Worth)) {
        self.forced[role] = Bounds::exactly(forced);
        self.answering[role] = Bounds::exactly(answering);
    }

    /// Takes other bounds into account.
    pub(super) fn tighten(&mut self, role: usize, first: First, bounds: Bounds) {
        let own = match first {
            First::Role => &mut self.forced[role],
            First::Others => &mut self.answering[role],
        };
        *own = own.and(Bounds {
            at_most: snapped(&self.values, bounds.at_most),
            ..bounds
        });
        // To see the choice of the others is never worse.
        let (forced, answering) = (&mut self.forced[role], &mut self.answering[role]);
        answering.at_least = answering.at_least.max(forced.at_least);
        forced.at_most = forced.at_most.min(answering.at_most);
    }

    /// Takes a claim into account that is proved of a role, whoever chooses first.
    pub(super) fn claim(&mut self, role: usize, claim: Claim) {
        let (first, bounds) = match claim {
            Claim::AtLeast(at_least) => (
                First::Role,
                Bounds {
                    at_least,
                    ..Bounds::OPEN
                },
            ),
            Claim::AtMost(at_most) => (
                First::Others,
                Bounds {
                    at_most,
                    ..Bounds::OPEN
                },
            ),
        };
        self.tighten(role, first, bounds);
    }

    /// Says of the other one of two roles what follows from what was found out about one, if the payoffs of all ends
    /// that were met have a sum, and one role at a time chooses: what one can force, the other cannot have, and
    /// the other way round.
    pub(super) fn mirror(&mut self, role: usize, (found, sum): (Bounds, u32)) {
        let mirrored = mirrored((found, sum), &self.values);
        for first in [First::Role, First::Others] {
            self.tighten(1 - role, first, mirrored);
        }
    }

    /// What to ask next of a role; nothing if it is decided.
    pub(super) fn question(&self, role: usize, first: First) -> Option<PayoffQuestion> {
        let bounds = match first {
            First::Role => self.forced[role],
            First::Others => self.answering[role],
        };
        // Of more roles than two, few can force more than the lowest payoff, whatever the others do together: that is asked
        // before anything in the middle.
        let second = self.values.get(1).copied();
        let second = second.filter(|&value| bounds.at_least < value && value <= bounds.at_most);
        let next = match second {
            Some(_) if self.roles() > 2 => second,
            Some(_) | None => next_payoff(&self.values, bounds),
        };
        next.map(|at_least| PayoffQuestion {
            role,
            first,
            at_least,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::GoalValue;

    #[test]
    fn what_one_can_force_the_other_cannot_have() {
        let worth = |value| Worth::of(GoalValue(value));
        let values = [0, 50, 100].map(worth);
        let mut start = StartBounds::new(2, values.to_vec());
        let found = Bounds {
            at_least: worth(50),
            at_most: Worth::MOST,
        };
        start.mirror(0, (found, 100));
        assert_eq!(start.bounds()[1].at_most, worth(50));
        // That the other one has any payoff at the end does not follow.
        assert_eq!(start.bounds()[1].at_least, Worth::NONE);
        let found = Bounds {
            at_least: Worth::NONE,
            at_most: worth(49),
        };
        start.mirror(0, (found, 100));
        assert_eq!(start.bounds()[1].at_least, worth(100));
    }

    #[test]
    fn of_three_roles_the_lowest_payoff_is_asked_for_first() {
        let worth = |value| Worth::of(GoalValue(value));
        let values: Vec<Worth> = (0..=10).map(|tens| worth(tens * 10)).collect();
        let mut start = StartBounds::new(3, values.clone());
        let asked = |start: &StartBounds| Some(start.question(0, First::Role)?.at_least);
        assert_eq!(asked(&start), Some(worth(10)));
        let found = Bounds {
            at_least: worth(10),
            at_most: Worth::MOST,
        };
        start.tighten(0, First::Role, found);
        assert_eq!(asked(&start), Some(worth(60)));
        let found = Bounds {
            at_least: Worth::NONE,
            at_most: worth(9),
        };
        start.tighten(1, First::Role, found);
        let asked_next = start
            .question(1, First::Role)
            .map(|question| question.at_least);
        assert_eq!(asked_next, Some(worth(0)));
        // Of two roles, the payoff in the middle.
        assert_eq!(asked(&StartBounds::new(2, values)), Some(worth(50)));
    }
}
