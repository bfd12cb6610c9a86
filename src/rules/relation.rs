//! Relations: sets of ground rows with an index for every way in which rules look them up.
//!
//! A row keeps its number for ever; inserting and removing only moves the number in and out of the
//! buckets of the indexes. Two states of a game differ in few fluents, so that a change of state
//! costs a few such moves and no hashing. Buckets are sorted by row number: which rows are found,
//! and in which order, depends on the set of rows present and not on how it came about.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::term::{TermId, ones};

/// A row of a relation. Rows are numbered in the order in which they become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RowId(u32);

impl RowId {
    /// No row.
    pub(super) const NONE: Self = Self(u32::MAX);

    #[inline]
    fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The id as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An index of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexId(u32);

impl IndexId {
    #[inline]
    fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Columns beyond this one are never part of a key; they are compared after the look-up.
pub(super) const MAX_KEY_COLUMN: usize = 63;

/// A set of columns that can be part of a key, those up to [`MAX_KEY_COLUMN`], as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Columns(u64);

impl Columns {
    /// Columns, without those that cannot be part of a key.
    #[inline]
    pub(super) fn of(columns: impl Iterator<Item = usize>) -> Self {
        let keyed = columns.filter(|&column| column <= MAX_KEY_COLUMN);
        Self(keyed.fold(0, |bits, column| bits | 1 << column))
    }

    #[inline]
    pub(super) fn contains(self, column: usize) -> bool {
        column <= MAX_KEY_COLUMN && self.0 & (1 << column) != 0
    }

    /// Number of columns.
    #[inline]
    pub(super) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The columns, ascending.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        ones(self.0)
    }
}

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
    by_content: HashTable<RowId>,
    indexes: Vec<Index>,
}

/// Finds rows by the values of some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Columns,
    buckets_by_key: Keys,
    /// For each bucket, the present rows in ascending order.
    buckets: Vec<Vec<RowId>>,
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

    /// All rows ever seen, ascending.
    pub(super) fn known_rows(&self) -> impl Iterator<Item = RowId> + use<> {
        (0..self.present.len()).map(RowId::from_index)
    }

    #[inline]
    pub(super) fn cells(&self, row: RowId) -> &[TermId] {
        let start = row.index() * self.arity;
        &self.cells[start..start + self.arity]
    }

    /// The term that stands for a row.
    #[inline]
    pub(super) fn term(&self, row: RowId) -> TermId {
        self.terms[row.index()]
    }

    /// The number of a row, which is made known if it is new; it is not thereby present.
    pub(super) fn row(&mut self, cells: &[TermId], term: TermId) -> RowId {
        debug_assert_eq!(cells.len(), self.arity);
        let hash = hash(cells);
        if let Some(&row) = self.by_content.find(hash, |&row| self.cells(row) == cells) {
            return row;
        }
        let row = RowId::from_index(self.present.len());
        self.cells.extend_from_slice(cells);
        self.terms.push(term);
        self.present.push(false);
        let (all, arity) = (&self.cells, self.arity);
        self.by_content.insert_unique(hash, row, |&row| {
            let start = row.index() * arity;
            self::hash(&all[start..start + arity])
        });
        for index in &mut self.indexes {
            index.admit(row, &self.cells, self.arity);
        }
        row
    }

    /// The number of a row that was seen before.
    pub(super) fn known_row(&self, cells: &[TermId]) -> Option<RowId> {
        self.by_content
            .find(hash(cells), |&row| self.cells(row) == cells)
            .copied()
    }

    #[inline]
    pub(super) fn is_present(&self, row: RowId) -> bool {
        self.present[row.index()]
    }

    /// The rows that are present, in ascending order.
    pub(super) fn present_rows(&self) -> impl Iterator<Item = RowId> {
        let rows = self.present.iter().enumerate();
        rows.filter(|(_, present)| **present)
            .map(|(row, _)| RowId::from_index(row))
    }

    /// The row with these cells, if it is present.
    pub(super) fn find(&self, cells: &[TermId]) -> Option<RowId> {
        let row = *self
            .by_content
            .find(hash(cells), |&row| self.cells(row) == cells)?;
        self.present[row.index()].then_some(row)
    }

    pub(super) fn insert(&mut self, row: RowId) {
        if !std::mem::replace(&mut self.present[row.index()], true) {
            self.count += 1;
            self.indexes.iter_mut().for_each(|index| index.insert(row));
        }
    }

    pub(super) fn remove(&mut self, row: RowId) {
        if std::mem::replace(&mut self.present[row.index()], false) {
            self.count -= 1;
            self.indexes.iter_mut().for_each(|index| index.remove(row));
        }
    }

    /// The index over these columns, which is built if there is none.
    pub(super) fn index(&mut self, columns: Columns) -> IndexId {
        if let Some(number) = self
            .indexes
            .iter()
            .position(|index| index.columns == columns)
        {
            return IndexId::from_index(number);
        }
        let mut index = Index::new(columns);
        for row in self.known_rows() {
            index.admit(row, &self.cells, self.arity);
            if self.present[row.index()] {
                index.insert(row);
            }
        }
        self.indexes.push(index);
        IndexId::from_index(self.indexes.len() - 1)
    }

    /// The bucket of the rows whose key columns have these values, in column order.
    #[inline]
    pub(super) fn bucket(&self, index: IndexId, key: &[TermId]) -> Option<u32> {
        self.indexes[index.index()].bucket(key)
    }

    /// The bucket of the rows whose one key column has this value.
    #[inline]
    pub(super) fn bucket_of_one(&self, index: IndexId, key: TermId) -> Option<u32> {
        match &self.indexes[index.index()].buckets_by_key {
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
    #[inline]
    pub(super) fn rows(&self, index: IndexId, bucket: u32) -> &[RowId] {
        &self.indexes[index.index()].buckets[bucket as usize]
    }

    /// How many rows a look-up over these columns finds on average, judging by the rows present.
    pub(super) fn fan_out(&mut self, columns: Columns) -> f64 {
        let number = self.index(columns);
        self.count as f64 / self.indexes[number.index()].used.max(1) as f64
    }
}

impl Index {
    fn new(columns: Columns) -> Self {
        let mut all = columns.iter();
        let buckets_by_key = match (all.next(), all.next()) {
            (None, _) => Keys::All,
            (Some(column), None) => Keys::Direct {
                column,
                buckets: Vec::new(),
            },
            (Some(_), Some(_)) => Keys::Hashed {
                length: columns.len() as usize,
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
    fn admit(&mut self, row: RowId, cells: &[TermId], arity: usize) {
        let cells = &cells[row.index() * arity..(row.index() + 1) * arity];
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
                keys.extend(self.columns.iter().map(|column| cells[column]));
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

    fn insert(&mut self, row: RowId) {
        let bucket = &mut self.buckets[self.bucket_of[row.index()] as usize];
        self.used += usize::from(bucket.is_empty());
        let at = bucket.partition_point(|&other| other < row);
        bucket.insert(at, row);
    }

    fn remove(&mut self, row: RowId) {
        let bucket = &mut self.buckets[self.bucket_of[row.index()] as usize];
        let at = bucket.partition_point(|&other| other < row);
        bucket.remove(at);
        self.used -= usize::from(bucket.is_empty());
    }
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
        let rows: Vec<RowId> = [(1, 5), (1, 6), (2, 5)]
            .iter()
            .map(|&(a, b)| relation.row(&[t(a), t(b)], t(0)))
            .collect();
        let by_first = relation.index(Columns::of([0].into_iter()));
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
