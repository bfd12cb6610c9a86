//! Clauses enter the database: compiled, their code placed, linked into the chain and the indexes of
//! their predicate; and compiled again when something changes what their code may rely on.

use crate::prolog::program::chain::ClauseEntry;
use crate::prolog::program::compile::{CompileError, compile};
use crate::prolog::program::database::Database;
use crate::prolog::program::instruction::{BACKTRACK, ClauseId, Instruction, Pc, PredicateId};
use crate::prolog::program::key::key_in_record;
use crate::prolog::program::predicate::{ClauseOrigin, PredicateKind, StoredClause};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::record::Record;
use crate::term::Store;

/// Where a clause goes among those of its predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainEnd {
    Front,
    Back,
}

/// A clause that enters the database.
#[derive(Debug)]
pub(crate) struct NewClause {
    /// Head and body.
    pub(crate) term: Record,
    pub(crate) origin: Option<Box<ClauseOrigin>>,
    pub(crate) end: ChainEnd,
}

impl NewClause {
    /// A clause behind all others of its predicate.
    pub(crate) fn last(term: Record, origin: Option<Box<ClauseOrigin>>) -> Self {
        Self {
            term,
            origin,
            end: ChainEnd::Back,
        }
    }
}

impl Database {
    /// Adds a clause.
    pub(crate) fn add(
        &mut self,
        store: &mut Store,
        predicate: PredicateId,
        clause: NewClause,
    ) -> Result<ClauseId, CompileError> {
        let interns = self.interns(predicate);
        let compiled = compile(&clause.term, self, store, interns)?;
        // The first clause that changes terms in place: all others are compiled again without sharing, and this one, too.
        if compiled.mutates && !self.has_mutation {
            self.enable_mutation(store);
            return self.add(store, predicate, clause);
        }
        let NewClause { term, origin, end } = clause;
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
        let entry = ClauseEntry {
            key,
            code,
            clause: id,
        };
        self.link(store, predicate, entry, end);
        Ok(id)
    }

    fn link(&mut self, store: &Store, predicate: PredicateId, entry: ClauseEntry, end: ChainEnd) {
        let chain = self.get(predicate).chain;
        self.get_mut(predicate).live += 1;
        if end == ChainEnd::Front {
            // Buckets of an index only grow at their end: a clause in front makes the index useless.
            self.chains[chain.0 as usize].push_front(entry);
            self.drop_index(predicate);
        } else {
            self.chains[chain.0 as usize].push_back(entry);
            self.extend_index(store, predicate, entry);
        }
    }

    fn install(&mut self, mut code: Vec<Instruction>) -> Pc {
        let length = code.len() as u32;
        // Room of a freed clause of the same length, so that programs that assert and retract for ever stay as small.
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
        // Inlined goals are instructions of their own and no calls.
        let calls_old = |instruction: &Instruction| match (*instruction, kind) {
            (
                Instruction::Call(id)
                | Instruction::Execute(id)
                | Instruction::DeallocateExecute(id),
                _,
            ) => id == old,
            (
                Instruction::Builtin(id) | Instruction::TestBuiltin(id, _),
                PredicateKind::Builtin(builtin),
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
        // The old code stays where it is: environments may return into it.
        let old = std::mem::replace(&mut self.clauses[position].code, code);
        let chain = self.get(predicate).chain;
        self.chains[chain.0 as usize].replace_code(old, code);
        self.drop_index(predicate);
    }
}

/// Whether the body of a record of head and body is `true`.
fn is_fact(term: &Record) -> bool {
    term.cells.get(1) == Some(&Cell::atom(atoms::TRUE))
}

/// Makes the addresses of an instruction absolute.
fn relocate(instruction: &mut Instruction, base: Pc) {
    if let Some(to) = instruction.target_mut()
        && *to != BACKTRACK
    {
        // Addresses of the compiler are relative and count from one, since zero is `BACKTRACK`.
        *to += base - 1;
    }
}
