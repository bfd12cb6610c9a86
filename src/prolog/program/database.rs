//! Predicates, their clauses, and the code.
//!
//! Clauses of dynamic predicates have a birth and a death in generations, and a call sees those
//! that were alive when it began (the logical update view, [ISO 7.5.4]). A retracted clause stays
//! in its chain until nothing can reach it; see [`Database::compact`].

use rustc_hash::FxHashMap;

use crate::prolog::program::chain::{Chain, ChainId};
use crate::prolog::program::instruction::{BuiltinId, ClauseId, Instruction, Pc, PredicateId};
use crate::prolog::program::predicate::{Control, Predicate, PredicateKind, StoredClause};
use crate::prolog::terms::atoms;
use crate::prolog::terms::record::Record;
use crate::term::SymbolId;

/// All predicates of a machine, with their clauses and the code of these.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) predicates: Vec<Predicate>,
    pub(in crate::prolog) by_name: FxHashMap<(SymbolId, usize), PredicateId>,
    pub(crate) clauses: Vec<StoredClause>,
    pub(in crate::prolog) free_clauses: Vec<ClauseId>,
    pub(crate) chains: Vec<Chain>,
    pub(crate) free_chains: Vec<ChainId>,
    /// Chains and clauses that were replaced but may still be in use.
    retired_chains: Vec<ChainId>,
    retired_clauses: Vec<ClauseId>,
    pub(crate) code: Vec<Instruction>,
    pub(in crate::prolog) free_code: FxHashMap<u32, Vec<Pc>>,
    pub(crate) generation: u64,
    /// Some predicate is tabled: negations are decided by the machine.
    pub(crate) has_tables: bool,
    /// Some goal changes arguments of terms in place: compounds in clauses of programs are built anew at each call.
    pub(in crate::prolog) has_mutation: bool,
    tests: Vec<bool>,
    /// Counts changes of clauses other than facts, so that what is computed from calls can be kept.
    pub(crate) rule_changes: u64,
}

impl Database {
    pub(crate) fn new(tests: Vec<bool>) -> Self {
        Self {
            predicates: Vec::new(),
            by_name: FxHashMap::default(),
            clauses: Vec::new(),
            free_clauses: Vec::new(),
            chains: Vec::new(),
            free_chains: Vec::new(),
            retired_chains: Vec::new(),
            retired_clauses: Vec::new(),
            code: vec![Instruction::Fail],
            free_code: FxHashMap::default(),
            generation: 1,
            has_tables: false,
            has_mutation: false,
            tests,
            rule_changes: 0,
        }
    }

    /// Whether a built-in binds nothing.
    pub(crate) fn is_test(&self, id: BuiltinId) -> bool {
        self.tests.get(usize::from(id.0)).copied().unwrap_or(false)
    }

    pub(crate) fn find(&self, name: SymbolId, arity: usize) -> Option<PredicateId> {
        self.by_name.get(&(name, arity)).copied()
    }

