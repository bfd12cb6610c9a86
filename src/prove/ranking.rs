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
//! Where a state is left in which no measure need grow, it is asked whether plays reach it.
//!
//! Source: lexicographic ranking functions are those of Bradley, Manna, Sipma, Linear Ranking with Reachability,
//! CAV 2005.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::circuit::Circuit;
use crate::circuit::invariants::{Account, Plays, Row, Variable};
use crate::circuit::lanes::{and, any, count, none, or, without, xor};
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, literals};

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
        let mut held = ranked.filter(|(fluent, _)| circuit.fluents[**fluent].initial);
        let start = held.next().map_or(self.none, |(_, &rank)| rank);
        let most = self.ranks.iter().copied().max().unwrap_or(0);
        u64::from(most.max(self.none) - start)
    }
}

/// Measures in lexicographic order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranking {
    pub(super) measures: Vec<Measure>,
    /// Moves of a play, at most, if that follows.
    pub(super) bound: Option<u64>,
}

/// Values that follow each other, a pair of places among those of the variable; the last place is none of them.
type ValueChanges = BTreeSet<(usize, usize)>;

/// A variable that may be a measure.
struct MeasureCandidate<'v> {
    variable: &'v Variable,
    /// How many moves of plays change it.
    often: u64,
}

/// Literals for the values of a variable; the last one of each list is that none of its fluents holds.
struct ValueLiterals {
    now: Vec<Literal>,
    next: Vec<Literal>,
}

/// Looks for measures.
struct MeasureSearch<'s> {
    solver: Solver,
    transition: Transition,
    account: &'s mut Account,
}

/// Assignments for one question.
const MAX_ASSIGNMENTS: u64 = 2_000_000;

/// Values of a variable.
const MAX_VALUES: usize = 2_000;

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
        quiet: context.plays.goes_on.clone(),
        is_sum: true,
    };
    loop {
        let before = found.measures.len();
        if search.add_measures(&candidates, context.plays, &mut found)? {
            return Some(found.ranking(context.circuit));
        }
        if found.measures.len() > before {
            continue;
        }
        // A move that makes nothing grow, from a state that plays perhaps do not reach.
        while search.is_possible(&found.unchanged)? {
            search.exclude(&avoid(&search.state())?);
        }
        return Some(found.ranking(context.circuit));
    }
}

/// The variables that may be measures, those first that plays change most often.
fn candidates<'g>(context: &RankingContext<'g>) -> Vec<MeasureCandidate<'g>> {
    let variables = context.variables.iter();
    let variables = variables.filter(|variable| variable.values() <= MAX_VALUES);
    let plays = context.plays;
    let mut candidates: Vec<MeasureCandidate<'_>> = variables
        .map(|variable| MeasureCandidate {
            variable,
            often: changes(plays, variable, &plays.goes_on).1,
        })
        .collect();
    candidates.sort_by_key(|candidate| Reverse(candidate.often));
    candidates
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
    fn ranking(self, circuit: &Circuit) -> Ranking {
        let spans = self.measures.iter().map(|measure| measure.span(circuit));
        let bound = self.is_sum.then(|| spans.sum());
        Ranking {
            measures: self.measures,
            bound,
        }
    }
}

/// The values of a variable in some state of the plays; the last one is that none of its fluents holds.
fn values(state: &[Row], fluents: &[usize]) -> Vec<Row> {
    let mut rows: Vec<Row> = fluents.iter().map(|&at| state[at]).collect();
    let some = rows.iter().fold(none(), |some, &row| or(some, row));
    rows.push(without([u64::MAX; 4], some));
    rows
}

