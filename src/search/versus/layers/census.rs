//! Numbers of states, by what they are worth.

use crate::search::versus::folding::Folding;
use crate::search::versus::lookup::Mark;
use crate::search::versus::worth::Worth;

/// Numbers of states: by who chooses (none if nobody does), and by what they are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::search::versus) struct Census {
    /// By role, with one more row for states in which nobody chooses, and by number of a vector of worths.
    pub(in crate::search::versus) states: Vec<Vec<u64>>,
    /// What the numbers stand for.
    pub(in crate::search::versus) worths: Vec<Vec<Worth>>,
    /// Moves of the longest win, of one role over all others, that is not given away.
    pub(in crate::search::versus) longest: u8,
}

impl Census {
    /// Nothing is counted.
    pub(in crate::search::versus) fn new(roles: usize) -> Self {
        Self {
            states: vec![vec![0; usize::from(u8::MAX)]; roles + 1],
            worths: Vec::new(),
            longest: 0,
        }
    }

    /// Counts a state that stands for so many, given who chooses in it.
    pub(in crate::search::versus) fn count(
        &mut self,
        (chooser, mark): (Option<usize>, Mark),
        states: u64,
        folding: &Folding,
    ) {
        let row = chooser.unwrap_or(self.states.len() - 1);
        self.states[row][usize::from(mark.value)] += states;
        // Only wins have a length that means something: a draw is as long as the others make it.
        if folding.winner(mark.value).is_some() {
            self.longest = self.longest.max(mark.moves);
        }
    }
}
