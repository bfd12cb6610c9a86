//! Which chain a call tries: hash indexes over the clauses, built when a call first has a use for one.
//!
//! A call with a bound argument looks at the clauses whose key for that argument matches. Short
//! chains are scanned by the key of their first argument; long ones get a hash table on the bound
//! argument that tells most clauses apart, whichever it is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::prolog::program::chain::{ArgumentIndex, ChainId, ClauseEntry, ClauseIndex};
use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::{ClauseId, PredicateId};
use crate::prolog::program::key::{Key, key_in_record, key_of};
use crate::prolog::program::predicate::PredicateKind;
use crate::prolog::program::switch::Switch;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::heap::Heap;
use crate::term::Store;

/// Chains up to this length are scanned.
const SCAN: usize = 8;
/// Arguments behind this are not indexed.
const INDEXED_ARGUMENTS: usize = 12;

impl Database {
    /// Has calls of a predicate begin at a switch, if they need no more than that: it is static, not tabled, and has
    /// few clauses.
    pub(crate) fn make_switch(&mut self, id: PredicateId) {
        let predicate = self.get(id);
        let chain = &self.chains[predicate.chain.0 as usize];
        let is_plain = predicate.kind == PredicateKind::User
            && !predicate.is_dynamic
            && predicate.table.is_none();
        if is_plain && chain.len() <= SCAN {
            let switch = Switch::new(predicate.chain, chain, predicate.arity);
            self.predicates[id.0 as usize].switch = Some(Box::new(switch));
        }
    }

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
        let predicate = self.get(id);
        let chain = predicate.chain;
        let length = self.chains[chain.0 as usize].len();
        let index = match &predicate.index {
            // Ranking looks at all clauses; doubling makes that constant time for each clause added.
            Some(index) if length < index.assessed * 2 => index,
            Some(_) | None => self.assess(&heap.store, id),
        };
        // The best argument that is bound in this call.
        for (place, (argument, table)) in index.arguments.iter().enumerate() {
            let cell = heap.deref(arguments[*argument]);
            let key = key_of(&heap.cells, &heap.store, cell);
            if key != Key::VARIABLE {
                return match table {
                    Some(table) => table.chain(key),
                    // Built by the first call that has a use for it.
                    None => self.build_index(&heap.store, id, place).chain(key),
                };
            }
        }
        chain
    }

    /// Decides which arguments are worth an index.
    #[cold]
    fn assess(&mut self, store: &Store, id: PredicateId) -> &ClauseIndex {
        let predicate = self.get(id);
        let length = self.chains[predicate.chain.0 as usize].len();
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
        // Tables know all clauses, whatever the rank of their argument.
        let mut old = self.get_mut(id).index.take().unwrap_or_default().arguments;
        let known = ranked.into_iter().map(|(_, argument)| {
            let place = old.iter().position(|&(known, _)| known == argument);
            (argument, place.and_then(|place| old.swap_remove(place).1))
        });
        let arguments = known.collect();
        self.retire_tables(old);
        self.get_mut(id).index.insert(Box::new(ClauseIndex {
            arguments,
            assessed: length,
        }))
    }

    /// The key of an argument of a clause's head.
    pub(crate) fn key(&self, store: &Store, clause: ClauseId, argument: usize) -> Key {
        let term = &self.clauses[clause.0 as usize].term;
        if term.cells.is_empty() {
            return Key::VARIABLE;
        }
        key_in_record(store, term, argument)
    }

    #[cold]
    fn build_index(&mut self, store: &Store, id: PredicateId, place: usize) -> &ArgumentIndex {
        let (chain, any) = (self.get(id).chain, self.new_chain());
        let mut table = ArgumentIndex {
            buckets: FxHashMap::default(),
            any,
        };
        let entries: Vec<ClauseEntry> = self.chains[chain.0 as usize].iter().copied().collect();
        let index = self.get_mut(id).index.take().unwrap_or_default();
        for entry in entries {
            let key = self.key(store, entry.clause, index.arguments[place].0);
            self.insert(&mut table, key, entry);
        }
        let index = self.get_mut(id).index.insert(index);
        index.arguments[place].1.insert(table)
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
        for (argument, table) in &mut index.arguments {
            if let Some(table) = table {
                let key = self.key(store, entry.clause, *argument);
                self.insert(table, key, entry);
            }
        }
        self.get_mut(id).index = Some(index);
    }

    /// Forgets the indexes of a predicate; choice points may still use their chains.
    pub(crate) fn drop_index(&mut self, id: PredicateId) {
        if let Some(index) = self.get_mut(id).index.take() {
            self.retire_tables(index.arguments);
        }
    }

    fn retire_tables(&mut self, arguments: Vec<(usize, Option<ArgumentIndex>)>) {
        for table in arguments.into_iter().filter_map(|(_, table)| table) {
            self.retire_chain(table.any);
            for bucket in table.buckets.into_values() {
                self.retire_chain(bucket);
            }
        }
    }
}