    #[inline]
    pub(crate) fn get(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    /// A predicate, to change it.
    pub(crate) fn get_mut(&mut self, id: PredicateId) -> &mut Predicate {
        let predicate = &mut self.predicates[id.0 as usize];
        // Where its calls begin may be another place after the change.
        predicate.switch = None;
        predicate
    }

    /// The predicate of this name and arity, made if need be.
    pub(crate) fn predicate(&mut self, name: SymbolId, arity: usize) -> PredicateId {
        if let Some(id) = self.find(name, arity) {
            return id;
        }
        let id = PredicateId(self.predicates.len() as u32);
        let chain = self.new_chain();
        // There are `call/N` for all N that are called.
        let kind = if name == atoms::CALL && arity > 0 {
            PredicateKind::Control(Control::Call)
        } else {
            PredicateKind::User
        };
        self.predicates.push(Predicate {
            name,
            arity,
            kind,
            is_dynamic: false,
            is_discontiguous: false,
            is_incremental: false,
            is_multifile: false,
            meta: None,
            is_system: kind != PredicateKind::User,
            table: None,
            chain,
            live: 0,
            dead: 0,
            index: None,
            switch: None,
        });
        self.by_name.insert((name, arity), id);
        id
    }

    pub(crate) fn new_chain(&mut self) -> ChainId {
        if let Some(id) = self.free_chains.pop() {
            return id;
        }
        self.chains.push(Chain::default());
        ChainId(self.chains.len() as u32 - 1)
    }

    /// Whether a call of generation `generation` sees the clause.
    #[inline]
    pub(crate) fn is_visible(&self, id: ClauseId, generation: u64) -> bool {
        let clause = &self.clauses[id.0 as usize];
        // Alive from its birth up to, not including, its death.
        clause.birth <= generation && generation < clause.death
    }

    pub(crate) fn is_alive(&self, id: ClauseId) -> bool {
        self.clauses
            .get(id.0 as usize)
            .is_some_and(|clause| clause.death == u64::MAX)
    }

    /// Takes a clause out. It stays visible to calls that began before.
    pub(crate) fn erase(&mut self, id: ClauseId) {
        if !self.is_alive(id) {
            return;
        }
        self.generation += 1;
        let clause = &mut self.clauses[id.0 as usize];
        // A call of the generation before still sees it: the logical update view.
        clause.death = self.generation;
        let predicate = clause.predicate;
        let predicate = self.get_mut(predicate);
        predicate.live -= 1;
        predicate.dead += 1;
    }

    /// Whether so many clauses of a predicate are dead that its chain should be rebuilt.
    pub(crate) fn wants_compaction(&self, id: PredicateId) -> bool {
        let predicate = self.get(id);
        // Passing over dead clauses costs at most as much again as the living ones.
        predicate.dead > 8 + predicate.live
    }

    /// Replaces the chain of a predicate by one without its dead clauses. Choice points keep the
    /// old one until [`Database::release`].
    pub(crate) fn compact(&mut self, id: PredicateId) {
        let old = self.get(id).chain;
        let mut chain = Chain::default();
        let mut dead = Vec::new();
        for entry in self.chains[old.0 as usize].iter() {
            if self.is_alive(entry.clause) {
                chain.push_back(*entry);
            } else {
                dead.push(entry.clause);
            }
        }
        let new = self.new_chain();
        self.chains[new.0 as usize] = chain;
        self.drop_index(id);
        // Choice points hold positions in the old chain, which stays as it was for them.
        self.retired_chains.push(old);
        self.retired_clauses.extend(dead);
        let predicate = self.get_mut(id);
        predicate.chain = new;
        predicate.dead = 0;
    }

    pub(crate) fn retire_chain(&mut self, id: ChainId) {
        self.retired_chains.push(id);
    }

    /// Number of clauses that wait for [`Database::release`].
    pub(crate) fn retired(&self) -> usize {
        self.retired_clauses.len() + self.retired_chains.len()
    }

    /// Frees what was replaced. No choice point may use an old chain. With `frames` given, some
    /// frame may return into the body of a retired clause: those that have calls are kept.
    pub(crate) fn release(&mut self, frames: bool) {
        for chain in std::mem::take(&mut self.retired_chains) {
            self.chains[chain.0 as usize] = Chain::default();
            self.free_chains.push(chain);
        }
        for id in std::mem::take(&mut self.retired_clauses) {
            let clause = &mut self.clauses[id.0 as usize];
            // A clause that is still running has given its choice point up, but may be returned to behind a call.
            if frames && clause.has_calls {
                self.retired_clauses.push(id);
                continue;
            }
            let (code, length) = (clause.code, clause.length);
            clause.term = Record::default();
            clause.origin = None;
            // Its code may soon be another's.
            clause.length = 0;
            self.free_code.entry(length).or_default().push(code);
            self.free_clauses.push(id);
        }
    }

    /// All clauses of a predicate that are alive, in order.
    pub(crate) fn live_clauses(&self, id: PredicateId) -> Vec<ClauseId> {
        let chain = self.get(id).chain;
        self.chains[chain.0 as usize]
            .iter()
            .map(|entry| entry.clause)
            .filter(|&clause| self.is_alive(clause))
            .collect()
    }
}
