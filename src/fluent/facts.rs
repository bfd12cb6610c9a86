//! Facts that never change, with what they determine: the rows of `succ(X,Y)`, and that X
//! determines Y.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Store, TermId};

/// Rows that are looked through for a pattern with compound terms in it.
const MAX_SCAN: usize = 256;

/// All answers of one predicate, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    rows: Vec<Vec<TermId>>,
    /// By column and term, the indices of the rows.
    index: FxHashMap<(usize, TermId), Vec<u32>>,
    /// Columns that determine another column.
    dependencies: Vec<Dependency>,
}

/// The terms at the columns of `key` determine that at `column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    pub(super) key: Vec<usize>,
    pub(super) column: usize,
}

impl Facts {
    /// Takes ground rows of one length in; equal ones are kept once.
    pub(super) fn new(rows: Vec<Vec<TermId>>) -> Self {
        let mut seen: FxHashSet<Vec<TermId>> = FxHashSet::default();
        let rows: Vec<Vec<TermId>> = rows
            .into_iter()
            .filter(|row| seen.insert(row.clone()))
            .collect();
        let mut index: FxHashMap<(usize, TermId), Vec<u32>> = FxHashMap::default();
        for (number, row) in rows.iter().enumerate() {
            for (column, &term) in row.iter().enumerate() {
                index.entry((column, term)).or_default().push(number as u32);
            }
        }
        let dependencies = dependencies(&rows);
        Self {
            rows,
            index,
            dependencies,
        }
    }

    /// What determines what.
    pub(super) fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    /// Whether a row is among the facts.
    pub(super) fn contains(&self, row: &[TermId]) -> bool {
        match row {
            [] => !self.rows.is_empty(),
            [first, ..] => self
                .index
                .get(&(0, *first))
                .is_some_and(|rows| rows.iter().any(|&number| self.rows[number as usize] == row)),
        }
    }

    /// The rows that have the ground terms of a pattern where it has them; none if they were too
    /// many to look at.
    pub(super) fn matching(&self, store: &Store, pattern: &[TermId]) -> Option<Vec<&[TermId]>> {
        let ground: Vec<(usize, TermId)> = pattern
            .iter()
            .copied()
            .enumerate()
            .filter(|&(_, term)| store.is_ground(term))
            .collect();
        // The rows of the rarest ground term are looked through; with `succ(1,X)` that is one row.
        let shortest = ground
            .iter()
            .map(|key| self.index.get(key).map_or(&[][..], Vec::as_slice))
            .min_by_key(|rows| rows.len());
        let fits = |row: &&[TermId]| ground.iter().all(|&(column, term)| row[column] == term);
        match shortest {
            Some(numbers) if numbers.len() <= MAX_SCAN * 16 => {
                let rows = numbers
                    .iter()
                    .map(|&number| &self.rows[number as usize][..]);
                Some(rows.filter(fits).collect())
            }
            // Nothing is ground: every row may fit.
            None if self.rows.len() <= MAX_SCAN => {
                Some(self.rows.iter().map(Vec::as_slice).collect())
            }
            Some(_) | None => None,
        }
    }
}

/// The columns that one or two others determine; of keys that contain each other the smaller.
fn dependencies(rows: &[Vec<TermId>]) -> Vec<Dependency> {
    let arity = rows.first().map_or(0, Vec::len);
    let mut found: Vec<Dependency> = Vec::new();
    let singles = (0..arity).map(|one| vec![one]);
    let pairs = (0..arity).flat_map(|one| (one + 1..arity).map(move |other| vec![one, other]));
    // In order of size: the empty key stands for a column with the same term in all rows.
    let keys = std::iter::once(Vec::new()).chain(singles).chain(pairs);
    for key in keys {
        for column in (0..arity).filter(|column| !key.contains(column)) {
            // A larger key says nothing that a smaller one inside it does not say.
            let known = found.iter().any(|known| {
                known.column == column && known.key.iter().all(|part| key.contains(part))
            });
            if !known && determines(rows, &key, column) {
                found.push(Dependency {
                    key: key.clone(),
                    column,
                });
            }
        }
    }
    found
}

fn determines(rows: &[Vec<TermId>], key: &[usize], column: usize) -> bool {
    let mut values: FxHashMap<Vec<TermId>, TermId> = FxHashMap::default();
    rows.iter().all(|row| {
        let key = key.iter().map(|&part| row[part]).collect();
        *values.entry(key).or_insert(row[column]) == row[column]
    })
}
