//! Measures of which every move makes one grow: why plays end.
//!
//! A measure is a variable, a group of fluents of which at most one holds, with a rank for each of its values: step
//! counters, cells that only fill, fluents that are never lost. Its rank grows whenever its value changes, as long as
//! the measures before it stay as they are; every move changes one of the measures. What values follow each other is
//! asked of the solver value by value; plays have shown most of it.
//!
//! ```text
//! step(1) → step(2) → … → step(10)      cell(1,1,b) → cell(1,1,x) | cell(1,1,o)
//! ```
//!
//! Source: lexicographic ranking functions are those of Bradley, Manna, Sipma, Linear Ranking with Reachability,
//! CAV 2005.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::{Account, Plays, Row, Variable};
use crate::circuit::lanes::{and, any, count, none, or, without, xor};
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::limits::StopFlag;

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
type Changes = BTreeSet<(usize, usize)>;

/// A variable that may be a measure.
struct Candidate<'v> {
    variable: &'v Variable,
    seen: Changes,
    /// How many moves of plays change it.
    often: u64,
}

/// Looks for measures.
struct Search<'s> {
    solver: Solver,
    transition: Transition,
    account: &'s mut Account,
}

/// Assignments for one question.
const MAX_ASSIGNMENTS: u64 = 2_000_000;

/// Values of a variable.
const MAX_VALUES: usize = 2_000;

/// What is known of states when measures are looked for.
pub(super) struct Ground<'g> {
    pub(super) circuit: &'g Circuit,
    pub(super) variables: &'g [Variable],
    pub(super) requirements: &'g [Requirement],
    pub(super) plays: &'g Plays,
    pub(super) stop: &'g StopFlag,
}

/// Measures one of which every move makes grow, if there are such among the variables.
pub(super) fn find(ground: &Ground<'_>, account: &mut Account) -> Option<Ranking> {
    let mut solver = Solver::for_large_conflicts(ground.stop.clone(), 0);
    let transition = Transition::new(ground.circuit, ground.requirements, &mut solver);
    let mut search = Search {
        solver,
        transition,
        account,
    };
    let mut left: Vec<Candidate<'_>> = ground
        .variables
        .iter()
        .filter(|variable| variable.values() <= MAX_VALUES)
        .map(|variable| candidate(ground.plays, variable))
        .collect();
    left.sort_by_key(|candidate| Reverse(candidate.often));
    let mut measures = Vec::new();
    let mut unchanged: Vec<Literal> = Vec::new();
    let mut is_sum = true;
    loop {
        let before = left.len();
        let assumed = unchanged.clone();
        let mut others = Vec::new();
        for candidate in left {
            let Some(measure) = search.measure(&candidate, &assumed)? else {
                others.push(candidate);
                continue;
            };
            is_sum &= assumed.is_empty();
            unchanged.push(search.unchanged(&measure));
            measures.push(measure);
            if !search.is_possible(&unchanged)? {
                let spans = measures.iter().map(|measure| measure.span(ground.circuit));
                let bound = is_sum.then(|| spans.sum());
                return Some(Ranking { measures, bound });
            }
        }
        left = others;
        if left.len() == before {
            return None;
        }
    }
}

/// A variable with what plays show of it.
fn candidate<'v>(plays: &Plays, variable: &'v Variable) -> Candidate<'v> {
    let mut seen = Changes::new();
    let mut often = 0;
    for (states, &moved) in plays.states.windows(2).zip(&plays.goes_on) {
        let rows = |state: &[Row]| {
            let mut rows: Vec<Row> = variable.fluents.iter().map(|&at| state[at]).collect();
            let some = rows.iter().fold(none(), |some, &row| or(some, row));
            rows.push(without([u64::MAX; 4], some));
            rows
        };
        let (before, after) = (rows(&states[0]), rows(&states[1]));
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
    Candidate {
        variable,
        seen,
        often,
    }
}

impl Search<'_> {
    /// The variable as a measure, if its values do not come back while some things stay as they are; nothing at all
    /// if the account is empty.
    fn measure(
        &mut self,
        candidate: &Candidate<'_>,
        assumed: &[Literal],
    ) -> Option<Option<Measure>> {
        let fluents = &candidate.variable.fluents;
        let values = fluents.len() + 1;
        let mut changes = if assumed.is_empty() {
            candidate.seen.clone()
        } else {
            // Plays changed it also where the others did not stay.
            Changes::new()
        };
        if ranks(values, &changes).is_none() {
            return Some(None);
        }
        let now = self.values(fluents, |transition| &transition.now);
        let next = self.values(fluents, |transition| &transition.next);
        for from in 0..values {
            while let Some(to) = self.new_change(from, &changes, &now, &next, assumed)? {
                changes.insert((from, to));
                if ranks(values, &changes).is_none() {
                    return Some(None);
                }
            }
        }
        let Some(mut ranks) = ranks(values, &changes) else {
            return Some(None);
        };
        let none = ranks.pop().unwrap_or(0);
        let fluents = fluents.clone();
        Some(Some(Measure {
            fluents,
            ranks,
            none,
        }))
    }

    /// Literals for the values of a variable; the last one is that none of its fluents holds.
    fn values(
        &mut self,
        fluents: &[usize],
        of: impl Fn(&Transition) -> &Vec<Literal>,
    ) -> Vec<Literal> {
        let all = of(&self.transition);
        let mut literals: Vec<Literal> = fluents.iter().map(|&place| all[place]).collect();
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
        changes: &Changes,
        now: &[Literal],
        next: &[Literal],
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
        let mut others = others.into_iter();
        Some(
            is_possible
                .then(|| others.find(|&to| self.solver.value(next[to])))
                .flatten(),
        )
    }

    /// A literal that implies that a measure stays as it is.
    fn unchanged(&mut self, measure: &Measure) -> Literal {
        let unchanged = self.solver.variable();
        for &place in &measure.fluents {
            let (now, next) = (self.transition.now[place], self.transition.next[place]);
            self.solver.require([!unchanged, !now, next]);
            self.solver.require([!unchanged, now, !next]);
        }
        unchanged
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

/// By value, the number of changes that may lead to it in a row; none if values come back.
fn ranks(values: usize, changes: &Changes) -> Option<Vec<u32>> {
    let mut incoming = vec![0; values];
    changes.iter().for_each(|&(_, to)| incoming[to] += 1);
    let mut open: Vec<usize> = (0..values).filter(|&value| incoming[value] == 0).collect();
    let mut ranks = vec![0u32; values];
    let mut done = 0;
    while let Some(from) = open.pop() {
        done += 1;
        for &(_, to) in changes.range((from, 0)..(from + 1, 0)) {
            ranks[to] = ranks[to].max(ranks[from] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                open.push(to);
            }
        }
    }
    (done == values).then_some(ranks)
}
