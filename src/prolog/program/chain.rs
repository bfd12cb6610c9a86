//! Clause chains: the clauses of a predicate, or those of them that an index selects, in order.

use rustc_hash::FxHashMap;

use crate::prolog::program::instruction::{ClauseId, Pc};
use crate::prolog::program::key::Key;

/// A chain of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChainId(pub(crate) u32);

/// A clause in a chain, with what a scan must know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClauseEntry {
    /// The key of the first argument.
    pub(crate) key: Key,
    pub(crate) code: Pc,
    pub(crate) clause: ClauseId,
}

/// Clauses in order. Positions stay valid when clauses are added at either end: those added in
/// front count down from -1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    front: Vec<ClauseEntry>,
    back: Vec<ClauseEntry>,
}

impl Chain {
    pub(crate) fn push_front(&mut self, entry: ClauseEntry) {
        self.front.push(entry);
    }

    pub(crate) fn push_back(&mut self, entry: ClauseEntry) {
        self.back.push(entry);
    }

    /// The first position.
    #[inline]
    pub(crate) fn start(&self) -> i32 {
        -(self.front.len() as i32)
    }

    #[inline]
    pub(crate) fn get(&self, position: i32) -> Option<&ClauseEntry> {
        if position >= 0 {
            self.back.get(position as usize)
        } else {
            self.front.get((-position - 1) as usize)
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.front.len() + self.back.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &ClauseEntry> {
        self.front.iter().rev().chain(self.back.iter())
    }

    pub(crate) fn replace_code(&mut self, old: Pc, new: Pc) {
        for entry in self.front.iter_mut().chain(self.back.iter_mut()) {
            if entry.code == old {
                entry.code = new;
            }
        }
    }
}

/// The hash tables of one predicate.
#[derive(Debug, Default)]
pub(crate) struct ClauseIndex {
    /// Arguments worth an index, best first, each with its table once a call had a use for it.
    pub(in crate::prolog) arguments: Vec<(usize, Option<ArgumentIndex>)>,
    /// Length of the chain when `arguments` was determined.
    pub(in crate::prolog) assessed: usize,
}

/// The clauses by the key of one argument.
#[derive(Debug)]
pub(in crate::prolog) struct ArgumentIndex {
    pub(in crate::prolog) buckets: FxHashMap<Key, ChainId>,
    /// Clauses whose argument is a variable: they are in every bucket, too.
    pub(in crate::prolog) any: ChainId,
}

impl ArgumentIndex {
    /// The clauses that may match an argument with this key.
    #[inline]
    pub(in crate::prolog) fn chain(&self, key: Key) -> ChainId {
        // A key that no clause has: only clauses with a variable there can match.
        self.buckets.get(&key).copied().unwrap_or(self.any)
    }
}