/// How a variable changes in some of the moves of plays, and how often.
fn changes(plays: &Plays, variable: &Variable, among: &[Row]) -> (ValueChanges, u64) {
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
fn leave_quiet(plays: &Plays, measure: &Measure, quiet: &mut [Row]) {
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

impl<'s> MeasureSearch<'s> {
    /// Knows what is required of states, and what they are not in.
    fn new(context: &RankingContext<'_>, account: &'s mut Account) -> Self {
        let mut solver = Solver::for_large_conflicts(context.stop.clone(), 0);
        let transition = Transition::new(context.circuit, context.requirements, &mut solver);
        let mut search = Self {
            solver,
            transition,
            account,
        };
        search.exclude(context.excluded);
        search
    }

    /// Adds the candidates that are measures as long as the ranks of those before the round stay as they are; whether
    /// no move is left then that leaves all ranks so. Nothing at all if the account is empty.
    fn add_measures(
        &mut self,
        candidates: &[MeasureCandidate<'_>],
        plays: &Plays,
        found: &mut FoundMeasures,
    ) -> Option<bool> {
        // All of a round are found under the same assumptions: in any order they are a lexicographic ranking.
        let assumed = found.unchanged.clone();
        let moves = found.quiet.clone();
        for candidate in candidates {
            let seen = changes(plays, candidate.variable, &moves).0;
            let Some(measure) = self.measure(candidate.variable, seen, &assumed)? else {
                continue;
            };
            // Ranks of the first round never sink; those of later ones may, when one before them grows.
            found.is_sum &= assumed.is_empty();
            found.unchanged.push(self.unchanged(&measure));
            leave_quiet(plays, &measure, &mut found.quiet);
            found.measures.push(measure);
            if !self.is_possible(&found.unchanged)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The variable as a measure, if some of its values do not come back while the ranks of others stay as they are;
    /// nothing at all if the account is empty.
    fn measure(
        &mut self,
        variable: &Variable,
        mut changes: ValueChanges,
        assumed: &[Literal],
    ) -> Option<Option<Measure>> {
        let fluents = &variable.fluents;
        let number = fluents.len() + 1;
        // If all values are in one circle, all have the same rank, and the variable is no measure.
        let is_circle = |changes: &ValueChanges| circle(number, changes) == variable.values();
        if is_circle(&changes) {
            return Some(None);
        }
        let values = self.values(fluents);
        // What plays have shown is not asked; each answer is a change more, until the solver finds none.
        for from in 0..number {
            while let Some(to) = self.new_change(from, &changes, &values, assumed)? {
                changes.insert((from, to));
                if is_circle(&changes) {
                    return Some(None);
                }
            }
        }
        let mut ranks = ranks(number, &changes);
        let grows = ranks.iter().any(|&rank| rank > 0);
        let none = ranks.pop().unwrap_or(0);
        Some(grows.then(|| Measure {
            fluents: fluents.clone(),
            ranks,
            none,
        }))
    }

    /// Literals for the values of a variable, now and next.
    fn values(&mut self, fluents: &[usize]) -> ValueLiterals {
        let now = fluents.iter().map(|&place| self.transition.now[place]);
        let now = now.collect();
        let next = fluents.iter().map(|&place| self.transition.next[place]);
        let next = next.collect();
        ValueLiterals {
            now: self.with_none(now),
            next: self.with_none(next),
        }
    }

    /// Literals, and one more that is true if and only if none of them is.
    fn with_none(&mut self, mut literals: Vec<Literal>) -> Vec<Literal> {
        let nothing = self.solver.variable();
        for &literal in &literals {
            self.solver.require([!nothing, !literal]);
        }
        let some = literals.iter().copied();
        self.solver.require(some.chain([nothing]));
        literals.push(nothing);
        literals
    }

    /// A value that follows another one and is not known to do so.
    fn new_change(
        &mut self,
        from: usize,
        changes: &ValueChanges,
        ValueLiterals { now, next }: &ValueLiterals,
        assumed: &[Literal],
    ) -> Option<Option<usize>> {
        let others: Vec<usize> = (0..now.len())
            .filter(|&to| to != from && !changes.contains(&(from, to)))
            .collect();
        let some = self.solver.variable();
        let clause = others.iter().map(|&to| next[to]);
        self.solver.require(clause.chain([!some]));
        let mut assumed = assumed.to_vec();
        assumed.extend([now[from], some]);
        let is_possible = self.is_possible(&assumed)?;
        // The move that was found shows one value that follows; others are asked for again.
        let mut others = others.into_iter();
        Some(
            is_possible
                .then(|| others.find(|&to| self.solver.value(next[to])))
                .flatten(),
        )
    }

    /// A literal that implies that the rank of a measure stays as it is.
    fn unchanged(&mut self, measure: &Measure) -> Literal {
        let ValueLiterals { now, next } = self.values(&measure.fluents);
        let ranks = measure.ranks.iter().chain([&measure.none]);
        let ranks: Vec<u32> = ranks.copied().collect();
        let unchanged = self.solver.variable();
        for (&value, rank) in now.iter().zip(&ranks) {
            let later = next.iter().zip(&ranks);
            let same = later.filter_map(|(&later, other)| (other == rank).then_some(later));
            self.solver.require(same.chain([!unchanged, !value]));
        }
        unchanged
    }

    /// Requires that states are in none of some sets.
    fn exclude(&mut self, cubes: &[Cube]) {
        for cube in cubes {
            let outside = literals(cube, &self.transition.now).into_iter();
            self.solver.require(outside.map(|literal| !literal));
        }
    }

    /// The state found last.
    fn state(&self) -> FixedBitSet {
        self.solver.held(&self.transition.now)
    }

    /// Whether a move is possible under some assumptions; nothing if the account is empty.
    fn is_possible(&mut self, assumed: &[Literal]) -> Option<bool> {
        match self.account.ask(&mut self.solver, assumed, MAX_ASSIGNMENTS) {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            Answer::Stopped(_) => None,
        }
    }
}

/// By value, the number of circles, or of values that are in none, that may be gone through before it.
fn ranks(values: usize, changes: &ValueChanges) -> Vec<u32> {
    let mut ranks = vec![0; values];
    // Tarjan's order has circles that lead to no other first: they are gone through from those that nothing leads to.
    for circle in circles(values, changes).into_iter().rev() {
        let rank = circle.iter().map(|&value| ranks[value]).max().unwrap_or(0);
        circle.iter().for_each(|&value| ranks[value] = rank);
        for &from in &circle {
            for &(_, to) in changes.range((from, 0)..(from + 1, 0)) {
                if !circle.contains(&to) {
                    ranks[to] = ranks[to].max(rank + 1);
                }
            }
        }
    }
    ranks
}

/// The number of values in the largest circle.
fn circle(values: usize, changes: &ValueChanges) -> usize {
    let circles = circles(values, changes);
    circles.iter().map(Vec::len).max().unwrap_or(0)
}

/// Values that follow each other in circles, and single ones; what comes after others is before them.
fn circles(values: usize, changes: &ValueChanges) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = (0..values).map(|_| graph.add_node(())).collect();
    for &(from, to) in changes {
        graph.add_edge(nodes[from], nodes[to], ());
    }
    let circles = tarjan_scc(&graph).into_iter();
    let circles = circles.map(|circle| circle.into_iter().map(NodeIndex::index).collect());
    circles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_circle_have_the_same_rank() {
        // empty ⇄ queen → arrow; an edge that nothing leads to.
        let changes = ValueChanges::from([(0, 1), (1, 0), (1, 2)]);
        assert_eq!(ranks(4, &changes), [0, 0, 1, 0]);
        assert_eq!(circle(4, &changes), 2);
        let chain = ValueChanges::from([(0, 1), (1, 2), (0, 2), (2, 3)]);
        assert_eq!(ranks(4, &chain), [0, 1, 2, 3]);
        let around = ValueChanges::from([(0, 1), (1, 2), (2, 0)]);
        assert_eq!(ranks(3, &around), [0, 0, 0]);
        assert_eq!(circle(3, &around), 3);
    }
}
