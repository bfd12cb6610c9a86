//! Matrix games in rational arithmetic: what two players with opposite interests get if each draws a move by chance.
//!
//! With all entries positive, the value is one over the sum of the *y* that solve
//!
//! ```text
//! maximise Σ yⱼ   where   Σⱼ aᵢⱼ yⱼ ≤ 1 for each row i,   yⱼ ≥ 0
//! ```
//!
//! which is feasible and bounded, so that the simplex method with Bland's rule ends. Its solution is the second
//! player's mixture, that of the dual the first one's; that neither can do better is checked by multiplying them out.
//!
//! Source: Dantzig, A proof of the equivalence of the programming problem and the game problem, 1951.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

use crate::limits::{StopFlag, StopReason};

/// A fraction of any size.
pub type Rational = Ratio<BigInt>;

/// The value of a matrix game, and how often each row and each column is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MatrixSolution {
    pub(super) value: Rational,
    pub(super) rows: Vec<Rational>,
    pub(super) columns: Vec<Rational>,
}

/// Solves a game whose rows the maximising player chooses; none if it has no row or no column.
///
/// # Errors
/// [`StopReason`] from outside: numbers may grow so long that a solution takes for ever.
pub(super) fn solve(
    matrix: &[Vec<Rational>],
    stop: &StopFlag,
) -> Result<Option<MatrixSolution>, StopReason> {
    let Some(least) = matrix.iter().flatten().min() else {
        return Ok(None);
    };
    // The least entry becomes 1: all are positive then, and the value grows by the same.
    let shift = Rational::one() - least;
    let mut tableau = Tableau::new(matrix, &shift);
    while let Some(column) = tableau.entering() {
        let Some(row) = tableau.leaving(column) else {
            return Ok(None);
        };
        tableau.pivot(row, column, stop)?;
    }
    let solution = tableau.solution(&shift);
    debug_assert!(is_optimal(matrix, &solution));
    Ok(Some(solution))
}

/// Whether neither player can do better alone.
pub(super) fn is_optimal(matrix: &[Vec<Rational>], solution: &MatrixSolution) -> bool {
    let dot = |pairs: &mut dyn Iterator<Item = (&Rational, &Rational)>| {
        pairs.fold(Rational::zero(), |sum, (one, other)| sum + one * other)
    };
    let MatrixSolution {
        value,
        rows,
        columns,
    } = solution;
    let is_mixture = |mixture: &[Rational]| {
        mixture.iter().all(|part| !part.is_negative())
            && mixture
                .iter()
                .fold(Rational::zero(), |sum, part| sum + part)
                .is_one()
    };
    let first = (0..columns.len()).all(|column| {
        let entries = matrix.iter().map(|row| &row[column]);
        dot(&mut entries.zip(rows)) >= *value
    });
    let second = matrix
        .iter()
        .all(|row| dot(&mut row.iter().zip(columns)) <= *value);
    is_mixture(rows) && is_mixture(columns) && first && second
}

/// Equations in terms of a basis: a row for each variable in it, and one for what is maximised.
struct Tableau {
    /// Coefficients of all variables (those of columns, then a slack for each row), and the right side.
    rows: Vec<Vec<Rational>>,
    /// What one more of each variable would add, negated; and the sum so far.
    costs: Vec<Rational>,
    /// By row, its variable.
    basis: Vec<usize>,
    columns: usize,
}

impl Tableau {
    fn new(matrix: &[Vec<Rational>], shift: &Rational) -> Self {
        let columns = matrix[0].len();
        let rows = matrix.iter().enumerate().map(|(place, row)| {
            let own = row.iter().map(|entry| entry + shift);
            let slack = (0..matrix.len()).map(|other| {
                if other == place {
                    Rational::one()
                } else {
                    Rational::zero()
                }
            });
            own.chain(slack).chain([Rational::one()]).collect()
        });
        let mut costs = vec![Rational::zero(); columns + matrix.len() + 1];
        costs[..columns].fill(-Rational::one());
        Self {
            rows: rows.collect(),
            costs,
            basis: (columns..columns + matrix.len()).collect(),
            columns,
        }
    }

    /// The first variable of which more is better.
    fn entering(&self) -> Option<usize> {
        let variables = self.costs.len() - 1;
        (0..variables).find(|&variable| self.costs[variable].is_negative())
    }

