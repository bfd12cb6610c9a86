//! What can be seen of a network, as bits: the next state, legal moves, payoffs, the end.

use std::ops::Range;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::Signal;
use crate::gdl::FluentId;

/// A place of a bit.
pub(super) type Output = u32;

/// Where things are seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Words of the next state, which come first: a bit a fluent, by id.
    pub(super) state: usize,
    /// For each role, the words of its legal moves: a bit a move, by place in the circuit.
    pub(super) legal: Vec<Range<usize>>,
    /// For each role, its payoffs, by place in the circuit.
    pub(super) goals: Vec<Range<Output>>,
    pub(super) terminal: Output,
}

impl Layout {
    /// The layout of a circuit with these fluents.
    pub(super) fn of(circuit: &Circuit, fluents: &[FluentId]) -> Self {
        let ids = fluents.iter().map(|fluent| fluent.index() + 1);
        let state = ids.max().unwrap_or(0).div_ceil(64);
        let mut end = state;
        let legal = circuit.moves.iter().map(|moves| {
            // A role's legal moves start at a word, so that a role is read without shifting.
            let words = end..end + moves.len().div_ceil(64);
            end = words.end;
            words
        });
        let legal = legal.collect();
        let mut output = end as Output * 64;
        let goals = circuit.goals.iter().map(|payoffs| {
            let outputs = output..output + payoffs.len() as Output;
            output = outputs.end;
            outputs
        });
        Self {
            state,
            legal,
            goals: goals.collect(),
            terminal: output,
        }
    }

    /// Number of words.
    pub(super) fn words(&self) -> usize {
        self.terminal as usize / 64 + 1
    }

    /// The signals that are seen, and where.
    pub(super) fn signals(&self, circuit: &Circuit, fluents: &[FluentId]) -> Vec<(Signal, Output)> {
        let mut signals = vec![(circuit.terminal, self.terminal)];
        for (fluent, id) in circuit.fluents.iter().zip(fluents) {
            // A fluent that always holds has no next; it is shown as it is.
            let next = match fluent.holds.constant() {
                Some(_) => fluent.holds,
                None => fluent.next,
            };
            signals.push((next, id.index() as Output));
        }
        for (moves, words) in circuit.moves.iter().zip(&self.legal) {
            let moves = moves.iter().zip(words.start as Output * 64..);
            signals.extend(moves.map(|(mv, output)| (mv.legal, output)));
        }
        for (payoffs, outputs) in circuit.goals.iter().zip(&self.goals) {
            let payoffs = payoffs.iter().zip(outputs.clone());
            signals.extend(payoffs.map(|(payoff, output)| (payoff.signal, output)));
        }
        signals
    }
}
