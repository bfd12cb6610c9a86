//! Relations: sets of ground rows with an index for every way in which rules look them up.
//!
//! A row keeps its number for ever; inserting and removing only moves the number in and out of the
//! buckets of the indexes. Two states of a game differ in few fluents, so that a change of state
//! costs a few such moves and no hashing. Buckets are sorted by row number: which rows are found,
//! and in which order, depends on the set of rows present and not on how it came about.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::term::TermId;

/// Number of a row of a relation.
pub(super) type Row = u32;

/// Number of an index of a relation.
pub(super) type IndexNumber = u32;

/// A set of columns, as bits.
pub(super) type Columns = u64;

/// Columns beyond this one are never part of a key; they are compared after the look-up.
pub(super) const MAX_KEY_COLUMN: usize = 63;

/// A set of ground rows of one arity.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    arity: usize,
    /// The cells of all rows ever seen, row after row.
    cells: Vec<TermId>,
    /// The term that stands for each row, for relations of fluents (`cell(1,1,b)`).
    terms: Vec<TermId>,
    present: Vec<bool>,
    /// Number of rows present.
    count: usize,
    by_content: HashTable<Row>,
    indexes: Vec<Index>,
}

/// Finds rows by the values of some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Columns,
    keys: HashTable<u32>,
    /// For each bucket, the present rows in ascending order.
    buckets: Vec<Vec<Row>>,
    /// For each bucket, a row that shows its key.
    samples: Vec<Row>,
    /// For each row ever seen, its bucket.
    bucket_of: Vec<u32>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            ..Self::default()
        }
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    /// Number of rows present.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Number of rows ever seen.
    pub(super) fn known(&self) -> usize {
        self.present.len()
    }

    pub(super) fn cells(&self, row: Row) -> &[TermId] {
        let start = row as usize * self.arity;
        &self.cells[start..start + self.arity]
    }

    /// The term that stands for a row.
    pub(super) fn term(&self, row: Row) -> TermId {
        self.terms[row as usize]
    }

    /// The number of a row, which is made known if it is new; it is not thereby present.
    pub(super) fn row(&mut self, cells: &[TermId], term: TermId) -> Row {
        debug_assert_eq!(cells.len(), self.arity);
        let hash = hash(cells);
        if let Some(&row) = self.by_content.find(hash, |&row| self.cells(row) == cells) {
            return row;
        }
        let row = self.present.len() as Row;
        self.cells.extend_from_slice(cells);
        self.terms.push(term);
        self.present.push(false);
        let (all, arity) = (&self.cells, self.arity);
        self.by_content.insert_unique(hash, row, |&row| {
            let start = row as usize * arity;
            self::hash(&all[start..start + arity])
        });
        for index in &mut self.indexes {
            index.admit(row, &self.cells, self.arity);
        }
        row
    }

    /// The row with these cells, if it is present.
    pub(super) fn find(&self, cells: &[TermId]) -> Option<Row> {
        let row = *self
            .by_content
            .find(hash(cells), |&row| self.cells(row) == cells)?;
        self.present[row as usize].then_some(row)
    }

    pub(super) fn insert(&mut self, row: Row) {
        if !std::mem::replace(&mut self.present[row as usize], true) {
            self.count += 1;
            for index in &mut self.indexes {
                let bucket = index.bucket_mut(row);
                let at = bucket.partition_point(|&other| other < row);
                bucket.insert(at, row);
            }
        }
    }

    pub(super) fn remove(&mut self, row: Row) {
        if std::mem::replace(&mut self.present[row as usize], false) {
            self.count -= 1;
            for index in &mut self.indexes {
                let bucket = index.bucket_mut(row);
                let at = bucket.partition_point(|&other| other < row);
                bucket.remove(at);
            }
        }
    }

    /// The index over these columns, which is built if there is none.
    pub(super) fn index(&mut self, columns: Columns) -> IndexNumber {
        if let Some(number) = self
            .indexes
            .iter()
            .position(|index| index.columns == columns)
        {
            return number as IndexNumber;
        }
        let mut index = Index {
            columns,
            keys: HashTable::new(),
            buckets: Vec::new(),
            samples: Vec::new(),
            bucket_of: Vec::new(),
        };
        for row in 0..self.known() as Row {
            index.admit(row, &self.cells, self.arity);
            if self.present[row as usize] {
                index.bucket_mut(row).push(row);
            }
        }
        self.indexes.push(index);
        self.indexes.len() as IndexNumber - 1
    }

    /// The bucket of the rows whose key columns have these values, in column order.
    pub(super) fn bucket(&self, index: IndexNumber, key: &[TermId]) -> Option<u32> {
        let index = &self.indexes[index as usize];
        let has_key = |&bucket: &u32| {
            index
                .key_of(bucket, &self.cells, self.arity)
                .eq(key.iter().copied())
        };
        index.keys.find(hash(key), has_key).copied()
    }

    /// The rows of a bucket.
    pub(super) fn rows(&self, index: IndexNumber, bucket: u32) -> &[Row] {
        &self.indexes[index as usize].buckets[bucket as usize]
    }

    /// How many rows a look-up over these columns finds on average, judging by the rows present.
    pub(super) fn fan_out(&mut self, columns: Columns) -> f64 {
        let number = self.index(columns);
        let used = self.indexes[number as usize]
            .buckets
            .iter()
            .filter(|bucket| !bucket.is_empty())
            .count();
        self.count as f64 / used.max(1) as f64
    }
}

