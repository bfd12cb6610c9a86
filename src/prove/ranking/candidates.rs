//! What may be a measure: variables, and fluents that take each other's place.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use crate::circuit::invariants::{Plays, Row, Variable};
use crate::circuit::lanes::{and, any, count, none, or, without, xor};
use crate::prove::ranking::ranks::ValueChanges;
use crate::prove::ranking::{Measure, RankingContext};

/// A variable that may be a measure.
pub(super) struct MeasureCandidate {
    pub(super) variable: Variable,
    /// How many moves of plays change it.
    often: u64,
}

/// Values of a variable.
const MAX_VALUES: usize = 2_000;

/// Fluents that may be in the place of each other, at most.
const MAX_REPLACED: usize = 2_000;

/// What may be a measure, those first that plays change most often.
pub(super) fn candidates(context: &RankingContext<'_>) -> Vec<MeasureCandidate> {
    let variables = context.variables.iter().cloned();
    let replaced = replaced(context.plays, context.variables);
    let all = variables.chain(replaced);
    let all = all.filter(|variable| variable.values() <= MAX_VALUES);
    let plays = context.plays;
    let mut candidates: Vec<MeasureCandidate> = all
        .map(|variable| MeasureCandidate {
            often: changes(plays, &variable, &plays.goes_on).1,
            variable,
        })
        .collect();
    candidates.sort_by_key(|candidate| Reverse(candidate.often));
    candidates
}

/// Fluents that are no values of a variable and take each other's place in plays: no two of them hold at once, and where
/// one of them is lost, another one holds next.
fn replaced(plays: &Plays, variables: &[Variable]) -> Vec<Variable> {
    let single = variables
        .iter()
        .filter(|variable| variable.fluents.len() == 1);
    let single: Vec<usize> = single.map(|variable| variable.fluents[0]).collect();
    let lost: Vec<Vec<Row>> = single.iter().map(|&place| lost(plays, place)).collect();
    let mut open: Vec<usize> = (0..single.len())
        .filter(|&at| lost[at].iter().any(|&row| any(row)))
        .collect();
    open.truncate(MAX_REPLACED);
    let mut sets = UnionFind::new(single.len());
    for (at, &one) in open.iter().enumerate() {
        for &other in &open[at + 1..] {
            // Few stones at the edge are turned over, and they all at once: that they exclude each other tells which of
            // them are of one cell.
            if is_replaced(plays, &lost[one], single[other])
                && is_replaced(plays, &lost[other], single[one])
                && are_exclusive(plays, [single[one], single[other]])
            {
                sets.union(one, other);
            }
        }
    }
    let mut by_set: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &at in &open {
        by_set.entry(sets.find(at)).or_default().push(single[at]);
    }
    let sets = by_set.into_values().filter(|fluents| fluents.len() > 1);
    let variable = |fluents| Variable {
        fluents,
        is_exact: false,
    };
    sets.map(variable).collect()
}

/// By time, the plays in which a move makes a fluent false.
fn lost(plays: &Plays, place: usize) -> Vec<Row> {
    let moves = plays.states.windows(2).zip(&plays.goes_on);
    let lost =
        moves.map(|(states, &moved)| and(moved, without(states[0][place], states[1][place])));
    lost.collect()
}

/// Whether a fluent holds wherever another one was lost.
fn is_replaced(plays: &Plays, lost: &[Row], by: usize) -> bool {
    let later = plays.states.iter().skip(1);
    lost.iter()
        .zip(later)
        .all(|(&lost, state)| !any(without(lost, state[by])))
}

/// Whether two fluents hold together in no state of the plays.
fn are_exclusive(plays: &Plays, [one, other]: [usize; 2]) -> bool {
    let reached = plays.states.iter().zip(&plays.reached);
    !reached
        .map(|(state, &reached)| and(reached, and(state[one], state[other])))
        .any(any)
}

/// The values of a variable in some state of the plays; the last one is that none of its fluents holds.
fn values(state: &[Row], fluents: &[usize]) -> Vec<Row> {
    let mut rows: Vec<Row> = fluents.iter().map(|&at| state[at]).collect();
    let some = rows.iter().fold(none(), |some, &row| or(some, row));
    rows.push(without([u64::MAX; 4], some));
    rows
}

/// How a variable changes in some of the moves of plays, and how often.
pub(super) fn changes(plays: &Plays, variable: &Variable, among: &[Row]) -> (ValueChanges, u64) {
    let mut seen = ValueChanges::new();
    let mut often = 0;
    for (states, &moved) in plays.states.windows(2).zip(among) {
        if !any(moved) {
            continue;
        }
        let before = values(&states[0], &variable.fluents);
        let after = values(&states[1], &variable.fluents);
        let changed = before.iter().zip(&after);
        let changed = changed.fold(none(), |some, (&one, &other)| or(some, xor(one, other)));
        often += count(and(changed, moved));
        let present = |rows: &[Row]| -> Vec<usize> {
            let places = 0..rows.len();
            places
                .filter(|&place| any(and(rows[place], moved)))
                .collect()
        };
        let later = present(&after);
        for from in present(&before) {
            let left = and(before[from], moved);
            let to = later
                .iter()
                .filter(|&&to| to != from && any(and(left, after[to])));
            seen.extend(to.map(|&to| (from, to)));
        }
    }
    (seen, often)
}

/// Takes the moves that change the rank of a measure out of some moves of plays.
pub(super) fn leave_quiet(plays: &Plays, measure: &Measure, quiet: &mut [Row]) {
    let ranks = measure.ranks.iter().chain([&measure.none]);
    let ranks: Vec<u32> = ranks.copied().collect();
    let levels = measure.levels();
    // Ranks 0, 1, 2 have the levels 1 and 2. A rank changes with a move if it passes one of them, up or down.
    for (states, quiet) in plays.states.windows(2).zip(quiet) {
        let [before, after] = [0, 1].map(|at| values(&states[at], &measure.fluents));
        for &level in &levels {
            let above = |rows: &[Row]| {
                let above = rows.iter().zip(&ranks).filter(|&(_, &rank)| rank >= level);
                above.fold(none(), |some, (&row, _)| or(some, row))
            };
            *quiet = without(*quiet, xor(above(&before), above(&after)));
        }
    }
}
