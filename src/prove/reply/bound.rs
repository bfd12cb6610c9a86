//! What a strategy of fixed answers is worth: guessed from random plays, proved of all.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{proved_variables, start};
use crate::circuit::{Circuit, Probe, Signal};
use crate::gdl::GoalValue;
use crate::limits::StopFlag;
use crate::prove::ProofEffort;
use crate::prove::check::{self, Invariant};
use crate::prove::plays::{PlayTargets, Rounds, play};
use crate::prove::reachability::{Reach, Reachability};
use crate::prove::reduction::WatchedTargets;
use crate::prove::reply::candidates::Candidates;
use crate::prove::reply::conjectures::conjectures;
use crate::prove::reply::observed::Observed;
use crate::prove::reply::strategy::ReplyRules;
use crate::prove::target::{ReachClaim, Target};

/// Rounds of 256 random plays that a strategy has to stand.
const ROUNDS: usize = 4;

/// Openings that are tried with each strategy.
const MOST_OPENINGS: usize = 64;

/// Reflections that are tried, those without an opening first.
const MOST_TRIALS: usize = 64;

/// A game of two roles each play of which ends with one payoff for each.
#[derive(Clone, Copy)]
pub(crate) struct ReplyGame<'g> {
    pub(crate) circuit: &'g Arc<Circuit>,
    pub(crate) effort: ProofEffort,
    pub(crate) stop: &'g StopFlag,
}

/// What a role can force by fixed answers, at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForcedPayoff {
    pub(crate) value: GoalValue,
    pub(crate) rules: ReplyRules,
}

/// The best that a role is proved to force by fixed answers to another one, if it is more than some value and not more
/// than another.
pub(crate) fn best_replies(
    game: ReplyGame<'_>,
    (role, other): (usize, usize),
    (known, most): (Option<GoalValue>, GoalValue),
) -> Option<ForcedPayoff> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(game.effort.seed);
    let mut probe = Probe::new(game.circuit, &mut random);
    let observed = Observed::of(game.circuit, (role, other), &mut probe)?;
    let candidates = Candidates {
        circuit: game.circuit,
        role,
        other,
        observed,
    };
    let values = values(game.circuit, role);
    let wanted = |value: GoalValue| known.is_none_or(|known| value > known) && value <= most;
    let wanted: Vec<GoalValue> = values.into_iter().filter(|&value| wanted(value)).collect();
    let openings = openings(game.circuit, role, &mut probe);
    // What costs least comes first: a pairing has few lines to be proved.
    for &value in wanted.iter().rev() {
        let low = low_payoffs(game.circuit, role, value);
        if let Some(rules) = candidates.pairing(&low)
            && let Some(found) = game.forced((role, other), rules, &[value])
        {
            return Some(found);
        }
    }
    let reflections = candidates.reflections(game.stop);
    let opened = reflections.iter().flat_map(|rules| {
        openings.iter().map(|&opening| ReplyRules {
            opening: Some(opening),
            ..rules.clone()
        })
    });
    let tried = reflections.iter().cloned().chain(opened);
    let mut best: Option<ForcedPayoff> = None;
    for rules in tried.take(MOST_TRIALS) {
        if game.stop.raised().is_some() {
            return best;
        }
        let better = |value: &GoalValue| best.as_ref().is_none_or(|best| *value > best.value);
        let wanted: Vec<GoalValue> = wanted.iter().copied().filter(better).collect();
        best = game.forced((role, other), rules, &wanted).or(best);
    }
    best
}

/// The moves with which a role may begin, if it has a choice.
fn openings(circuit: &Circuit, role: usize, probe: &mut Probe) -> Vec<usize> {
    probe.enter(&start(circuit));
    let moves = 0..circuit.moves[role].len();
    let legal: Vec<usize> = moves.filter(|&mv| probe.legal(role, mv)[0] != 0).collect();
    if (2..=MOST_OPENINGS).contains(&legal.len()) {
        legal
    } else {
        Vec::new()
    }
}

/// The goal values of a role, ascending.
fn values(circuit: &Circuit, role: usize) -> Vec<GoalValue> {
    let payoffs = circuit.goals[role].iter();
    let mut values: Vec<GoalValue> = payoffs.filter_map(|payoff| payoff.value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// When a role has a payoff of less than a value.
fn low_payoffs(circuit: &Circuit, role: usize, value: GoalValue) -> Vec<Signal> {
    let payoffs = circuit.goals[role].iter();
    let low = payoffs.filter(|payoff| payoff.value.is_some_and(|own| own < value));
    low.map(|payoff| payoff.signal).collect()
}

impl ReplyGame<'_> {
    /// The highest of some values, ascending, that a role which keeps to a strategy has at all ends.
    fn forced(
        self,
        (role, other): (usize, usize),
        rules: ReplyRules,
        values: &[GoalValue],
    ) -> Option<ForcedPayoff> {
        let mut kept = rules.kept(self.circuit, role, other);
        let bad = values.iter().map(|&value| bad_end(&mut kept, role, value));
        let bad: Vec<Signal> = bad.collect();
        let reached = self.reached(&kept, &bad);
        // Who is not left with less than a value is not left with less than lower ones.
        let best = reached.iter().rposition(|&is_reached| !is_reached)?;
        let kept = Arc::new(kept);
        let is_proved = self.is_unreachable(&kept, bad[best]);
        is_proved.then_some(ForcedPayoff {
            value: values[best],
            rules,
        })
    }

    /// By signal, whether random plays come to a state in which it is true.
    fn reached(self, circuit: &Circuit, signals: &[Signal]) -> Vec<bool> {
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

    /// Whether it is proved that no state in which a signal is true is reached, and confirmed by the checker.
    fn is_unreachable(self, circuit: &Arc<Circuit>, signal: Signal) -> bool {
        let Ok(proved) = proved_variables(circuit, self.stop, self.effort.assignments) else {
            return false;
        };
        let context = self.effort.check(circuit, self.stop);
        let requirements = &proved.requirements[..];
        let mut reachability = Reachability::new(Arc::clone(circuit), requirements, self.stop);
        let target = Target::State(signal);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let mut probe = Probe::new(circuit, &mut random);
        let cubes = conjectures(circuit, self.circuit.fluents.len(), &mut probe);
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

/// The end of a play that does not give a role so much.
fn bad_end(circuit: &mut Circuit, role: usize, value: GoalValue) -> Signal {
    let payoffs = circuit.goals[role].iter();
    let high = payoffs.filter(|payoff| payoff.value.is_some_and(|own| own >= value));
    let mut all: Vec<Signal> = high.map(|payoff| !payoff.signal).collect();
    all.push(circuit.terminal);
    circuit.gates.and(&mut all)
}
