//! Gaussian elimination over a prime field, row by row: which columns are sums of columns before them.
//!
//! Relations between columns of zeros and ones with coefficients of one digit are the same over the rationals as over a field
//! with a prime of 31 bits, but for coincidences; what it finds is a conjecture in any case.

/// A prime: products of two numbers below it fit 64 bits.
const PRIME: u64 = (1 << 31) - 1;

/// Rows in echelon form, each with a one in the column that is its pivot.
pub(super) struct Elimination {
    /// By column, the row whose pivot it is.
    rows: Vec<Option<Vec<u64>>>,
}

impl Elimination {
    /// No rows of so many columns.
    pub(super) fn new(columns: usize) -> Self {
        Self {
            rows: vec![None; columns],
        }
    }

    /// Adds a row; whether it is independent of those before it.
    pub(super) fn add(&mut self, row: &[bool]) -> bool {
        let mut row: Vec<u64> = row.iter().map(|&holds| u64::from(holds)).collect();
        for column in 0..row.len() {
            if row[column] == 0 {
                continue;
            }
            if let Some(pivot) = &self.rows[column] {
                let factor = row[column];
                subtract(&mut row, pivot, factor, column);
                continue;
            }
            let factor = inverse(row[column]);
            row.iter_mut()
                .for_each(|entry| *entry = *entry * factor % PRIME);
            self.rows[column] = Some(row);
            return true;
        }
        false
    }

    /// Relations from which all others follow: for each column without a pivot, coefficients of it and of pivots before it
    /// that make a sum of zero in each row.
    pub(super) fn relations(&self) -> Vec<Vec<i64>> {
        let reduced = self.reduced();
        let columns = 0..reduced.len();
        let free = columns.filter(|&column| reduced[column].is_none());
        let relations = free.map(|column| {
            let coefficients = reduced.iter().enumerate().map(|(at, row)| match row {
                Some(row) => signed((PRIME - row[column]) % PRIME),
                None => i64::from(at == column),
            });
            coefficients.collect()
        });
        relations.collect()
    }

    /// The rows with zeros in the columns of other pivots.
    fn reduced(&self) -> Vec<Option<Vec<u64>>> {
        let mut rows = self.rows.clone();
        // From the last pivot to the first: rows below have no pivots left but their own.
        for column in (0..rows.len()).rev() {
            let Some(mut row) = rows[column].take() else {
                continue;
            };
            for (later, pivot) in rows.iter().enumerate().skip(column + 1) {
                if let Some(pivot) = pivot
                    && row[later] != 0
                {
                    let factor = row[later];
                    subtract(&mut row, pivot, factor, later);
                }
            }
            rows[column] = Some(row);
        }
        rows
    }
}

/// Subtracts a multiple of a row whose entries before a column are zeros.
fn subtract(row: &mut [u64], other: &[u64], factor: u64, from: usize) {
    let factor = PRIME - factor;
    for (entry, &other) in row.iter_mut().zip(other).skip(from) {
        if other != 0 {
            *entry = (*entry + other * factor) % PRIME;
        }
    }
}

/// The number that gives one if it is multiplied by another one, by Fermat's little theorem: its power to the prime less two.
fn inverse(number: u64) -> u64 {
    let (mut power, mut square, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square % PRIME;
        }
        square = square * square % PRIME;
        exponent >>= 1;
    }
    power
}

/// The number of least size with a remainder.
fn signed(remainder: u64) -> i64 {
    if remainder > PRIME / 2 {
        remainder as i64 - PRIME as i64
    } else {
        remainder as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_is_a_difference_of_others_is_found() {
        let mut elimination = Elimination::new(4);
        // Columns: one, x, o, x - o.
        let rows = [[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 0]];
        for row in rows {
            assert!(elimination.add(&row.map(|entry| entry == 1)));
        }
        assert!(!elimination.add(&rows[1].map(|entry| entry == 1)));
        assert_eq!(elimination.relations(), [[0, -1, 1, 1]]);
    }

    #[test]
    fn an_inverse_gives_one() {
        for number in [1, 2, 3, PRIME - 1] {
            assert_eq!(number * inverse(number) % PRIME, 1);
        }
    }
}
