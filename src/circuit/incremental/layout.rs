//! What can be seen of a network, as bits: the next state, legal moves, payoffs, the end.

use std::ops::Range;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::Signal;
use crate::circuit::incremental::links::Node;
use crate::gdl::FluentId;

/// An output: the place of its bit among those of all outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OutputBit(u32);

impl OutputBit {
    /// The first bit of a word.
    fn of_word(word: usize) -> Self {
        Self(word as u32 * u64::BITS)
    }

    /// The output so many bits behind this one.
    fn plus(self, bits: usize) -> Self {
        Self(self.0 + bits as u32)
    }

    /// The word that has the bit.
    #[inline]
    pub(super) fn word(self) -> usize {
        (self.0 / u64::BITS) as usize
    }

    /// The word in which this bit alone is set.
    #[inline]
    pub(super) fn mask(self) -> u64 {
        1 << (self.0 % u64::BITS)
    }

    /// The node that stands for the output, if outputs start at this word of nodes.
    pub(super) fn node(self, first: usize) -> Node {
        first as Node * u64::BITS + self.0
    }
}

/// Where things are seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Words of the next state, which come first: a bit a fluent, by id.
    pub(super) state: usize,
    /// For each role, the words of its legal moves: a bit a move, by place in the circuit.
    pub(super) legal: Vec<Range<usize>>,
    /// For each role, its payoffs, by place in the circuit.
    pub(super) goals: Vec<Box<[OutputBit]>>,
    pub(super) terminal: OutputBit,
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
        let mut output = OutputBit::of_word(end);
        let goals = circuit.goals.iter().map(|payoffs| {
            let first = output;
            output = first.plus(payoffs.len());
            (0..payoffs.len()).map(|at| first.plus(at)).collect()
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
        self.terminal.word() + 1
    }

    /// The signals that are seen, and where.
    pub(super) fn signals(
        &self,
        circuit: &Circuit,
        fluents: &[FluentId],
    ) -> Vec<(Signal, OutputBit)> {
        let mut signals = vec![(circuit.terminal, self.terminal)];
        for (fluent, id) in circuit.fluents.iter().zip(fluents) {
            // A fluent that always holds has no next; it is shown as it is.
            let next = match fluent.holds.constant() {
                Some(_) => fluent.holds,
                None => fluent.next,
            };
            signals.push((next, OutputBit::default().plus(id.index())));
        }
        for (moves, words) in circuit.moves.iter().zip(&self.legal) {
            let first = OutputBit::of_word(words.start);
            let moves = moves.iter().enumerate();
            signals.extend(moves.map(|(at, mv)| (mv.legal, first.plus(at))));
        }
        for (payoffs, outputs) in circuit.goals.iter().zip(&self.goals) {
            let payoffs = payoffs.iter().zip(outputs);
            signals.extend(payoffs.map(|(payoff, &output)| (payoff.signal, output)));
        }
        signals
    }
}
