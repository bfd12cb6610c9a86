//! What sort of game it is, as far as its states show.

use crate::search::versus::graph::{Graph, Shape};

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
    pub(super) fn of(graph: &Graph, is_proved: bool) -> Self {
        let mut kind = Self {
            is_turn_taking: true,
            sum: None,
            is_proved,
        };
        let mut sums = Vec::new();
        for shape in graph.shapes() {
            match shape {
                Shape::Choices(choices) => {
                    let choosing = choices.iter().filter(|&&own| own > 1).count();
                    kind.is_turn_taking &= choosing <= 1;
                }
                Shape::End(payoffs) => {
                    let values = payoffs.iter().map(|worth| worth.value());
                    let sum: Option<u32> = values.map(|value| Some(u32::from(value?.0))).sum();
                    sums.push(sum);
                }
            }
        }
        if let Some(&first) = sums.first() {
            kind.sum = first.filter(|_| sums.iter().all(|&sum| sum == first));
        }
        kind
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
