//! Disjunctions of conjunctions with what they have in common taken out.
//!
//! ```text
//! a b ∨ a c ∨ d  =  a (b ∨ c) ∨ d
//! ```
//!
//! The signal that most conjunctions share is taken out first, again and again. Frame axioms that were
//! instantiated for every move become `fluent ∧ (one of these moves)` this way, and that is short,
//! because exactly one move is made.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::circuit::gates::{Gates, Signal};

/// A conjunction of signals, ascending, each once.
pub(super) type Conjunction = SmallVec<[Signal; 6]>;

/// Factors within factors are taken out up to this depth.
const MAX_DEPTH: usize = 64;

/// The signal that is true if all signals of some conjunction are.
pub(super) fn disjunction(gates: &mut Gates, terms: Vec<Conjunction>) -> Signal {
    factored(gates, terms, 0)
}

fn factored(gates: &mut Gates, mut terms: Vec<Conjunction>, depth: usize) -> Signal {
    // A conjunction of nothing is true, and with it the disjunction.
    if terms.iter().any(SmallVec::is_empty) {
        return Signal::TRUE;
    }
    let mut parts: Vec<Signal> = Vec::with_capacity(terms.len());
    // Nothing can be taken out of single signals, which most disjunctions are of.
    let shares = terms.len() > 1 && terms.iter().any(|term| term.len() > 1);
    if shares && depth < MAX_DEPTH {
        terms.sort_unstable();
        terms.dedup();
        for (factor, mut group) in groups(gates, &mut terms) {
            for term in &mut group {
                term.retain(|signal| *signal != factor);
            }
            // `a b ∨ a c ∨ a` has an empty term in the group of a, so that the rest is true and a alone is left.
            let rest = factored(gates, group, depth + 1);
            parts.push(gates.and(&mut vec![factor, rest]));
        }
    }
    let mut signals: Vec<Signal> = Vec::new();
    for term in terms {
        signals.clear();
        signals.extend_from_slice(&term);
        parts.push(gates.and(&mut signals));
    }
    gates.or(&mut parts)
}

/// Takes terms that share a signal out of a list, those of the most frequent signal first.
fn groups(gates: &Gates, terms: &mut Vec<Conjunction>) -> Vec<(Signal, Vec<Conjunction>)> {
    let mut places: FxHashMap<Signal, SmallVec<[u32; 4]>> = FxHashMap::default();
    for (place, term) in terms.iter().enumerate() {
        // What is alone is found again as a whole.
        if term.len() > 1 {
            for &signal in term {
                places.entry(signal).or_default().push(place as u32);
            }
        }
    }
    // Of equally frequent signals a move is the last: what it would leave shares less.
    let rank = |signal: Signal, count: usize| (count, !gates.is_move(signal), signal);
    let shared = places.iter().filter(|(_, places)| places.len() > 1);
    let mut queue: BinaryHeap<(usize, bool, Signal)> = shared
        .map(|(&signal, places)| rank(signal, places.len()))
        .collect();
    let mut taken = vec![false; terms.len()];
    let mut groups = Vec::new();
    // Lazy deletion: counts in the queue are upper bounds, as taken terms are not taken off the others' counts. A
    // signal whose count has shrunk goes back with the true one.
    while let Some((count, _, signal)) = queue.pop() {
        let Some(places) = places.get_mut(&signal) else {
            continue;
        };
        places.retain(|place| !taken[*place as usize]);
        if places.len() < count {
            if places.len() > 1 {
                queue.push(rank(signal, places.len()));
            }
            continue;
        }
        let group = places.iter().map(|&place| {
            taken[place as usize] = true;
            std::mem::take(&mut terms[place as usize])
        });
        groups.push((signal, group.collect()));
    }
    // `retain` visits terms in order.
    let mut place = 0;
    terms.retain(|_| {
        place += 1;
        !taken[place - 1]
    });
    groups
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::circuit::gates::Gate;

    const FLUENTS: usize = 5;
    const MOVES: usize = 4;

    /// The value of a signal, one gate after the other.
    fn value(gates: &Gates, signal: Signal, sources: &[bool]) -> bool {
        let mut values = vec![false; gates.len()];
        let mut source = sources.iter();
        for gate in 1..gates.len() {
            values[gate] = match gates.gate(gate) {
                Gate::And => {
                    let mut inputs = gates.inputs(gate).iter();
                    inputs.all(|input| values[input.gate()] != input.is_inverted())
                }
                Gate::False | Gate::Fluent(_) | Gate::Move(..) | Gate::Variable(..) => {
                    *source.next().unwrap_or(&false)
                }
            };
        }
        values[signal.gate()] != signal.is_inverted()
    }

    /// Two roles with some moves each, and fluents; every joint move has one move of each role.
    #[test]
    fn factored_disjunctions_are_disjunctions() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..400 {
            let mut gates = Gates::default();
            let mut signals: Vec<Signal> = (0..FLUENTS as u32)
                .map(|fluent| gates.source(Gate::Fluent(fluent)))
                .collect();
            for mv in 0..2 * MOVES as u32 {
                signals.push(gates.source_move(mv / MOVES as u32, mv));
            }
            let literal = |random: &mut Xoshiro256PlusPlus| {
                let signal = signals[random.random_range(0..signals.len())];
                signal.inverted_if(random.random_range(0..3) == 0)
            };
            let terms: Vec<Conjunction> = (0..random.random_range(1..12))
                .map(|_| {
                    let mut term: Conjunction = (0..random.random_range(1..5))
                        .map(|_| literal(&mut random))
                        .collect();
                    term.sort_unstable();
                    term.dedup();
                    term
                })
                .collect();
            let result = disjunction(&mut gates, terms.clone());
            for _ in 0..40 {
                let (one, other) = (random.random_range(0..MOVES), random.random_range(0..MOVES));
                let mut sources: Vec<bool> = (0..FLUENTS).map(|_| random.random()).collect();
                sources.extend((0..MOVES).map(|mv| mv == one));
                sources.extend((0..MOVES).map(|mv| mv == other));
                let holds = |signal: &Signal| value(&gates, *signal, &sources);
                let expected = terms.iter().any(|term| term.iter().all(holds));
                assert_eq!(value(&gates, result, &sources), expected, "{terms:?}");
            }
        }
    }
}
