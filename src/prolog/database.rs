//! Predicates, their clauses, and the code.
//!
//! Clauses of dynamic predicates have a birth and a death in generations, and a call sees those
//! that were alive when it began (the logical update view, [ISO 7.5.4]). A retracted clause stays
//! in its chain until nothing can reach it; see [`Database::compact`].

use rustc_hash::FxHashMap;

use crate::prolog::cell::{BIG, Cell, FLOAT, GROUND, LIST, REF, STR};
use crate::prolog::compile::{CompileError, compile};
use crate::prolog::index::{Chain, ChainId, Entry, Index};
use crate::prolog::instruction::{BACKTRACK, BuiltinId, Instruction, Pc, PredicateId};
use crate::prolog::record::Record;
use crate::prolog::table::mode::TableMode;
use crate::prolog::{atoms, control::Control};
use crate::syntax::Span;
use crate::term::{Store, SymbolId};

/// A clause of the database. Numbers are used again after a clause is gone for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClauseId(pub(crate) u32);

/// A text whose clauses are in the database, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub(crate) u32);

impl SourceId {
    /// The number of the text, in order of loading.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a predicate is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// By its clauses.
    User,
    /// By a deterministic function.
    Builtin(BuiltinId),
    /// By the machine, which changes its own state.
    Control(Control),
}

/// Where a clause was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClauseOrigin {
    pub(crate) source: SourceId,
    pub(crate) span: Span,
    /// Spans of the conditions, in order, as far as they are known.
    pub(crate) literals: Box<[Span]>,
}

#[derive(Debug)]
pub(crate) struct StoredClause {
    pub(crate) predicate: PredicateId,
    pub(crate) code: Pc,
    pub(crate) length: u32,
    /// Head and body.
    pub(crate) term: Record,
    pub(crate) birth: u64,
    /// `u64::MAX` while it lives.
    pub(crate) death: u64,
    pub(crate) origin: Option<Box<ClauseOrigin>>,
    has_calls: bool,
    inlines_negation: bool,
}

#[derive(Debug)]
pub(crate) struct Predicate {
    pub(crate) name: SymbolId,
    pub(crate) arity: usize,
    pub(crate) kind: Kind,
    pub(crate) is_dynamic: bool,
    pub(crate) is_discontiguous: bool,
    /// Tables that depend on it are dropped when its clauses change.
    pub(crate) is_incremental: bool,
    /// Part of the machine or its library: users may not change it.
    pub(crate) is_system: bool,
    pub(crate) table: Option<TableMode>,
    pub(crate) chain: ChainId,
    pub(crate) live: u32,
    pub(crate) dead: u32,
    pub(crate) index: Option<Box<Index>>,
}

impl Predicate {
    /// Whether a call is not an error even if there is no clause.
    pub(crate) fn is_known(&self) -> bool {
        self.kind != Kind::User
            || self.is_dynamic
            || self.live > 0
            || self.table.is_some()
            || self.is_discontiguous
    }
}