    /// The row that bounds a variable most; of equal ones, that of the first variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let bounding = (0..self.rows.len()).filter(|&row| self.rows[row][column].is_positive());
        bounding.min_by_key(|&row| {
            let entries = &self.rows[row];
            let ratio = entries.last().map(|right| right / &entries[column]);
            (ratio, self.basis[row])
        })
    }

    fn pivot(&mut self, row: usize, column: usize, stop: &StopFlag) -> Result<(), StopReason> {
        // The row is solved for its new variable, which is eliminated from all others.
        let scale = self.rows[row][column].recip();
        self.rows[row].iter_mut().for_each(|entry| *entry *= &scale);
        let pivot = self.rows[row].clone();
        // Only rows that have the variable change.
        let clear = |other: &mut Vec<Rational>| {
            let factor = other[column].clone();
            if !factor.is_zero() {
                let pairs = other.iter_mut().zip(&pivot);
                pairs.for_each(|(entry, own)| *entry -= &factor * own);
            }
        };
        for (place, other) in self.rows.iter_mut().enumerate() {
            if place != row {
                stop.poll()?;
                clear(other);
            }
        }
        clear(&mut self.costs);
        self.basis[row] = column;
        Ok(())
    }

    fn solution(&self, shift: &Rational) -> MatrixSolution {
        let sum = self.costs.last().cloned().unwrap_or_else(Rational::one);
        let scale = sum.recip();
        let mut columns = vec![Rational::zero(); self.columns];
        for (row, &variable) in self.rows.iter().zip(&self.basis) {
            if let (Some(part), Some(right)) = (columns.get_mut(variable), row.last()) {
                *part = right * &scale;
            }
        }
        // The dual solution, the first player's mixture, stands in the costs of the slacks.
        let slack = &self.costs[self.columns..self.costs.len() - 1];
        MatrixSolution {
            rows: slack.iter().map(|cost| cost * &scale).collect(),
            columns,
            value: &scale - shift,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn solved(matrix: &[Vec<Rational>]) -> Option<MatrixSolution> {
        solve(matrix, &StopFlag::default()).ok().flatten()
    }

    fn matrix(rows: &[&[i32]]) -> Vec<Vec<Rational>> {
        let number = |&entry: &i32| Rational::from_integer(BigInt::from(entry));
        rows.iter()
            .map(|row| row.iter().map(number).collect())
            .collect()
    }

    #[test]
    fn known_games_have_their_values() {
        let third = Rational::new(BigInt::from(1), BigInt::from(3));
        let roshambo = solved(&matrix(&[&[50, 0, 100], &[100, 50, 0], &[0, 100, 50]]));
        let roshambo = roshambo.map(|solution| (solution.value.to_string(), solution.rows));
        assert_eq!(roshambo, Some(("50".to_owned(), vec![third; 3])));
        // A saddle point: the second row against the first column.
        let saddle = solved(&matrix(&[&[1, 5], &[3, 4]]));
        assert_eq!(
            saddle.map(|solution| solution.value.to_string()),
            Some("3".to_owned())
        );
        // x = (4/7, 3/7), y = (5/7, 2/7).
        let mixed = solved(&matrix(&[&[3, 0], &[1, 5]]));
        let mixed =
            mixed.map(|solution| (solution.value.to_string(), solution.columns[0].to_string()));
        assert_eq!(mixed, Some(("15/7".to_owned(), "5/7".to_owned())));
        assert_eq!(solved(&[]), None);
    }

    #[test]
    fn a_solution_can_be_stopped() {
        let stop = StopFlag::default();
        stop.raise(StopReason::Interrupted);
        let game = matrix(&[&[3, 0], &[1, 5]]);
        assert_eq!(solve(&game, &stop), Err(StopReason::Interrupted));
    }

    /// What the solver says is checked by duality, which needs no other solver.
    #[test]
    fn random_games_are_solved() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..300 {
            let (rows, columns) = (random.random_range(1..7), random.random_range(1..7));
            let most = [1, 3, 100][random.random_range(0..3)];
            let entries: Vec<Vec<i32>> = (0..rows)
                .map(|_| {
                    (0..columns)
                        .map(|_| random.random_range(-most..=most))
                        .collect()
                })
                .collect();
            let entries: Vec<&[i32]> = entries.iter().map(Vec::as_slice).collect();
            let game = matrix(&entries);
            let solution = solved(&game);
            assert!(
                solution.is_some_and(|solution| is_optimal(&game, &solution)),
                "{entries:?}"
            );
        }
    }
}
