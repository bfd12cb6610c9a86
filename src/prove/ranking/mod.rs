//! Measures of which every move makes one grow: why plays end.
//!
//! A measure is a variable, a group of fluents of which at most one holds, with a rank for each of its values: step
//! counters, cells that only fill, pieces that never come back. Its rank never sinks, as long as the ranks of the
//! measures before it stay as they are; every move makes one of them grow. What values follow each other is asked of the
//! solver value by value, plays have shown most of it; values that follow each other in a circle have the same rank.
//!
//! ```text
//! step(1) → step(2) → … → step(10)      cell(1,1,b) → cell(1,1,x) | cell(1,1,o)
//! cell(1,1,empty) ⇄ cell(1,1,queen)  →  cell(1,1,arrow)
//! ```
//!
//! Fluents that take each other's place may be a measure together, though nobody has proved that no two of them hold: the
//! stones of reversi that are turned over.
//!
//! Where a state is left in which no measure need grow, it is asked whether plays reach it; and where plays do, whether
//! a few moves in a row can leave all ranks as they are. In reversi nothing grows while a role passes, and never twice in
//! a row, since that is the end.
//!
//! Source: lexicographic ranking functions are those of Bradley, Manna, Sipma, Linear Ranking with Reachability,
//! CAV 2005.

mod candidates;
mod ranks;
mod search;

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::{Account, Plays, Row, Variable};
use crate::circuit::lanes::{and, any};
use crate::circuit::sat::{Literal, Requirement};
use crate::limits::StopFlag;
use crate::prove::invariant::Cube;
use crate::prove::ranking::candidates::candidates;
use crate::prove::ranking::search::MeasureSearch;

/// A variable whose changes make a rank grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// The fluents of the variable, by place.
    pub(super) fluents: Vec<usize>,
    /// The rank of each.
    pub(super) ranks: Vec<u32>,
    /// The rank if none of them holds.
    pub(super) none: u32,
}

impl Measure {
    /// The ranks that are greater than another, ascending.
    pub(super) fn levels(&self) -> Vec<u32> {
        let ranks = self.ranks.iter().copied().chain([self.none]);
        let ranks: BTreeSet<u32> = ranks.collect();
        ranks.into_iter().skip(1).collect()
    }

    /// How often the rank can grow from the start.
    fn span(&self, circuit: &Circuit) -> u64 {
        let ranked = self.fluents.iter().zip(&self.ranks);
        let held = ranked.filter(|(fluent, _)| circuit.fluents[**fluent].initial);
        let start = held.map(|(_, &rank)| rank).min().unwrap_or(self.none);
        let most = self.ranks.iter().copied().max().unwrap_or(0);
        u64::from(most.max(self.none) - start)
    }
}

/// Measures in lexicographic order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranking {
    pub(super) measures: Vec<Measure>,
    /// In any so many moves in a row, one makes a measure grow.
    pub(super) moves: usize,
    /// Moves of a play, at most, if that follows.
    pub(super) bound: Option<u64>,
}

/// Moves in a row that may leave all ranks as they are, and one more.
const MAX_MOVES: usize = 6;

/// What is known of states when measures are looked for.
pub(super) struct RankingContext<'g> {
    pub(super) circuit: &'g Circuit,
    pub(super) variables: &'g [Variable],
    pub(super) requirements: &'g [Requirement],
    /// Sets of states that plays do not reach.
    pub(super) excluded: &'g [Cube],
    pub(super) plays: &'g Plays,
    pub(super) stop: &'g StopFlag,
}

/// Measures one of which every move makes grow, if there are such among the variables. Sets of states that plays do not
/// reach, one that has the given state among them, are asked for with `avoid`.
pub(super) fn find(
    context: &RankingContext<'_>,
    account: &mut Account,
    mut avoid: impl FnMut(&FixedBitSet) -> Option<Vec<Cube>>,
) -> Option<Ranking> {
    let mut search = MeasureSearch::new(context, account);
    let candidates = candidates(context);
    let mut found = FoundMeasures {
        measures: Vec::new(),
        unchanged: Vec::new(),
        quiet: context.plays.goes_on[..context.plays.len() - 1].to_vec(),
        is_sum: true,
    };
    loop {
        let before = found.measures.len();
        if search.add_measures(&candidates, context.plays, &mut found) {
            return Some(found.ranking(context.circuit, 1));
        }
        if found.measures.len() > before {
            continue;
        }
        if found.measures.is_empty() {
            return None;
        }
        search.is_last = true;
        // Plays show how many moves in a row leave all ranks as they are; the solver whether more may.
        for moves in found.quiet_moves() + 1..=MAX_MOVES {
            // More moves in a row take more clauses: where this many are too hard, so are more.
            if search.all_grow(&found, moves, &mut avoid).ok()? {
                return Some(found.ranking(context.circuit, moves));
            }
        }
        return None;
    }
}

/// Measures that were found so far, in lexicographic order.
struct FoundMeasures {
    measures: Vec<Measure>,
    /// For each, a literal that implies that its rank stays as it is.
    unchanged: Vec<Literal>,
    /// The moves of plays, by time, that leave all ranks as they are.
    quiet: Vec<Row>,
    /// Whether no rank ever sinks, whatever the others do: then ranks can be added up.
    is_sum: bool,
}

impl FoundMeasures {
    fn ranking(self, circuit: &Circuit, moves: usize) -> Ranking {
        let spans = self.measures.iter().map(|measure| measure.span(circuit));
        let most = moves as u64;
        let bound = self.is_sum.then(|| spans.sum::<u64>() * most + most - 1);
        Ranking {
            measures: self.measures,
            moves,
            bound,
        }
    }

    /// How many moves in a row leave all ranks as they are in some play; more than are of interest are not counted.
    fn quiet_moves(&self) -> usize {
        let mut in_a_row = self.quiet.clone();
        let mut moves = 0;
        while moves < MAX_MOVES && in_a_row.iter().any(|&row| any(row)) {
            moves += 1;
            let later = self.quiet.iter().skip(moves);
            in_a_row = in_a_row
                .iter()
                .zip(later)
                .map(|(&row, &next)| and(row, next))
                .collect();
        }
        moves
    }
}
