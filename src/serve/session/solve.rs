//! Best play from a state, and random play.

use std::time::Instant;

use indexmap::IndexMap;

use crate::gdl::{GoalValue, MoveId, State};
use crate::serve::protocol::{Failure, ForcedValue, JointMove, Outcomes, Played, Solved};
use crate::serve::session::failure::stopped;
use crate::serve::session::game::Opened;

/// What a search found, of one role or several.
struct BestPlay {
    bounds: Vec<ForcedValue>,
    /// Whether the values are known exactly.
    proved: bool,
    line: Option<Vec<Vec<MoveId>>>,
    states: u64,
    algorithm: &'static str,
    stopped: Option<String>,
}

impl Opened {
    /// Best play from a state.
    pub(super) fn solve(&mut self, at: Option<usize>) -> Result<Solved, Failure> {
        let at = self.place(at)?;
        let start = Instant::now();
        let state = self.state(at);
        let roles = self.workbench.roles();
        let found = match roles.len() {
            1 => self.plan(state)?,
            _ => self.values(state)?,
        };
        let bounds = found.bounds.iter();
        let line = match &found.line {
            None => None,
            Some(line) => {
                let moves = line.iter().map(|moves| self.named(moves));
                Some(moves.collect::<Result<Vec<JointMove>, Failure>>()?)
            }
        };
        Ok(Solved {
            at,
            values: roles.into_iter().zip(bounds.copied()).collect(),
            proved: found.proved,
            line,
            states: found.states,
            algorithm: found.algorithm,
            seconds: start.elapsed().as_secs_f64(),
            stopped: found.stopped,
        })
    }

    /// The best plan of the only role.
    fn plan(&mut self, state: State) -> Result<BestPlay, Failure> {
        let outcome = self.workbench.solve_from(state)?;
        let at_least = outcome.value.map(|value| value.0);
        let is_best = outcome.proof.is_some() && outcome.value.is_some();
        let line = outcome.plan.as_ref().map(|plan| {
            let moves = plan.iter().map(|&mv| vec![mv]);
            moves.collect()
        });
        Ok(BestPlay {
            // A plan shows what the role can get; that it cannot get more takes a proof.
            bounds: vec![ForcedValue {
                at_least,
                at_most: if is_best {
                    at_least
                } else {
                    Some(GoalValue::MOST)
                },
            }],
            proved: is_best,
            line,
            states: outcome.counts.total(),
            algorithm: outcome.algorithm.name(),
            stopped: outcome.halt.map(|halt| halt.to_string()),
        })
    }

    /// What each of several roles can force.
    fn values(&mut self, state: State) -> Result<BestPlay, Failure> {
        let outcome = self.workbench.values(state)?;
        let bounds = outcome.bounds.iter().map(|bounds| ForcedValue {
            at_least: bounds.at_least.value().map(|value| value.0),
            at_most: bounds.at_most.value().map(|value| value.0),
        });
        Ok(BestPlay {
            bounds: bounds.collect(),
            proved: outcome.is_exact(),
            line: outcome.line.clone(),
            states: outcome.states,
            algorithm: outcome.algorithm.name(),
            stopped: outcome.halt.map(|halt| halt.to_string()),
        })
    }

    /// Random playouts from the initial state.
    pub(super) fn playouts(&mut self, playouts: u64, seed: u64) -> Result<Played, Failure> {
        let start = Instant::now();
        let statistics = self.workbench.playouts(playouts, seed)?;
        let roles = self.workbench.roles().into_iter();
        let payoffs = statistics.payoffs.iter().map(|payoffs| Outcomes {
            count: payoffs.count,
            mean: payoffs.mean(),
            win: payoffs.wins,
            draw: payoffs.draws,
            loss: payoffs.losses,
        });
        Ok(Played {
            playouts: statistics.playouts(),
            finished: statistics.finished,
            cut: statistics.cut,
            stuck: statistics.stuck,
            undefined: statistics.undefined,
            ambiguous: statistics.ambiguous,
            mean_length: statistics.mean_length(),
            outcomes: roles.zip(payoffs).collect::<IndexMap<String, Outcomes>>(),
            seconds: start.elapsed().as_secs_f64(),
            stopped: self.limits.stop.raised().map(stopped),
        })
    }
}
