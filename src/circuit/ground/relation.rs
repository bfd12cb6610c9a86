//! Relations that only grow: the atoms of one predicate that may be true in some state.
//!
//! A rule does not read the columns of a relation but at a *view* of it: the rows that have the
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

use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::term::{Functor, Places, Store, Tag, TermId, ones};

/// A ground atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AtomId(u32);

impl AtomId {
    /// Stands for the atom of a row in relations that depend on no state.
    pub(super) const NONE: Self = Self(u32::MAX);

    #[inline]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The id as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A row of a view, by order of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ViewRow(u32);

impl ViewRow {
    #[inline]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The row as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of fields of a view that are a key, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(u64);

impl Fields {
    /// Fields beyond this one are never part of a key.
    const LAST: usize = 63;

    /// Adds a field; says whether it can be part of a key.
    pub(super) fn insert(&mut self, field: usize) -> bool {
        let is_key = field <= Self::LAST;
        if is_key {
            self.0 |= 1 << field;
        }
        is_key
    }

    /// The fields, ascending.
    #[inline]
    fn iter(self) -> impl Iterator<Item = usize> {
        ones(self.0)
    }
}

/// The atoms of one predicate.
#[derive(Debug)]
pub(super) struct Relation {
    arity: usize,
    /// The columns of all atoms that are known, one after the other, and the number of each.
    columns: Vec<TermId>,
    atoms: Vec<AtomId>,
    /// Whether the atom may be true; if not, it has only been asked for.
    possible: Vec<bool>,
    by_content: Places,
    pub(super) views: Vec<ShapedRows>,
}

/// How to open the compounds of a row: each step appends the arguments of a field.
pub(super) type Shape = Vec<(usize, Functor)>;

/// The rows of a relation that have a shape.
#[derive(Debug)]
pub(super) struct ShapedRows {
    shape: Shape,
    width: usize,
    fields: Vec<TermId>,
    atoms: Vec<AtomId>,
    indexes: Vec<Index>,
    /// By field, number of different values, and of the rows among which they were counted.
    distinct: Vec<(usize, usize)>,
}

/// Rows with the same key. Most keys have few.
type Bucket = SmallVec<[ViewRow; 4]>;

#[derive(Debug)]
struct Index {
    key: Fields,
    buckets: Vec<Bucket>,
    by_key: Places,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            columns: Vec::new(),
            atoms: Vec::new(),
            possible: Vec::new(),
            by_content: Places::default(),
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
        let mut view = ShapedRows {
            shape: shape.clone(),
            width,
            fields: Vec::new(),
            atoms: Vec::new(),
            indexes: Vec::new(),
            distinct: vec![(0, 0); width],
        };
        // The view is made while rules are compiled, or later on: it takes in what is there.
        for (columns, atom, possible) in self.atoms() {
            if possible {
                view.admit(store, columns, atom);
            }
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// The number of the atom in a row.
    pub(super) fn atom(&self, row: usize) -> AtomId {
        self.atoms[row]
    }

    /// Makes the atom in a row possible.
    pub(super) fn admit(&mut self, store: &Store, row: usize) {
        if std::mem::replace(&mut self.possible[row], true) {
            return;
        }
        let columns = cells(&self.columns, self.arity, row);
        for view in &mut self.views {
            view.admit(store, columns, self.atoms[row]);
        }
    }

    /// Whether an atom with these columns may be true.
    pub(super) fn contains(&self, columns: &[TermId]) -> bool {
        let found = self.find(tag(columns.iter().copied()), columns);
        found.is_some_and(|row| self.possible[row])
    }

    /// The rows of so many atoms, whose columns follow each other, as far as most can be told at once. Each step is
    /// done for all of them before the next one, so that the processor waits for the memory of many at once.
    pub(super) fn rows_of(&self, columns: &[TermId], count: usize) -> Vec<Option<usize>> {
        // Group prefetching: tags, candidates, comparisons, each in a loop over the batch.
        let atoms = (0..count).map(|at| cells(columns, self.arity, at));
        let tags = atoms.clone().map(|atom| tag(atom.iter().copied()));
        let tags: Vec<Tag> = tags.collect();
        let candidates = self.by_content.first_of_each(&tags).into_iter();
        let is = |row: usize, atom: &[TermId]| cells(&self.columns, self.arity, row) == atom;
        let rows = candidates
            .zip(atoms)
            .map(|(candidate, atom)| candidate.filter(|&row| is(row, atom)));
        rows.collect()
    }

    /// All atoms that are known: their columns, their numbers and whether they may be true.
    pub(super) fn atoms(&self) -> impl Iterator<Item = (&[TermId], AtomId, bool)> {
        let states = self.atoms.iter().zip(&self.possible);
        states.enumerate().map(|(row, (&atom, &possible))| {
            let start = row * self.arity;
            (&self.columns[start..start + self.arity], atom, possible)
        })
    }

    /// The columns of all atoms that are known, one after the other.
    pub(super) fn into_columns(self) -> Vec<TermId> {
        self.columns
    }

    fn find(&self, tag: Tag, columns: &[TermId]) -> Option<usize> {
        let is = |row: usize| cells(&self.columns, self.arity, row) == columns;
        self.by_content.find(tag, is)
    }

    /// The row of the atom with these columns; `fresh` numbers it if it is new.
    pub(super) fn row(&mut self, columns: &[TermId], fresh: impl FnOnce() -> AtomId) -> usize {
        let tag = tag(columns.iter().copied());
        if let Some(row) = self.find(tag, columns) {
            return row;
        }
        let row = self.atoms.len();
        self.by_content.insert(tag, row);
        self.columns.extend_from_slice(columns);
        self.atoms.push(fresh());
        self.possible.push(false);
        row
    }
}

fn cells(columns: &[TermId], arity: usize, row: usize) -> &[TermId] {
    &columns[row * arity..(row + 1) * arity]
}

impl ShapedRows {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn fields(&self, row: ViewRow) -> &[TermId] {
        cells(&self.fields, self.width, row.index())
    }

