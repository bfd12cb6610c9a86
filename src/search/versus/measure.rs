//! A measure that grows by one with every move: where there is one, states of different depth are different.
//!
//! It is a sum of weights, one for each value of each field of a packed state, found from moves of random plays by
//! elimination in the field of the integers modulo a prime. It is a conjecture that is checked for each state: if all
//! states that are so many moves from the start have the measure that they should, no state is at two depths, as
//! long as there are fewer than the prime.
//!
//! ```text
//! filled cells: 1 for x and o, 0 for blank       a step counter: n for step(n)
//! ```

use crate::circuit::packing::Packing;
use crate::search::versus::chunks::{Chunk, tables, value};
use crate::search::versus::codes::Code;

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// Weights that are solved for at most.
const MOST_WEIGHTS: usize = 1 << 10;

/// The sum of two residues.
#[inline(always)]
fn add(one: u64, other: u64) -> u64 {
    let sum = one + other;
    sum.checked_sub(PRIME).unwrap_or(sum)
}

fn subtract(one: u64, other: u64) -> u64 {
    add(one, PRIME - other)
}

fn multiply(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    // 2^61 is 1, so that the upper part counts as it is.
    let (low, high) = (product as u64 & PRIME, (product >> 61) as u64);
    add(low, high)
}

/// By Fermat's little theorem.
fn inverse(number: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, power);
        }
        power = multiply(power, power);
        exponent >>= 1;
    }
    result
}

/// Equations in echelon form: rows with a leading one, and what their sum is.
pub(super) struct Conjecture {
    /// By field, the number of its first weight.
    first: Vec<usize>,
    weights: usize,
    /// By leading weight.
    rows: Vec<Option<(Vec<u64>, u64)>>,
}

/// What a move says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solvability {
    /// Others may say more.
    Open,
    /// There is no such measure.
    Impossible,
}

impl Conjecture {
    /// Nothing is known; none if there are too many weights.
    pub(super) fn new(packing: &Packing) -> Option<Self> {
        let mut weights = 0;
        let first = packing.fields.iter().map(|field| {
            weights += 1 << field.width;
            weights - (1 << field.width)
        });
        let first = first.collect();
        (weights <= MOST_WEIGHTS).then(|| Self {
            first,
            weights,
            rows: vec![None; weights],
        })
    }

    /// Learns from a move that leads from one state to another.
    pub(super) fn learn<const W: usize>(
        &mut self,
        packing: &Packing,
        (from, to): (&Code<W>, &Code<W>),
    ) -> Solvability {
        let mut row = vec![0; self.weights];
        // The equation of a move: the weights of the new values minus those of the old ones are 1.
        for (field, &first) in packing.fields.iter().zip(&self.first) {
            let (before, after) = (first + value(field, from), first + value(field, to));
            if before != after {
                row[before] = PRIME - 1;
                row[after] = 1;
            }
        }
        let mut sum = 1;
        for lead in 0..self.weights {
            let factor = row[lead];
            if factor == 0 {
                continue;
            }
            // A new leading weight: the row is scaled so that its lead is 1, and kept.
            let Some((known, known_sum)) = &self.rows[lead] else {
                let scale = inverse(factor);
                row.iter_mut()
                    .for_each(|entry| *entry = multiply(*entry, scale));
                self.rows[lead] = Some((row, multiply(sum, scale)));
                return Solvability::Open;
            };
            for (entry, &known) in row.iter_mut().zip(known).skip(lead) {
                if known != 0 {
                    *entry = subtract(*entry, multiply(factor, known));
                }
            }
            sum = subtract(sum, multiply(factor, *known_sum));
        }
        // All weights are eliminated: 0 = 0 says nothing new, 0 = n has no solution.
        match sum {
            0 => Solvability::Open,
            _ => Solvability::Impossible,
        }
    }

    /// The measure whose free weights are zero; none if a field has too many values.
    pub(super) fn solve(&self, packing: &Packing) -> Option<Measure> {
        let mut weights = vec![0; self.weights];
        // Backwards, so that the weights to the right of a lead are known; those without a row are free, and zero.
        for lead in (0..self.weights).rev() {
            if let Some((row, sum)) = &self.rows[lead] {
                let above = row.iter().zip(&weights).skip(lead + 1);
                let rest = above.fold(0, |rest, (&one, &other)| add(rest, multiply(one, other)));
                weights[lead] = subtract(*sum, rest);
            }
        }
        let of = |sum: &mut u64, field: usize, value: usize| {
            *sum = add(*sum, weights[self.first[field] + value]);
        };
        Some(Measure {
            tables: tables(packing, &0, of)?,
        })
    }
}

/// A sum of weights.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    tables: Vec<(Chunk, Vec<u64>)>,
}

impl Measure {
    pub(super) fn of<const W: usize>(&self, code: &Code<W>) -> u64 {
        let tables = self.tables.iter();
        tables.fold(0, |sum, (chunk, table)| add(sum, table[chunk.of(code)]))
    }

    /// The measure of what comes after so many moves, given that of the start.
    pub(super) fn after(start: u64, moves: usize) -> u64 {
        add(start, moves as u64 % PRIME)
    }
}
