//! The states of a shard, collected from sorted runs of which some have the same states.

use crate::search::versus::codes::{Code, Codes};

/// Runs of a level that are merged into one of the next.
const FAN_IN: usize = 8;

/// The runs of a shard, packed. Each time that there are [`FAN_IN`] of a level, their union becomes one of the next level, so
/// that a state is merged as often as there are levels, and what came several times is dropped early.
#[derive(Debug, Default)]
pub(super) struct ShardCollector {
    /// By level.
    levels: Vec<Vec<Codes>>,
}

impl ShardCollector {
    pub(super) fn add<const W: usize>(&mut self, run: Codes) {
        let mut run = run;
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let runs = &mut self.levels[level];
            runs.push(run);
            if runs.len() < FAN_IN {
                return;
            }
            run = Codes::of(&Codes::union::<W>(&std::mem::take(runs)));
        }
    }

    /// All states, ascending, each once.
    pub(super) fn finish<const W: usize>(self) -> Vec<Code<W>> {
        let runs: Vec<Codes> = self.levels.into_iter().flatten().collect();
        Codes::union(&runs)
    }
}