    pub(super) fn atom(&self, row: ViewRow) -> AtomId {
        self.atoms[row.index()]
    }

    /// The index over some fields, which is built if there is none.
    pub(super) fn index(&mut self, key: Fields) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.key == key) {
            return found;
        }
        let mut index = Index {
            key,
            buckets: Vec::new(),
            by_key: Places::default(),
        };
        for row in (0..self.len()).map(ViewRow::from_index) {
            index.admit(&self.fields, self.width, row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The bucket of the rows whose key fields have these values.
    pub(super) fn bucket(&self, index: usize, values: &[TermId]) -> Option<usize> {
        let index = &self.indexes[index];
        let is = |bucket: usize| {
            let first = index.buckets[bucket][0];
            key_fields(index.key, self.fields(first)).eq(values.iter().copied())
        };
        index.by_key.find(tag(values.iter().copied()), is)
    }

    /// The rows of a bucket, in order of arrival.
    pub(super) fn rows(&self, index: usize, bucket: usize) -> &[ViewRow] {
        &self.indexes[index].buckets[bucket]
    }

    /// Number of different values in a field, counted when there were half as many rows or more.
    pub(super) fn distinct(&mut self, field: usize) -> usize {
        let (mut count, rows) = self.distinct[field];
        // Counted again when the rows have doubled, which costs as much as the rows in all.
        if self.len() >= (2 * rows).max(1) {
            let values = self.fields.iter().skip(field).step_by(self.width);
            count = values.collect::<FxHashSet<_>>().len();
            self.distinct[field] = (count, self.len());
        }
        count
    }

    fn admit(&mut self, store: &Store, columns: &[TermId], atom: AtomId) {
        let start = self.fields.len();
        self.fields.extend_from_slice(columns);
        // A step may open what the step before appended.
        for &(field, functor) in &self.shape {
            let term = self.fields[start + field];
            if store.functor(term) != Some(functor) {
                self.fields.truncate(start);
                return;
            }
            self.fields.extend_from_slice(store.arguments(term));
        }
        let row = ViewRow::from_index(self.atoms.len());
        self.atoms.push(atom);
        for index in &mut self.indexes {
            index.admit(&self.fields, self.width, row);
        }
    }
}

impl Index {
    fn admit(&mut self, fields: &[TermId], width: usize, row: ViewRow) {
        let of = |row: ViewRow| key_fields(self.key, cells(fields, width, row.index()));
        let tag = tag(of(row));
        let is = |bucket: usize| of(self.buckets[bucket][0]).eq(of(row));
        match self.by_key.find(tag, is) {
            Some(bucket) => self.buckets[bucket].push(row),
            None => {
                self.by_key.insert(tag, self.buckets.len());
                self.buckets.push(smallvec![row]);
            }
        }
    }
}

fn key_fields(key: Fields, fields: &[TermId]) -> impl Iterator<Item = TermId> {
    // The fields of the key, ascending, without a vector.
    key.iter().map(|field| fields[field])
}

fn tag(values: impl Iterator<Item = TermId>) -> Tag {
    let mut hasher = FxBuildHasher.build_hasher();
    values.for_each(|value| hasher.write_u32(value.index() as u32));
    Tag::of(hasher.finish())
}
