//! What all plays of a game in which roles keep to a strategy have in common: guessed from random plays, proved of all.

use std::ops::Range;
use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::proved_variables;
use crate::circuit::{Circuit, Probe, Signal};
use crate::gdl::GoalValue;
use crate::limits::StopFlag;
use crate::prove::ProofEffort;
use crate::prove::check::{self, Invariant};
use crate::prove::plays::{PlayTargets, Rounds, play};
use crate::prove::reachability::{Reach, Reachability};
use crate::prove::reduction::WatchedTargets;
use crate::prove::reply::conjectures::conjectures;
use crate::prove::target::{ReachClaim, Target};

/// Rounds of 256 random plays that a strategy has to stand.
const ROUNDS: usize = 4;

/// A game each play of which ends with one payoff for each role.
#[derive(Clone, Copy)]
pub(crate) struct ReplyGame<'g> {
    pub(crate) circuit: &'g Arc<Circuit>,
    pub(crate) effort: ProofEffort,
    pub(crate) stop: &'g StopFlag,
}

impl ReplyGame<'_> {
    /// By signal, whether random plays come to a state in which it is true.
    pub(super) fn reached(self, circuit: &Circuit, signals: &[Signal]) -> Vec<bool> {
        let mut watches = WatchedTargets::default();
        let numbers = signals.iter().map(|&signal| {
            let target = Target::State(signal);
            let is_reached = false;
            watches.add(ReachClaim { target, is_reached }).0
        });
        let numbers: Vec<usize> = numbers.collect();
        let watched = watches.circuit(circuit);
        let targets: Vec<Target> = watches.all.iter().map(|one| one.target.clone()).collect();
        let places: Vec<_> = watches.all.iter().map(|one| one.places.clone()).collect();
        let targets = PlayTargets {
            circuit: &watched,
            targets: &targets,
            places: &places,
            signals: watches.signals.len(),
            covers: &[],
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let mut probe = Probe::new(&watched, &mut random);
        let rounds = Rounds {
            number: ROUNDS,
            most: self.effort.length,
            stop: self.stop,
        };
        let seen = play(&targets, &rounds, &mut probe, &mut random);
        let numbers = numbers.into_iter();
        numbers
            .map(|number| seen.reached[number].is_some())
            .collect()
    }

    /// Whether it is proved that no state in which a signal is true is reached, and confirmed by the checker; some fluents tell
    /// what the other role did last.
    pub(super) fn is_unreachable(
        self,
        circuit: &Arc<Circuit>,
        last: Range<usize>,
        signal: Signal,
    ) -> bool {
        let Ok(proved) = proved_variables(circuit, self.stop, self.effort.assignments) else {
            return false;
        };
        let context = self.effort.check(circuit, self.stop);
        let requirements = &proved.requirements[..];
        let mut reachability = Reachability::new(Arc::clone(circuit), requirements, self.stop);
        let target = Target::State(signal);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let mut probe = Probe::new(circuit, &mut random);
        let cubes = conjectures(circuit, last, &mut probe);
        reachability.strengthen(cubes, self.effort.assignments);
        let reach = reachability.reach(&target, self.effort.assignments);
        if reach != Reach::Never {
            return false;
        }
        let invariant = Invariant {
            requirements,
            cubes: &reachability.excluded,
            never: &reachability.never,
        };
        check::is_inductive(context, requirements)
            && check::stays_inductive(context, invariant)
            && check::excludes(context, invariant, &target)
    }
}

/// The goal values of a role, ascending.
pub(super) fn values(circuit: &Circuit, role: usize) -> Vec<GoalValue> {
    let payoffs = circuit.goals[role].iter();
    let mut values: Vec<GoalValue> = payoffs.filter_map(|payoff| payoff.value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The end of a play that gives a role none of some values.
pub(super) fn end_without(
    circuit: &mut Circuit,
    role: usize,
    is_among: impl Fn(GoalValue) -> bool,
) -> Signal {
    let payoffs = circuit.goals[role].iter();
    let among = payoffs.filter(|payoff| payoff.value.is_some_and(&is_among));
    let mut all: Vec<Signal> = among.map(|payoff| !payoff.signal).collect();
    all.push(circuit.terminal);
    circuit.gates.and(&mut all)
}
