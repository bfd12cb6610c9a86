//! Strategies of fixed answers that may be worth something.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use crate::circuit::symmetry::symmetries_of_moves;
use crate::circuit::{Circuit, Probe, Signal, lines};
use crate::limits::StopFlag;
use crate::prove::reply::observed::Observed;
use crate::prove::reply::strategy::ReplyRules;

/// What plays show of a role and another one.
pub(super) struct Candidates<'c> {
    circuit: &'c Circuit,
    role: usize,
    other: usize,
    observed: Observed,
    /// The same with the roles exchanged.
    mirrored: Observed,
    /// By move of the other role, the only move of the role that takes it away.
    denials: Vec<Option<usize>>,
}

impl<'c> Candidates<'c> {
    /// What 256 plays show; none where there are too many moves.
    pub(super) fn of(
        circuit: &'c Circuit,
        (role, other): (usize, usize),
        probe: &mut Probe,
    ) -> Option<Self> {
        let observed = Observed::of(circuit, (role, other), probe)?;
        Some(Self {
            circuit,
            role,
            other,
            denials: observed.denials(),
            observed,
            mirrored: Observed::of(circuit, (other, role), probe)?,
        })
    }

    /// Two cells of each line, one of which the other role shall have, or the role itself: who takes one is answered by the
    /// other. Of lines that the other role needs, and of those that the role has to avoid itself; none if lines have no
    /// cells of their own. Payoffs are those that a role shall not be left with.
    pub(super) fn pairings(&self, payoffs: &[Signal]) -> Vec<ReplyRules> {
        // The move that sets a fluent, and the one that keeps it from being set.
        let kept = |fluent: usize| {
            let setter = self.observed.setter(fluent)?;
            Some((fluent, setter, self.denials.get(setter).copied().flatten()?))
        };
        let taken_away = self.mirrored.denials();
        let avoided = |fluent: usize| {
            let setter = self.mirrored.setter(fluent)?;
            Some((fluent, taken_away.get(setter).copied().flatten()?, setter))
        };
        let pairings = [
            self.pairing(payoffs, &kept),
            self.pairing(payoffs, &avoided),
        ];
        pairings.into_iter().flatten().collect()
    }

    fn pairing(
        &self,
        payoffs: &[Signal],
        cell: &dyn Fn(usize) -> Option<Cell>,
    ) -> Option<ReplyRules> {
        let lines: Option<Vec<_>> = payoffs
            .iter()
            .map(|&payoff| lines(self.circuit, payoff))
            .collect();
        let lines = lines?.into_iter().flatten();
        let lines = lines.map(|line| line.ones().filter_map(&cell).collect::<Vec<_>>());
        let lines: Vec<Vec<Cell>> = lines.collect();
        if lines.is_empty() || lines.iter().any(|line| line.len() < 2) {
            return None;
        }
        let pairs = pairs(&lines, self.circuit.fluents.len())?;
        let replies = pairs.iter().flat_map(|&[one, other]| {
            let (_, first, own_first) = one;
            let (_, second, own_second) = other;
            [(first, own_second), (second, own_first)]
        });
        let mut replies: Vec<(usize, usize)> = replies.collect();
        replies.sort_unstable();
        Some(ReplyRules {
            opening: None,
            replies,
        })
    }

    /// Whether a move to begin with is where an answer is its own image: the middle of a board that is reflected.
    pub(super) fn is_fixed(&self, rules: &ReplyRules, opening: usize) -> bool {
        let terms = |mv: usize| {
            let own = self.circuit.moves[self.role][opening].term;
            self.circuit.moves[self.other][mv].term == own
        };
        let same = |mv: usize| self.denials.get(mv) == Some(&Some(opening)) || terms(mv);
        let mut replies = rules.replies.iter();
        replies.any(|&(mv, answer)| answer == opening && same(mv))
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
        for counterparts in [self.denials.clone(), same.collect()] {
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

/// A cell of a line: the fluent, the move of the other role that takes the cell, and that of the role.
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
