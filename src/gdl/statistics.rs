//! Statistics of playouts: how they ended, what each role got, how long they were.
//!
//! A mean is worth nothing without the number of playouts that it is over, so the two are kept together. Of
//! 60 playouts of which 58 were given up, the mean payoff of the other two is shown as what it is:
//!
//! ```text
//! 60 playouts = 2 finished + 58 cut + 0 stuck       white: mean of 2, ± 98.0
//! ```
//!
//! All numbers are sums, so that statistics of several threads are added up in any order to the same result.

use crate::gdl::goal::Goal;
use crate::gdl::playout::{Ending, Playout};

/// Lengths below this have a bucket each.
const EXACT: u64 = 64;

/// Buckets between a power of two and the next: lengths in one differ by less than a sixteenth.
const PER_OCTAVE: u64 = 16;

/// Standard errors on either side of a mean that make an interval of 95 %.
const NORMAL_95: f64 = 1.96;

/// How many playouts had which length, in buckets: exact below 64, then sixteen from one power of two to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    counts: Vec<u64>,
}

impl Lengths {
    /// Counts a playout of so many joint moves.
    #[inline]
    pub fn add(&mut self, length: u64) {
        let at = bucket(length);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
    }

    fn extend(&mut self, other: &Lengths) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// The buckets that are not empty, ascending: least length, greatest length, number of playouts.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let counts = self.counts.iter().enumerate();
        counts
            .filter(|(_, count)| **count > 0)
            .map(|(at, &count)| (least(at as u64), greatest(at as u64), count))
    }
}

/// The bucket of a length.
fn bucket(length: u64) -> usize {
    if length < EXACT {
        return length as usize;
    }
    // 64 ≤ length: the highest bit says the octave, the four bits after it the bucket therein.
    let octave = u64::from(length.ilog2());
    let within = (length >> (octave - 4)) - PER_OCTAVE;
    (EXACT + (octave - 6) * PER_OCTAVE + within) as usize
}

/// The least length in a bucket.
fn least(bucket: u64) -> u64 {
    if bucket < EXACT {
        return bucket;
    }
    let (octave, within) = ((bucket - EXACT) / PER_OCTAVE, (bucket - EXACT) % PER_OCTAVE);
    // Octave 0 begins at 64 = 16 · 2²: bucket 64 has the lengths 64 to 67, bucket 65 those from 68 to 71.
    (PER_OCTAVE + within) << (octave + 2)
}

/// The greatest length in a bucket.
fn greatest(bucket: u64) -> u64 {
    if bucket < EXACT {
        bucket
    } else {
        let octave = (bucket - EXACT) / PER_OCTAVE;
        least(bucket) + ((1 << (octave + 2)) - 1)
    }
}

/// What a role got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payoffs {
    /// Finished playouts that give the role exactly one value.
    pub count: u64,
    /// The sum of these values, each 0..=100.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u64,
    /// Playouts in which every role has a value and nobody else has as much; of a single role, 100.
    pub wins: u64,
    /// Playouts in which every role has a value and this one shares the highest with another.
    pub draws: u64,
    /// The other playouts in which every role has a value.
    pub losses: u64,
}

impl Payoffs {
    /// The mean value, 0..=100; none without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The 95 % confidence interval of the mean within 0..=100, by the normal approximation; none of fewer than
    /// two values.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let mean = self.mean().filter(|_| self.count > 1)?;
        let count = self.count as f64;
        // Where all values are the same, rounding could make this less than nothing.
        let variance = (self.squares as f64 - count * mean * mean).max(0.0) / (count - 1.0);
        let half = NORMAL_95 * (variance / count).sqrt();
        Some(((mean - half).max(0.0), (mean + half).min(100.0)))
    }

    fn extend(&mut self, other: &Payoffs) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// What became of some playouts: each is finished, cut or stuck.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Playouts that came to a terminal state.
    pub finished: u64,
    /// Playouts that made as many moves as were allowed.
    pub cut: u64,
    /// Playouts in which a role had no legal move.
    pub stuck: u64,
    /// Finished playouts in which some role has no value.
    pub undefined: u64,
    /// Finished playouts in which some role has several values.
    pub ambiguous: u64,
    /// Joint moves of the finished playouts together.
    pub length: u64,
    /// The lengths of the finished playouts.
    pub lengths: Lengths,
    /// By role.
    pub payoffs: Vec<Payoffs>,
}

impl Statistics {
    /// No playouts of a game of so many roles.
    pub fn new(roles: usize) -> Self {
        Self {
            payoffs: vec![Payoffs::default(); roles],
            ..Self::default()
        }
    }

