//! Which chain a call tries: hash indexes over the clauses, built when a call first has a use for one.
//!
//! A call with a bound argument looks at the clauses whose key for that argument matches. Short
//! chains are scanned by the key of their first argument; long ones get a hash table on the bound
//! argument that tells most clauses apart, whichever it is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::program::chain::{ArgumentIndex, ChainId, ClauseEntry};
use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::{ClauseId, PredicateId};
use crate::prolog::program::key::{Key, key_in_record, key_of};
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::heap::Heap;
use crate::term::Store;

/// Chains up to this length are scanned.
const SCAN: usize = 8;
/// Arguments behind this are not indexed.
const INDEXED_ARGUMENTS: usize = 12;

impl Database {
    /// The chain that a call with these arguments has to look at.
    #[inline]
    pub(crate) fn select(&mut self, heap: &Heap, id: PredicateId, arguments: &[Cell]) -> ChainId {
        let predicate = &self.predicates[id.0 as usize];
        let chain = predicate.chain;
        if self.chains[chain.0 as usize].len() <= SCAN {
            return chain;
        }
        self.select_indexed(heap, id, arguments)
    }

    fn select_indexed(&mut self, heap: &Heap, id: PredicateId, arguments: &[Cell]) -> ChainId {
        self.assess(&heap.store, id);
        let chain = self.get(id).chain;
        let Some(index) = &self.get(id).index else {
            return chain;
        };
        let mut chosen = None;
        // The best argument that is bound in this call.
        for &argument in &index.order {
            let cell = heap.deref(arguments[argument]);
            let key = key_of(&heap.cells, &heap.store, cell);
            if key != Key::VARIABLE {
                chosen = Some((argument, key));
                break;
            }
        }
        let Some((argument, key)) = chosen else {
            return chain;
        };
        // Built by the first call that has a use for it.
        if !index.tables.contains_key(&argument) {
            self.build_index(&heap.store, id, argument);
        }
        self.get(id)
            .index
            .as_ref()
            .and_then(|index| index.tables.get(&argument))
            .map_or(chain, |table| {
                // A key that no clause has: only clauses with a variable there can match.
                table.buckets.get(&key).copied().unwrap_or(table.any)
            })
    }

    /// Decides which arguments are worth an index, again whenever the chain has doubled.
    fn assess(&mut self, store: &Store, id: PredicateId) {
        let predicate = self.get(id);
        let length = self.chains[predicate.chain.0 as usize].len();
        if let Some(index) = &predicate.index
            // Ranking looks at all clauses; doubling makes that constant time for each clause added.
            && length < index.assessed * 2
        {
            return;
        }
        let arity = predicate.arity.min(INDEXED_ARGUMENTS);
        let mut ranked: Vec<(usize, usize)> = Vec::new();
        for argument in 0..arity {
            let mut keys = FxHashSet::default();
            let mut unbound = 0;
            for entry in self.chains[predicate.chain.0 as usize].iter() {
                match self.key(store, entry.clause, argument) {
                    Key::VARIABLE => unbound += 1,
                    key => {
                        keys.insert(key);
                    }
                }
            }
            // One key alone tells nothing apart, and clauses with a variable there are in every bucket.
            if keys.len() > 1 && unbound * 2 < length {
                ranked.push((keys.len(), argument));
            }
        }
        ranked.sort_by_key(|&(distinct, argument)| (std::cmp::Reverse(distinct), argument));
        let order = ranked.into_iter().map(|(_, argument)| argument).collect();
        let index = self.get_mut(id).index.get_or_insert_default();
        index.order = order;
        index.assessed = length;
    }

    /// The key of an argument of a clause's head.
    pub(crate) fn key(&self, store: &Store, clause: ClauseId, argument: usize) -> Key {
        let term = &self.clauses[clause.0 as usize].term;
        if term.cells.is_empty() {
            return Key::VARIABLE;
        }
        key_in_record(store, term, argument)
    }

    fn build_index(&mut self, store: &Store, id: PredicateId, argument: usize) {
        let chain = self.get(id).chain;
        let entries: Vec<ClauseEntry> = self.chains[chain.0 as usize].iter().copied().collect();
        let any = self.new_chain();
        let mut table = ArgumentIndex {
            buckets: FxHashMap::default(),
            any,
        };
        for entry in entries {
            let key = self.key(store, entry.clause, argument);
            self.insert(&mut table, key, entry);
        }
        if let Some(index) = &mut self.get_mut(id).index {
            index.tables.insert(argument, table);
        }
    }

    fn insert(&mut self, table: &mut ArgumentIndex, key: Key, entry: ClauseEntry) {
        if key == Key::VARIABLE {
            self.chains[table.any.0 as usize].push_back(entry);
            // A clause with a variable there matches every key, those of later buckets as well.
            for bucket in table.buckets.values() {
                self.chains[bucket.0 as usize].push_back(entry);
            }
            return;
        }
        let bucket = match table.buckets.get(&key) {
            Some(&bucket) => bucket,
            None => {
                let bucket = self.new_chain();
                // A new key: the clauses with a variable that came before, in their order.
                self.chains[bucket.0 as usize] = self.chains[table.any.0 as usize].clone();
                table.buckets.insert(key, bucket);
                bucket
            }
        };
        self.chains[bucket.0 as usize].push_back(entry);
    }

    /// Adds a clause behind all others to the indexes that exist.
    pub(crate) fn extend_index(&mut self, store: &Store, id: PredicateId, entry: ClauseEntry) {
        let Some(mut index) = self.get_mut(id).index.take() else {
            return;
        };
        for (&argument, table) in &mut index.tables {
            let key = self.key(store, entry.clause, argument);
            self.insert(table, key, entry);
        }
        self.get_mut(id).index = Some(index);
    }

    /// Forgets the indexes of a predicate; choice points may still use their chains.
    pub(crate) fn drop_index(&mut self, id: PredicateId) {
        let Some(index) = self.get_mut(id).index.take() else {
            return;
        };
        for table in index.tables.into_values() {
            self.retire_chain(table.any);
            for bucket in table.buckets.into_values() {
                self.retire_chain(bucket);
            }
        }
    }
}
