//! Relations that only grow: the atoms of one predicate that may be true in some state.
//!
//! A rule does not look at the columns of a relation but at a *view* of it: the rows that have the
//! shape of the rule's condition, with compounds opened, so that what stands in an argument of an
//! argument can be a key like everything else.
//!
//! ```text
//! does/2    robot  s(a, b)          view does(_, s(_, _)):   robot  s(a,b)  a  b
//!           robot  noop
//! ```
//!
//! Rows of a view keep their numbers and are in order of arrival. What was there at some moment is
//! therefore a range of numbers, and rows that came later are those above.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::term::{Functor, Store, TermId};

/// The number of a ground atom.
pub(super) type AtomNumber = u32;

/// Stands for the atom of a row in relations that depend on no state.
pub(super) const NO_ATOM: AtomNumber = AtomNumber::MAX;

/// A row of a view.
pub(super) type Row = u32;

/// A set of fields of a view, as bits.
pub(super) type Fields = u64;

/// Fields beyond this one are never part of a key.
pub(super) const MAX_KEY_FIELD: usize = 63;

/// The atoms of one predicate.
#[derive(Debug)]
pub(super) struct Relation {
    arity: usize,
    /// The columns of all atoms that are known, one after the other, and the number of each.
    columns: Vec<TermId>,
    atoms: Vec<AtomNumber>,
    /// Whether the atom may be true; if not, it has only been asked for.
    possible: Vec<bool>,
    by_content: HashTable<u32>,
    pub(super) views: Vec<View>,
}

/// How to open the compounds of a row: each step appends the arguments of a field.
pub(super) type Shape = Vec<(usize, Functor)>;

/// The rows of a relation that have a shape.
#[derive(Debug)]
pub(super) struct View {
    shape: Shape,
    width: usize,
    fields: Vec<TermId>,
    atoms: Vec<AtomNumber>,
    indexes: Vec<Index>,
    /// By field, number of different values, and of the rows among which they were counted.
    distinct: Vec<(usize, usize)>,
}

/// Rows with the same key. Most keys have few.
type Bucket = SmallVec<[Row; 4]>;

#[derive(Debug)]
struct Index {
    key: Fields,
    buckets: Vec<Bucket>,
    table: HashTable<u32>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            columns: Vec::new(),
            atoms: Vec::new(),
            possible: Vec::new(),
            by_content: HashTable::new(),
            views: Vec::new(),
        }
    }

    /// The number of the view with a shape, which is made if there is none.
    pub(super) fn view(&mut self, store: &Store, shape: &Shape) -> usize {
        if let Some(found) = self.views.iter().position(|view| view.shape == *shape) {
            return found;
        }
        let opened = shape.iter().map(|(_, functor)| functor.arity as usize);
        let width = self.arity + opened.sum::<usize>();
        let mut view = View {
            shape: shape.clone(),
            width,
            fields: Vec::new(),
            atoms: Vec::new(),
            indexes: Vec::new(),
            distinct: vec![(0, 0); width],
        };
        for (columns, atom, possible) in self.atoms() {
            if possible {
                view.admit(store, columns, atom);
            }
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// The atom with these columns; `fresh` numbers it if it is new.
    pub(super) fn atom(
        &mut self,
        columns: &[TermId],
        fresh: impl FnOnce() -> AtomNumber,
    ) -> AtomNumber {
        let row = self.row(columns, fresh);
        self.atoms[row as usize]
    }

    /// Makes the atom with these columns possible, and says which it is and whether that is new.
    pub(super) fn insert(
        &mut self,
        store: &Store,
        columns: &[TermId],
        fresh: impl FnOnce() -> AtomNumber,
    ) -> (AtomNumber, bool) {
        let row = self.row(columns, fresh) as usize;
        let atom = self.atoms[row];
        if std::mem::replace(&mut self.possible[row], true) {
            return (atom, false);
        }
        for view in &mut self.views {
            view.admit(store, columns, atom);
        }
        (atom, true)
    }

    /// Whether an atom with these columns may be true.
    pub(super) fn contains(&self, columns: &[TermId]) -> bool {
        let found = self.find(columns);
        found.is_some_and(|row| self.possible[row as usize])
    }

    /// All atoms that are known: their columns, their numbers and whether they may be true.
    pub(super) fn atoms(&self) -> impl Iterator<Item = (&[TermId], AtomNumber, bool)> {
        let states = self.atoms.iter().zip(&self.possible);
        states.enumerate().map(|(row, (&atom, &possible))| {
            let start = row * self.arity;
            (&self.columns[start..start + self.arity], atom, possible)
        })
    }

    fn find(&self, columns: &[TermId]) -> Option<u32> {
        let is = |&row: &u32| cells(&self.columns, self.arity, row) == columns;
        self.by_content.find(hash(columns), is).copied()
    }

    fn row(&mut self, columns: &[TermId], fresh: impl FnOnce() -> AtomNumber) -> u32 {
        let (all, arity) = (&self.columns, self.arity);
        let is = |&row: &u32| cells(all, arity, row) == columns;
        let hash_of = |&row: &u32| hash(cells(all, arity, row));
        match self.by_content.entry(hash(columns), is, hash_of) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let row = self.atoms.len() as u32;
                place.insert(row);
                self.columns.extend_from_slice(columns);
                self.atoms.push(fresh());
                self.possible.push(false);
                row
            }
        }
    }
}