impl Index {
    /// Assigns a new row its bucket.
    fn admit(&mut self, row: Row, cells: &[TermId], arity: usize) {
        let key_of = |row: Row| key_columns(self.columns, row, cells, arity);
        let hash_of = |row: Row| {
            let mut hasher = FxBuildHasher.build_hasher();
            key_of(row).for_each(|cell| hasher.write_u32(cell.index() as u32));
            hasher.finish()
        };
        let hash = hash_of(row);
        let samples = &self.samples;
        let same = |&bucket: &u32| key_of(samples[bucket as usize]).eq(key_of(row));
        let bucket = match self.keys.find(hash, same) {
            Some(&bucket) => bucket,
            None => {
                let bucket = self.buckets.len() as u32;
                self.keys
                    .insert_unique(hash, bucket, |&other| hash_of(samples[other as usize]));
                self.buckets.push(Vec::new());
                self.samples.push(row);
                bucket
            }
        };
        self.bucket_of.push(bucket);
    }

    fn bucket_mut(&mut self, row: Row) -> &mut Vec<Row> {
        &mut self.buckets[self.bucket_of[row as usize] as usize]
    }

    fn key_of<'c>(
        &self,
        bucket: u32,
        cells: &'c [TermId],
        arity: usize,
    ) -> impl Iterator<Item = TermId> + use<'c> {
        key_columns(self.columns, self.samples[bucket as usize], cells, arity)
    }
}

fn key_columns(
    columns: Columns,
    row: Row,
    cells: &[TermId],
    arity: usize,
) -> impl Iterator<Item = TermId> + use<'_> {
    let start = row as usize * arity;
    let key = cells[start..start + arity]
        .iter()
        .take(MAX_KEY_COLUMN + 1)
        .enumerate();
    key.filter(move |(column, _)| columns & (1 << column) != 0)
        .map(|(_, &cell)| cell)
}

/// The hash of a key or row; equal to that of the same values from any source.
pub(super) fn hash(cells: &[TermId]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for cell in cells {
        hasher.write_u32(cell.index() as u32);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(n: usize) -> TermId {
        TermId::from_index(n)
    }

    #[test]
    fn look_ups_find_what_is_present() {
        let mut relation = Relation::new(2);
        let rows: Vec<Row> = [(1, 5), (1, 6), (2, 5)]
            .iter()
            .map(|&(a, b)| relation.row(&[t(a), t(b)], t(0)))
            .collect();
        let by_first = relation.index(0b01);
        rows.iter().rev().for_each(|&row| relation.insert(row));
        let bucket = relation.bucket(by_first, &[t(1)]).unwrap_or(u32::MAX);
        assert_eq!(relation.rows(by_first, bucket), &rows[..2]);
        relation.remove(rows[0]);
        assert_eq!(relation.rows(by_first, bucket), &rows[1..2]);
        assert_eq!(relation.find(&[t(1), t(5)]), None);
        assert_eq!(relation.find(&[t(2), t(5)]), Some(rows[2]));
        assert_eq!(relation.bucket(by_first, &[t(9)]), None);
    }
}
