//! Strategies of fixed answers that may be worth something.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use crate::circuit::symmetry::symmetries_of_moves;
use crate::circuit::{Circuit, Signal};
use crate::limits::StopFlag;
use crate::prove::reply::lines::lines;
use crate::prove::reply::observed::Observed;
use crate::prove::reply::strategy::ReplyRules;

/// What plays show of a role and another one.
pub(super) struct Candidates<'c> {
    pub(super) circuit: &'c Circuit,
    pub(super) role: usize,
    pub(super) other: usize,
    pub(super) observed: Observed,
}

impl Candidates<'_> {
    /// Two cells of each line that has to be kept from the other role: who takes one is answered by the other. None if
    /// lines have no cells of their own. Payoffs are those that a role shall not be left with.
    pub(super) fn pairing(&self, payoffs: &[Signal]) -> Option<ReplyRules> {
        let denials = self.observed.denials();
        // By fluent: the move that sets it, and the one that keeps it from being set.
        let cell = |fluent: usize| {
            let setter = self.observed.setter(fluent)?;
            Some((fluent, setter, denials.get(setter).copied().flatten()?))
        };
        let lines: Option<Vec<_>> = payoffs
            .iter()
            .map(|&payoff| lines(self.circuit, payoff))
            .collect();
        let lines = lines?.into_iter().flatten();
        let lines = lines.map(|line| line.ones().filter_map(cell).collect::<Vec<_>>());
        let lines: Vec<Vec<Cell>> = lines.collect();
        if lines.is_empty() || lines.iter().any(|line| line.len() < 2) {
            return None;
        }
        let pairs = pairs(&lines, self.circuit.fluents.len())?;
        let replies = pairs.iter().flat_map(|&[one, other]| {
            let (_, first, answer_to_other) = one;
            let (_, second, answer_to_first) = other;
            [(first, answer_to_first), (second, answer_to_other)]
        });
        let mut replies: Vec<(usize, usize)> = replies.collect();
        replies.sort_unstable();
        Some(ReplyRules {
            opening: None,
            replies,
        })
    }

    /// To each move the same, or that which becomes of it by a symmetry of the board.
    pub(super) fn reflections(&self, stop: &StopFlag) -> Vec<ReplyRules> {
        let own = &self.circuit.moves[self.role];
        let others = &self.circuit.moves[self.other];
        let same = others.iter().map(|mv| {
            let mut own = own.iter();
            own.position(|other| other.term == mv.term)
        });
        let first = self.circuit.fluents.len();
        let before = self.circuit.moves[..self.other].iter().map(Vec::len);
        let first = first + before.sum::<usize>();
        let mut all = Vec::new();
        // The identity is among them.
        let mut group = symmetries_of_moves(self.circuit, stop);
        group.push((0..first + others.len()).collect());
        for counterparts in [self.observed.denials(), same.collect()] {
            for images in &group {
                // Who has no choice makes no move that asks for an answer.
                let replies = self.observed.chosen.ones().filter_map(|mv| {
                    let image = images[first + mv].checked_sub(first)?;
                    let reply = counterparts.get(image).copied().flatten()?;
                    Some((mv, reply))
                });
                let replies: Vec<(usize, usize)> = replies.collect();
                all.extend((!replies.is_empty()).then_some(ReplyRules {
                    opening: None,
                    replies,
                }));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A cell of a line: the fluent, the move that sets it, and the move that takes that one away.
type Cell = (usize, usize, usize);

/// Two cells of each line, none of them in two pairs: a matching of each line, twice, with cells.
fn pairs(lines: &[Vec<Cell>], fluents: usize) -> Option<Vec<[Cell; 2]>> {
    let mut graph: UnGraph<(), ()> = UnGraph::default();
    let cells: Vec<NodeIndex> = (0..fluents).map(|_| graph.add_node(())).collect();
    let mut halves = Vec::with_capacity(lines.len());
    for line in lines {
        let both = [(); 2].map(|()| graph.add_node(()));
        for half in both {
            for &(fluent, ..) in line {
                graph.add_edge(half, cells[fluent], ());
            }
        }
        halves.push(both);
    }
    let matching = maximum_matching(&graph);
    let pairs = lines.iter().zip(halves).map(|(line, both)| {
        let [one, other] = both.map(|half| {
            let cell = matching.mate(half)?.index();
            line.iter().find(|&&(fluent, ..)| fluent == cell).copied()
        });
        Some([one?, other?])
    });
    pairs.collect()
}