fn cells(columns: &[TermId], arity: usize, row: u32) -> &[TermId] {
    &columns[row as usize * arity..(row as usize + 1) * arity]
}

impl View {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn fields(&self, row: Row) -> &[TermId] {
        cells(&self.fields, self.width, row)
    }

    pub(super) fn atom(&self, row: Row) -> AtomNumber {
        self.atoms[row as usize]
    }

    /// The index over some fields, which is built if there is none.
    pub(super) fn index(&mut self, key: Fields) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.key == key) {
            return found;
        }
        let mut index = Index {
            key,
            buckets: Vec::new(),
            table: HashTable::new(),
        };
        for row in 0..self.len() as Row {
            index.admit(&self.fields, self.width, row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The bucket of the rows whose key fields have these values.
    pub(super) fn bucket(&self, index: usize, values: &[TermId]) -> Option<u32> {
        let index = &self.indexes[index];
        let is = |&bucket: &u32| {
            let first = index.buckets[bucket as usize][0];
            key_fields(index.key, self.fields(first)).eq(values.iter().copied())
        };
        index.table.find(hash(values), is).copied()
    }

    /// The rows of a bucket, in order of arrival.
    pub(super) fn rows(&self, index: usize, bucket: u32) -> &[Row] {
        &self.indexes[index].buckets[bucket as usize]
    }

    /// Number of different values in a field, counted when there were half as many rows or more.
    pub(super) fn distinct(&mut self, field: usize) -> usize {
        let (mut count, rows) = self.distinct[field];
        if self.len() >= (2 * rows).max(1) {
            let values = self.fields.iter().skip(field).step_by(self.width);
            count = values.collect::<FxHashSet<_>>().len();
            self.distinct[field] = (count, self.len());
        }
        count
    }

    fn admit(&mut self, store: &Store, columns: &[TermId], atom: AtomNumber) {
        let start = self.fields.len();
        self.fields.extend_from_slice(columns);
        for &(field, functor) in &self.shape {
            let term = self.fields[start + field];
            if store.functor(term) != Some(functor) {
                self.fields.truncate(start);
                return;
            }
            self.fields.extend_from_slice(store.arguments(term));
        }
        let row = self.atoms.len() as Row;
        self.atoms.push(atom);
        for index in &mut self.indexes {
            index.admit(&self.fields, self.width, row);
        }
    }
}

impl Index {
    fn admit(&mut self, fields: &[TermId], width: usize, row: Row) {
        let key = self.key;
        let of = |row: Row| key_fields(key, cells(fields, width, row));
        let first = |bucket: u32| of(self.buckets[bucket as usize][0]);
        let is = |&bucket: &u32| first(bucket).eq(of(row));
        let hash_of = |&bucket: &u32| hash_all(first(bucket));
        match self.table.entry(hash_all(of(row)), is, hash_of) {
            Entry::Occupied(known) => self.buckets[*known.get() as usize].push(row),
            Entry::Vacant(place) => {
                place.insert(self.buckets.len() as u32);
                self.buckets.push(smallvec![row]);
            }
        }
    }
}

fn key_fields(key: Fields, fields: &[TermId]) -> impl Iterator<Item = TermId> {
    let mut left = key;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let field = left.trailing_zeros() as usize;
            left &= left - 1;
            fields[field]
        })
    })
}

fn hash(values: &[TermId]) -> u64 {
    hash_all(values.iter().copied())
}

fn hash_all(values: impl Iterator<Item = TermId>) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    values.for_each(|value| hasher.write_u32(value.index() as u32));
    hasher.finish()
}
