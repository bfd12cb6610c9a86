//! What a strategy of fixed answers is worth: guessed from random plays, proved of all.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::start;
use crate::circuit::{Circuit, Probe, Signal};
use crate::gdl::GoalValue;
use crate::prove::reply::candidates::Candidates;
use crate::prove::reply::game::{ReplyGame, end_without, values};
use crate::prove::reply::strategy::ReplyRules;

/// Openings that are tried with each strategy.
const MOST_OPENINGS: usize = 64;

/// Reflections that are tried: those without an opening first, then those after openings that stay where they are.
const MOST_TRIALS: usize = 64;

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
    let candidates = Candidates::of(game.circuit, (role, other), &mut probe)?;
    let values = values(game.circuit, role);
    let wanted = |value: GoalValue| known.is_none_or(|known| value > known) && value <= most;
    let wanted: Vec<GoalValue> = values.into_iter().filter(|&value| wanted(value)).collect();
    let openings = openings(game.circuit, role, &mut probe);
    // What costs least comes first: a pairing has few lines to be proved.
    for &value in wanted.iter().rev() {
        let low = low_payoffs(game.circuit, role, value);
        let mut pairings = candidates.pairings(&low).into_iter();
        let found = pairings.find_map(|rules| game.forced((role, other), rules, &[value]));
        if found.is_some() {
            return found;
        }
    }
    let reflections = candidates.reflections(game.stop);
    let opened = reflections.iter().flat_map(|rules| {
        openings.iter().map(|&opening| ReplyRules {
            opening: Some(opening),
            ..rules.clone()
        })
    });
    // After an opening that a reflection leaves where it is, each move has an answer; the fewer of them there are, the more
    // moves are reflected.
    let fixed = |rules: &ReplyRules| {
        let openings = openings.iter();
        openings
            .filter(|&&opening| candidates.is_fixed(rules, opening))
            .count()
    };
    let rank = |rules: &ReplyRules| match rules.opening {
        Some(opening) if candidates.is_fixed(rules, opening) => fixed(rules),
        Some(_) | None => usize::MAX,
    };
    let mut opened: Vec<ReplyRules> = opened.collect();
    opened.sort_by_cached_key(rank);
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
        let bad = values
            .iter()
            .map(|&least| end_without(&mut kept, role, |value| value >= least));
        let bad: Vec<Signal> = bad.collect();
        let reached = self.reached(&kept, &bad);
        // Who is not left with less than a value is not left with less than lower ones.
        let best = reached.iter().rposition(|&is_reached| !is_reached)?;
        let kept = Arc::new(kept);
        let first = self.circuit.fluents.len();
        let last = first..first + rules.replies.len();
        let is_proved = self.is_unreachable(&kept, last, bad[best]);
        is_proved.then_some(ForcedPayoff {
            value: values[best],
            rules,
        })
    }
}
