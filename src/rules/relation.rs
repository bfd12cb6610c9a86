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
    buckets_by_key: Keys,
    /// For each bucket, the present rows in ascending order.
    buckets: Vec<Vec<Row>>,
    /// Number of buckets that are not empty.
    used: usize,
    /// For each row ever seen, its bucket.
    bucket_of: Vec<u32>,
}

/// From keys to buckets.
#[derive(Clone, Debug)]
enum Keys {
    /// All rows are in one bucket.
    All,
    /// The key is one column: the bucket stands at the index of its term.
    Direct { column: usize, buckets: Vec<u32> },
    /// The keys of all buckets, one after the other, and their buckets by hash.
    Hashed {
        length: usize,
        keys: Vec<TermId>,
        table: HashTable<u32>,
    },
}

/// Stands in [`Keys::Direct`] for a term that no row has.
const NO_BUCKET: u32 = u32::MAX;

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

    /// The number of a row that was seen before.
    pub(super) fn known_row(&self, cells: &[TermId]) -> Option<Row> {
        self.by_content
            .find(hash(cells), |&row| self.cells(row) == cells)
            .copied()
    }

    pub(super) fn is_present(&self, row: Row) -> bool {
        self.present[row as usize]
    }

    /// The rows that are present, in ascending order.
    pub(super) fn present_rows(&self) -> impl Iterator<Item = Row> {
        let rows = self.present.iter().enumerate();
        rows.filter(|(_, present)| **present)
            .map(|(row, _)| row as Row)
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
            self.indexes.iter_mut().for_each(|index| index.insert(row));
        }
    }

    pub(super) fn remove(&mut self, row: Row) {
        if std::mem::replace(&mut self.present[row as usize], false) {
            self.count -= 1;
            self.indexes.iter_mut().for_each(|index| index.remove(row));
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
        let mut index = Index::new(columns);
        for row in 0..self.known() as Row {
            index.admit(row, &self.cells, self.arity);
            if self.present[row as usize] {
                index.insert(row);
            }
        }
        self.indexes.push(index);
        self.indexes.len() as IndexNumber - 1
    }

    /// The bucket of the rows whose key columns have these values, in column order.
    #[inline]
    pub(super) fn bucket(&self, index: IndexNumber, key: &[TermId]) -> Option<u32> {
        self.indexes[index as usize].bucket(key)
    }

    /// The bucket of the rows whose one key column has this value.
    #[inline]
    pub(super) fn bucket_of_one(&self, index: IndexNumber, key: TermId) -> Option<u32> {
        match &self.indexes[index as usize].buckets_by_key {
            Keys::Direct { buckets, .. } => buckets
                .get(key.index())
                .copied()
                .filter(|&bucket| bucket != NO_BUCKET),
            Keys::All | Keys::Hashed { .. } => {
                unreachable!("an index with one key column is direct")
            }
        }
    }

    /// The rows of a bucket.
    pub(super) fn rows(&self, index: IndexNumber, bucket: u32) -> &[Row] {
        &self.indexes[index as usize].buckets[bucket as usize]
    }

    /// How many rows a look-up over these columns finds on average, judging by the rows present.
    pub(super) fn fan_out(&mut self, columns: Columns) -> f64 {
        let number = self.index(columns);
        self.count as f64 / self.indexes[number as usize].used.max(1) as f64
    }
}

impl Index {
    fn new(columns: Columns) -> Self {
        let length = columns.count_ones() as usize;
        let buckets_by_key = match length {
            0 => Keys::All,
            1 => Keys::Direct {
                column: columns.trailing_zeros() as usize,
                buckets: Vec::new(),
            },
            _ => Keys::Hashed {
                length,
                keys: Vec::new(),
                table: HashTable::new(),
            },
        };
        Self {
            columns,
            buckets_by_key,
            buckets: Vec::new(),
            used: 0,
            bucket_of: Vec::new(),
        }
    }

    /// Assigns a new row its bucket.
    fn admit(&mut self, row: Row, cells: &[TermId], arity: usize) {
        let cells = &cells[row as usize * arity..(row as usize + 1) * arity];
        let next = self.buckets.len() as u32;
        let bucket = match &mut self.buckets_by_key {
            Keys::All => 0,
            Keys::Direct { column, buckets } => {
                let term = cells[*column].index();
                if term >= buckets.len() {
                    buckets.resize(term + 1, NO_BUCKET);
                }
                if buckets[term] == NO_BUCKET {
                    buckets[term] = next;
                }
                buckets[term]
            }
            Keys::Hashed {
                length,
                keys,
                table,
            } => {
                let start = keys.len();
                keys.extend(key_columns(self.columns, cells));
                let (old, new) = keys.split_at(start);
                let key_of =
                    |bucket: u32| &old[bucket as usize * *length..(bucket as usize + 1) * *length];
                match table.find(hash(new), |&bucket| key_of(bucket) == new) {
                    Some(&bucket) => {
                        keys.truncate(start);
                        bucket
                    }
                    None => {
                        table.insert_unique(hash(new), next, |&bucket| hash(key_of(bucket)));
                        next
                    }
                }
            }
        };
        if bucket == next {
            self.buckets.push(Vec::new());
        }
        self.bucket_of.push(bucket);
    }

    #[inline]
    fn bucket(&self, key: &[TermId]) -> Option<u32> {
        match &self.buckets_by_key {
            Keys::All => (!self.buckets.is_empty()).then_some(0),
            Keys::Direct { buckets, .. } => buckets
                .get(key[0].index())
                .copied()
                .filter(|&bucket| bucket != NO_BUCKET),
            Keys::Hashed {
                length,
                keys,
                table,
            } => {
                let key_of =
                    |bucket: u32| &keys[bucket as usize * length..(bucket as usize + 1) * length];
                table
                    .find(hash(key), |&bucket| key_of(bucket) == key)
                    .copied()
            }
        }
    }

    fn insert(&mut self, row: Row) {
        let bucket = &mut self.buckets[self.bucket_of[row as usize] as usize];
        self.used += usize::from(bucket.is_empty());
        let at = bucket.partition_point(|&other| other < row);
        bucket.insert(at, row);
    }

    fn remove(&mut self, row: Row) {
        let bucket = &mut self.buckets[self.bucket_of[row as usize] as usize];
        let at = bucket.partition_point(|&other| other < row);
        bucket.remove(at);
        self.used -= usize::from(bucket.is_empty());
    }
}

fn key_columns(columns: Columns, cells: &[TermId]) -> impl Iterator<Item = TermId> {
    let key = cells.iter().take(MAX_KEY_COLUMN + 1).enumerate();
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