    /// The number of playouts.
    pub fn playouts(&self) -> u64 {
        self.finished + self.cut + self.stuck
    }

    /// The mean number of joint moves of finished playouts; none if there are none.
    pub fn mean_length(&self) -> Option<f64> {
        (self.finished > 0).then(|| self.length as f64 / self.finished as f64)
    }

    /// Counts a finished playout of so many joint moves, without its payoffs.
    #[inline]
    pub fn finish(&mut self, length: u64) {
        self.finish_all(std::iter::once(length));
    }

    /// Counts finished playouts of some lengths, without their payoffs.
    #[inline]
    pub(crate) fn finish_all(&mut self, lengths: impl Iterator<Item = u64>) {
        // Sums stay in registers: of short games, a sixth of all lanes ends in a step.
        let (mut number, mut sum) = (0, 0);
        lengths.for_each(|length| {
            number += 1;
            sum += length;
            self.lengths.add(length);
        });
        self.finished += number;
        self.length += sum;
    }

    /// Counts a playout.
    pub fn take(&mut self, playout: &Playout) {
        match &playout.ending {
            Ending::TooLong => self.cut += 1,
            Ending::NoLegalMove(_) => self.stuck += 1,
            Ending::Terminal(goals) => {
                self.finish(playout.length);
                self.score(goals);
            }
        }
    }

    /// Counts the payoffs of a finished playout.
    fn score(&mut self, goals: &[Goal]) {
        let is_ambiguous = |goal: &Goal| matches!(goal, Goal::Contradictory(_));
        let is_undefined = |goal: &Goal| matches!(goal, Goal::Absent | Goal::NotAValue(_));
        self.ambiguous += u64::from(goals.iter().any(is_ambiguous));
        self.undefined += u64::from(goals.iter().any(is_undefined));
        for (payoffs, goal) in self.payoffs.iter_mut().zip(goals) {
            if let Some(value) = goal.value() {
                let value = u64::from(value.0);
                payoffs.count += 1;
                payoffs.sum += value;
                payoffs.squares += value * value;
            }
        }
        // Who won is only said where all roles have a value.
        let values: Option<Vec<u8>> = goals.iter().map(|goal| goal.value().map(|v| v.0)).collect();
        if let Some(values) = values {
            self.compare(&values);
        }
    }

    /// Counts who won, where every role has a value.
    fn compare(&mut self, values: &[u8]) {
        let highest = match values {
            [_] => 100,
            _ => values.iter().copied().max().unwrap_or(0),
        };
        let shared = values.iter().filter(|&&value| value == highest).count() > 1;
        for (payoffs, &value) in self.payoffs.iter_mut().zip(values) {
            match (value == highest, shared) {
                (false, _) => payoffs.losses += 1,
                (true, true) => payoffs.draws += 1,
                (true, false) => payoffs.wins += 1,
            }
        }
    }

    /// Adds what became of other playouts of the same game.
    pub fn extend(&mut self, other: &Statistics) {
        self.finished += other.finished;
        self.cut += other.cut;
        self.stuck += other.stuck;
        self.undefined += other.undefined;
        self.ambiguous += other.ambiguous;
        self.length += other.length;
        self.lengths.extend(&other.lengths);
        for (payoffs, more) in self.payoffs.iter_mut().zip(&other.payoffs) {
            payoffs.extend(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::goal::GoalValue;

    #[test]
    fn buckets_hold_their_lengths_and_follow_each_other() {
        let mut last = 0;
        for length in (0..5_000).chain([1 << 20, u64::MAX]) {
            let at = bucket(length) as u64;
            assert!(least(at) <= length && length <= greatest(at), "{length}");
            assert!(at >= last);
            last = at;
        }
        for at in 0..300 {
            assert_eq!(greatest(at) + 1, least(at + 1), "bucket {at}");
        }
    }

    #[test]
    fn the_highest_value_wins_if_nobody_shares_it() {
        let mut statistics = Statistics::new(3);
        let goals = |values: [u8; 3]| values.map(|value| Goal::Value(GoalValue(value)));
        statistics.score(&goals([60, 30, 0]));
        statistics.score(&goals([50, 50, 0]));
        statistics.score(&[Goal::Absent, goals([0; 3])[0].clone(), Goal::Absent]);
        let counts = |p: &Payoffs| (p.count, p.wins, p.draws, p.losses);
        let found: Vec<_> = statistics.payoffs.iter().map(counts).collect();
        assert_eq!(found, [(2, 1, 1, 0), (3, 0, 1, 1), (2, 0, 0, 2)]);
        assert_eq!((statistics.undefined, statistics.ambiguous), (1, 0));
    }
}
