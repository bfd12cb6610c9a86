//! Which sums of fluents are the same in all states of plays.
//!
//! A state is a row of zeros and ones, with a column for each fluent and one of ones. Relations between columns are the null
//! space of the rows, of which those are kept that add and subtract whole fluents. Few rows are as good as all: rows are drawn
//! until none is new any more, and what other states refute is found again with these.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::equations::elimination::Elimination;
use crate::circuit::invariants::equations::views::{Item, MIN_TERMS};
use crate::circuit::invariants::plays::{LANES, Plays, Row};
use crate::circuit::lanes::{and, any, bit, lanes, none, or, without};
use crate::circuit::sat::{LinearEquation, LinearTerm};
use crate::limits::{StopFlag, StopReason};

/// Columns at most.
const MAX_ITEMS: usize = 300;

/// Terms of an equation, at most; the clauses are as many as the square of it.
const MAX_TERMS: usize = 200;

/// Equations at most that are kept of a view.
const MAX_EQUATIONS: usize = 8;

/// Rows that are drawn in vain before relations are made.
const PATIENCE: usize = 64;

/// Rounds of relations and refutations.
const MAX_ROUNDS: usize = 32;

/// Sums that are the same in all states of plays, those of most terms first.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn candidates(
    items: &[Item],
    plays: &Plays,
    random: &mut Xoshiro256PlusPlus,
    stop: &StopFlag,
) -> Result<Vec<LinearEquation>, StopReason> {
    let courses = Courses::of(items, plays);
    if courses.items.len() > MAX_ITEMS || courses.items.len() < MIN_TERMS {
        return Ok(Vec::new());
    }
    let mut elimination = Elimination::new(courses.items.len() + 1);
    let mut in_vain = 0;
    while in_vain < PATIENCE {
        stop.poll()?;
        let time = random.random_range(0..plays.len());
        let lane = random.random_range(0..LANES);
        let is_new = bit(&plays.reached[time], lane) && elimination.add(&courses.row(time, lane));
        in_vain = if is_new { 0 } else { in_vain + 1 };
    }
    for _ in 0..MAX_ROUNDS {
        stop.poll()?;
        let relations = elimination.relations();
        let mut equations: Vec<CandidateEquation> = relations
            .iter()
            .filter_map(|relation| small(relation))
            .collect();
        let refuting = equations
            .iter()
            .filter_map(|one| courses.refuting(one, plays));
        let refuting: Vec<(usize, usize)> = refuting.collect();
        if refuting.is_empty() {
            equations.sort_by_key(|equation| std::cmp::Reverse(equation.terms.len()));
            equations.truncate(MAX_EQUATIONS);
            let equations = equations.into_iter().map(|one| courses.equation(one));
            return Ok(equations.collect());
        }
        for (time, lane) in refuting {
            elimination.add(&courses.row(time, lane));
        }
    }
    Ok(Vec::new())
}

/// A sum of items, by number, which are added or subtracted.
struct CandidateEquation {
    terms: Vec<(usize, bool)>,
    constant: i64,
}

/// A relation, whose first column is that of ones, as an equation, if it adds and subtracts whole items.
fn small(relation: &[i64]) -> Option<CandidateEquation> {
    let (constant, coefficients) = relation.split_first()?;
    let terms = coefficients.iter().enumerate();
    let terms = terms.filter(|&(_, &coefficient)| coefficient != 0);
    let terms: Vec<(usize, i64)> = terms
        .map(|(item, &coefficient)| (item, coefficient))
        .collect();
    let is_whole = terms.iter().all(|&(_, coefficient)| coefficient.abs() == 1);
    let number = terms.len();
    if !is_whole || !(MIN_TERMS..=MAX_TERMS).contains(&number) || constant.abs() > number as i64 {
        return None;
    }
    // The first term is added, so that an equation has one form.
    let sign = terms.first().map_or(1, |&(_, coefficient)| coefficient);
    let signed = terms
        .iter()
        .map(|&(item, coefficient)| (item, coefficient != sign));
    Some(CandidateEquation {
        terms: signed.collect(),
        constant: -constant * sign,
    })
}

/// When items hold in plays.
struct Courses<'i> {
    items: Vec<&'i Item>,
    /// By state of the plays and by item.
    held: Vec<Vec<Row>>,
}

impl<'i> Courses<'i> {
    /// The courses of the items that change, those last that are the same in all plays: what others are a sum of is told in
    /// terms of the others.
    fn of(items: &'i [Item], plays: &Plays) -> Self {
        let held_at = |item: &Item, time: usize| {
            let fluents = item.iter().map(|&place| plays.states[time][place]);
            and(fluents.fold(none(), or), plays.reached[time])
        };
        let times = || 0..plays.len();
        let changes = |item: &&'i Item| {
            times().any(|time| any(held_at(item, time)))
                && times().any(|time| any(without(plays.reached[time], held_at(item, time))))
        };
        let is_clock = |item: &Item| item.iter().all(|&place| plays.are_alike(place));
        let changing = items.iter().filter(changes);
        let (clocks, mut all): (Vec<&Item>, Vec<&Item>) = changing.partition(|item| is_clock(item));
        all.extend(clocks);
        let held = times().map(|time| all.iter().map(|item| held_at(item, time)).collect());
        Self {
            held: held.collect(),
            items: all,
        }
    }

    /// A state as a row, a one first.
    fn row(&self, time: usize, lane: usize) -> Vec<bool> {
        let held = self.held[time].iter().map(|row| bit(row, lane));
        [true].into_iter().chain(held).collect()
    }

    /// A state, by time and lane, that does not satisfy an equation.
    fn refuting(&self, equation: &CandidateEquation, plays: &Plays) -> Option<(usize, usize)> {
        let times = self.held.iter().zip(&plays.reached).enumerate();
        times
            .filter_map(|(time, (held, &reached))| {
                let mut sums = [0; LANES];
                for &(item, is_subtracted) in &equation.terms {
                    let sign = if is_subtracted { -1 } else { 1 };
                    lanes(held[item]).for_each(|lane| sums[lane] += sign);
                }
                let mut reached = lanes(reached);
                let lane = reached.find(|&lane| sums[lane] != equation.constant)?;
                Some((time, lane))
            })
            .next()
    }

    /// An equation over fluents, in the order of their places.
    fn equation(&self, candidate: CandidateEquation) -> LinearEquation {
        let terms = candidate
            .terms
            .into_iter()
            .map(|(item, is_subtracted)| LinearTerm {
                places: self.items[item].clone(),
                is_subtracted,
            });
        LinearEquation {
            terms: terms.collect(),
            constant: candidate.constant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relations_of_whole_items_are_equations() {
        // 2 + a - b + c - d + e - f = 0, and the same with another sign.
        for sign in [1, -1] {
            let relation = [2, 1, -1, 1, -1, 1, -1].map(|coefficient| sign * coefficient);
            let equation = small(&relation).map(|equation| (equation.constant, equation.terms[1]));
            assert_eq!(equation, Some((-2, (1, true))));
        }
        assert!(small(&[0, 1, -1, 1, -1, 1, -2]).is_none());
        assert!(small(&[0, 1, -1, 0, 0, 0, 0]).is_none());
    }
}