#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) predicates: Vec<Predicate>,
    by_name: FxHashMap<(SymbolId, usize), PredicateId>,
    pub(crate) clauses: Vec<StoredClause>,
    free_clauses: Vec<ClauseId>,
    pub(crate) chains: Vec<Chain>,
    pub(crate) free_chains: Vec<ChainId>,
    /// Chains and clauses that were replaced but may still be in use.
    retired_chains: Vec<ChainId>,
    retired_clauses: Vec<ClauseId>,
    pub(crate) code: Vec<Instruction>,
    free_code: FxHashMap<u32, Vec<Pc>>,
    pub(crate) generation: u64,
    /// Some predicate is tabled: negations are decided by the machine.
    pub(crate) has_tables: bool,
    /// Some goal changes arguments of terms in place: compounds in clauses of programs are built anew at each call.
    has_mutation: bool,
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

    pub(crate) fn get_mut(&mut self, id: PredicateId) -> &mut Predicate {
        &mut self.predicates[id.0 as usize]
    }

    /// The predicate of this name and arity, made if need be.
    pub(crate) fn predicate(&mut self, name: SymbolId, arity: usize) -> PredicateId {
        if let Some(id) = self.find(name, arity) {
            return id;
        }
        let id = PredicateId(self.predicates.len() as u32);
        let chain = self.new_chain();
        self.predicates.push(Predicate {
            name,
            arity,
            kind: Kind::User,
            is_dynamic: false,
            is_discontiguous: false,
            is_incremental: false,
            is_system: false,
            table: None,
            chain,
            live: 0,
            dead: 0,
            index: None,
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

    /// Adds a clause, at the front or at the end.
    pub(crate) fn add(
        &mut self,
        store: &mut Store,
        predicate: PredicateId,
        term: Record,
        origin: Option<Box<ClauseOrigin>>,
        at_front: bool,
    ) -> Result<ClauseId, CompileError> {
        let interns = self.interns(predicate);
        let compiled = compile(&term, self, store, interns)?;
        if compiled.mutates && !self.has_mutation {
            self.enable_mutation(store);
            return self.add(store, predicate, term, origin, at_front);
        }
        let length = compiled.code.len() as u32;
        let code = self.install(compiled.code);
        self.generation += 1;
        self.rule_changes += u64::from(!is_fact(&term));
        let key = key_in_record(store, &term, 0);
        let clause = StoredClause {
            predicate,
            code,
            length,
            term,
            birth: self.generation,
            death: u64::MAX,
            origin,
            has_calls: compiled.has_calls,
            inlines_negation: compiled.inlines_negation,
        };
        let id = if let Some(id) = self.free_clauses.pop() {
            self.clauses[id.0 as usize] = clause;
            id
        } else {
            self.clauses.push(clause);
            ClauseId(self.clauses.len() as u32 - 1)
        };
        let entry = Entry {
            key,
            code,
            clause: id,
        };
        self.link(store, predicate, entry, at_front);
        Ok(id)
    }

    fn link(&mut self, store: &Store, predicate: PredicateId, entry: Entry, at_front: bool) {
        let chain = self.get(predicate).chain;
        self.get_mut(predicate).live += 1;
        if at_front {
            self.chains[chain.0 as usize].push_front(entry);
            self.drop_index(predicate);
        } else {
            self.chains[chain.0 as usize].push_back(entry);
            self.extend_index(store, predicate, entry);
        }
    }

    fn install(&mut self, mut code: Vec<Instruction>) -> Pc {
        let length = code.len() as u32;
        let reused = self.free_code.get_mut(&length).and_then(Vec::pop);
        let base = reused.unwrap_or(self.code.len() as Pc);
        for instruction in &mut code {
            relocate(instruction, base);
        }
        if reused.is_some() {
            self.code[base as usize..base as usize + code.len()].copy_from_slice(&code);
        } else {
            self.code.extend_from_slice(&code);
        }
        base
    }

    /// Whether a call of generation `generation` sees the clause.
    #[inline]
    pub(crate) fn is_visible(&self, id: ClauseId, generation: u64) -> bool {
        let clause = &self.clauses[id.0 as usize];
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
        clause.death = self.generation;
        let predicate = clause.predicate;
        let predicate = self.get_mut(predicate);
        predicate.live -= 1;
        predicate.dead += 1;
    }

    /// Whether so many clauses of a predicate are dead that its chain should be rebuilt.
    pub(crate) fn wants_compaction(&self, id: PredicateId) -> bool {
        let predicate = self.get(id);
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
            if frames && clause.has_calls {
                self.retired_clauses.push(id);
                continue;
            }
            let (code, length) = (clause.code, clause.length);
            clause.term = Record::default();
            clause.origin = None;
            self.free_code.entry(length).or_default().push(code);
            self.free_clauses.push(id);
        }
    }

    /// From now on some predicate is tabled: negations compiled inline are compiled again.
    pub(crate) fn enable_tables(&mut self, store: &mut Store) {
        if self.has_tables {
            return;
        }
        self.has_tables = true;
        for position in 0..self.clauses.len() {
            let clause = &self.clauses[position];
            if clause.inlines_negation && clause.death == u64::MAX {
                self.recompile(store, position);
            }
        }
    }

    /// From now on terms may be changed in place. Ground compounds of programs were terms of the store, which all calls
    /// share; their clauses are compiled again.
    pub(crate) fn enable_mutation(&mut self, store: &mut Store) {
        if self.has_mutation {
            return;
        }
        self.has_mutation = true;
        for position in 0..self.clauses.len() {
            let clause = &self.clauses[position];
            let predicate = self.get(clause.predicate);
            if clause.death == u64::MAX && !predicate.is_system && !predicate.is_dynamic {
                self.recompile(store, position);
            }
        }
    }

    /// Makes a predicate of the program's own that takes the name of one of the system. Clauses of the system go on to
    /// call the old one; those of programs that do so are compiled again.
    pub(crate) fn shadow(&mut self, store: &mut Store, old: PredicateId) {
        let predicate = self.get(old);
        let (name, arity, kind) = (predicate.name, predicate.arity, predicate.kind);
        self.by_name.remove(&(name, arity));
        self.predicate(name, arity);
        let calls_old = |instruction: &Instruction| match (*instruction, kind) {
            (Instruction::Call(id) | Instruction::Execute(id), _) => id == old,
            (
                Instruction::Builtin(id) | Instruction::TestBuiltin(id, _),
                Kind::Builtin(builtin),
            ) => id == builtin,
            _ => false,
        };
        for position in 0..self.clauses.len() {
            let clause = &self.clauses[position];
            let code = clause.code as usize..(clause.code + clause.length) as usize;
            if clause.death == u64::MAX
                && !self.get(clause.predicate).is_system
                && self.code[code].iter().any(calls_old)
            {
                self.recompile(store, position);
            }
        }
    }

    /// Whether ground compounds in clauses of a predicate become terms of the store.
    fn interns(&self, id: PredicateId) -> bool {
        let predicate = self.get(id);
        !predicate.is_dynamic && (predicate.is_system || !self.has_mutation)
    }

    /// Compiles a living clause again. Calls that are running keep the old code.
    fn recompile(&mut self, store: &mut Store, position: usize) {
        let clause = &self.clauses[position];
        let (predicate, term) = (clause.predicate, clause.term.clone());
        let interns = self.interns(predicate);
        let Ok(compiled) = compile(&term, self, store, interns) else {
            return;
        };
        let clause = &mut self.clauses[position];
        clause.length = compiled.code.len() as u32;
        clause.inlines_negation = compiled.inlines_negation;
        let code = self.install(compiled.code);
        let old = std::mem::replace(&mut self.clauses[position].code, code);
        let chain = self.get(predicate).chain;
        self.chains[chain.0 as usize].replace_code(old, code);
        self.drop_index(predicate);
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

/// Whether the body of a record of head and body is `true`.
fn is_fact(term: &Record) -> bool {
    term.cells.get(1) == Some(&Cell::atom(atoms::TRUE))
}

/// Makes the addresses of an instruction absolute.
fn relocate(instruction: &mut Instruction, base: Pc) {
    if let Instruction::Jump(to)
    | Instruction::Try(to, _)
    | Instruction::Test(_, _, to)
    | Instruction::TestBuiltin(_, to)
    | Instruction::CompareTerms(_, _, _, to)
    | Instruction::CompareNumbers(_, _, _, to)
    | Instruction::CompareNumber(_, _, _, to) = instruction
        && *to != BACKTRACK
    {
        *to += base - 1;
    }
}

/// What clauses are told apart by: the constant or functor of an argument; zero for a variable.
pub(crate) type Key = u64;

/// The key of every list cell.
pub(crate) const LIST_KEY: Key = Cell::functor(atoms::DOT, 2).bits();
/// The key of all numbers that are not small integers.
pub(crate) const NUMBER_KEY: Key = Cell::mark(7).bits();

/// The key of a dereferenced cell.
#[inline(always)]
pub(crate) fn key_of(cells: &[Cell], store: &Store, cell: Cell) -> Key {
    match cell.tag() {
        REF => 0,
        STR => cells[cell.index()].bits(),
        LIST => LIST_KEY,
        BIG | FLOAT => NUMBER_KEY,
        GROUND => store.functor(cell.term()).map_or(NUMBER_KEY, |functor| {
            Cell::functor(functor.symbol, functor.arity as usize).bits()
        }),
        _ => cell.bits(),
    }
}

/// The key of an argument of the head in a record of head and body.
pub(crate) fn key_in_record(store: &Store, record: &Record, position: usize) -> Key {
    let head = record.cells[0];
    let first = match head.tag() {
        STR => head.index() + 1,
        LIST => head.index(),
        _ => return 0,
    };
    let Some(&cell) = record.cells.get(first + position) else {
        return 0;
    };
    match cell.tag() {
        REF => 0,
        STR => record.cells[cell.index()].bits(),
        LIST => LIST_KEY,
        BIG | FLOAT => NUMBER_KEY,
        GROUND => super::index::store_key(store, cell.term()),
        _ => cell.bits(),
    }
}
