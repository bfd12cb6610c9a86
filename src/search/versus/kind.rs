//! What sort of game it is, as far as its states show.

use crate::search::versus::graph::{Shape, StateGraph};
use crate::search::versus::worth::Worth;

/// What sort of game it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// In no state that was expanded has more than one role a choice.
    pub is_turn_taking: bool,
    /// The payoffs of all ends that were met have this sum.
    pub sum: Option<u32>,
    /// All reachable states were expanded, so that the above is proved.
    pub is_proved: bool,
}

impl Kind {
    /// The sort of game that the expanded states show.
    pub(super) fn of(graph: &StateGraph, is_proved: bool) -> Self {
        let mut is_turn_taking = true;
        let mut ends = Vec::new();
        for shape in graph.shapes() {
            match shape {
                Shape::Choices(choices) => {
                    let choosing = choices.iter().filter(|&&own| own > 1).count();
                    is_turn_taking &= choosing <= 1;
                    // Where a role can do nothing, the play ends without payoffs.
                    if choices.contains(&0) {
                        ends.push(vec![Worth::NONE; choices.len()]);
                    }
                }
                Shape::End(payoffs) => ends.push(payoffs.clone()),
            }
        }
        Self {
            is_turn_taking,
            sum: common_sum(&ends),
            is_proved,
        }
    }

    /// The sort of turn-taking game with these payoffs at all of its ends.
    pub(super) fn turn_taking(ends: &[Vec<Worth>]) -> Self {
        Self {
            is_turn_taking: true,
            sum: common_sum(ends),
            is_proved: true,
        }
    }

    /// Whether payoffs under backward induction may be others than what so many roles can force.
    pub(super) fn needs_induction(&self, roles: usize) -> bool {
        self.is_turn_taking && roles > 1 && (roles > 2 || self.sum.is_none())
    }

    /// In words, for people and programs.
    pub fn name(&self) -> &'static str {
        match (self.is_turn_taking, self.sum.is_some()) {
            (true, true) => "turn-taking constant-sum",
            (true, false) => "turn-taking",
            (false, true) => "simultaneous constant-sum",
            (false, false) => "simultaneous",
        }
    }
}

/// The sum of the payoffs of all ends, if there is one.
fn common_sum(ends: &[Vec<Worth>]) -> Option<u32> {
    let sums = ends.iter().map(|payoffs| {
        let values = payoffs.iter().map(|worth| worth.value());
        values
            .map(|value| Some(u32::from(value?.0)))
            .sum::<Option<u32>>()
    });
    let sums: Vec<Option<u32>> = sums.collect();
    let &first = sums.first()?;
    first.filter(|_| sums.iter().all(|&sum| sum == first))
}
