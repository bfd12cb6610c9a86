//! The clause database as programs see it: assert, retract, clause, abolish.

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::program::compile::CompileError;
use crate::prolog::program::install::{ChainEnd, NewClause};
use crate::prolog::program::instruction::{ClauseId, PredicateId};
use crate::prolog::program::key::{Key, key_of};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::term::SymbolId;

pub(super) const BUILTINS: &[Builtin] = &[
    ("assertz", 1, Binds, |m| {
        assert(m, ChainEnd::Back).map(|_| true)
    }),
    ("assert", 1, Binds, |m| {
        assert(m, ChainEnd::Back).map(|_| true)
    }),
    ("asserta", 1, Binds, |m| {
        assert(m, ChainEnd::Front).map(|_| true)
    }),
    ("assertz", 2, Binds, |m| {
        assert_referenced(m, ChainEnd::Back)
    }),
    ("assert", 2, Binds, |m| assert_referenced(m, ChainEnd::Back)),
    ("asserta", 2, Binds, |m| {
        assert_referenced(m, ChainEnd::Front)
    }),
    ("$clause", 3, Binds, clause),
    ("$erase", 1, Binds, erase),
    ("$retractable", 1, Binds, retractable),
    ("retractall", 1, Binds, retract_all),
    ("abolish", 1, Binds, abolish),
];

impl Machine {
    /// Head and body of a clause term; the head is checked to be a callable term.
    pub(in crate::prolog) fn split_clause(
        &mut self,
        term: Cell,
    ) -> Result<(Cell, Cell), Interruption> {
        let term = self.strip_module(term);
        let (head, body) = match self.heap.binary(term, atoms::NECK) {
            Some((head, body)) => (head, body),
            None => (term, Cell::atom(atoms::TRUE)),
        };
        let head = self.strip_module(head);
        if head.tag() == REF {
            return Err(error::instantiation(&mut self.heap));
        }
        if self.heap.functor(head).is_none() {
            return Err(error::type_error(&mut self.heap, "callable", head));
        }
        if self.heap.binary(head, atoms::MATCH_ARROW).is_some() {
            // A rule of SWI-Prolog whose head is matched and not unified, which is no clause here.
            return Err(error::domain_error(&mut self.heap, "clause", head));
        }
        Ok((self.heap.expose(head), body))
    }

    /// The predicate that a head belongs to, if users may change it. Of one of the library the program's own takes the place.
    pub(in crate::prolog) fn own_predicate(
        &mut self,
        head: Cell,
    ) -> Result<PredicateId, Interruption> {
        let Some((name, arity)) = self.heap.functor(head) else {
            return Err(error::type_error(&mut self.heap, "callable", head));
        };
        if arity > 240 {
            return Err(error::representation_error(&mut self.heap, "max_arity"));
        }
        self.take_over(name, arity);
        let id = self.database.predicate(name, arity);
        if self.database.get(id).is_system && !self.consulted.is_library {
            return Err(error::static_procedure(&mut self.heap, name, arity));
        }
        Ok(id)
    }

    /// Clauses of a predicate came or went: what tables hold of it is derived anew when it is called.
    fn clauses_changed(&mut self, id: PredicateId) {
        if self.database.get(id).is_incremental {
            self.invalidate(id);
        }
    }

    /// A clause as a term: its number and its birth, since numbers are used again.
    pub(in crate::prolog) fn clause_reference(&self, clause: ClauseId) -> Cell {
        let birth = self.database.clauses[clause.0 as usize].birth & 0xFFF_FFFF;
        Cell::small((birth as i64) << 32 | i64::from(clause.0))
    }

    /// The exception for a clause that does not compile.
    pub(in crate::prolog) fn compile_error(
        &mut self,
        fault: CompileError,
        body: Cell,
    ) -> Interruption {
        match fault {
            CompileError::UnboundHead => error::instantiation(&mut self.heap),
            CompileError::NotCallable => error::type_error(&mut self.heap, "callable", body),
            CompileError::TooComplex => {
                error::representation_error(&mut self.heap, "max_clause_variables")
            }
        }
    }
}

/// `assertz(Clause, Reference)`
fn assert_referenced(m: &mut Machine, end: ChainEnd) -> Outcome {
    let clause = assert(m, end)?;
    let reference = m.clause_reference(clause);
    m.unify_arg(1, reference)
}

fn assert(m: &mut Machine, end: ChainEnd) -> Result<ClauseId, Interruption> {
    let (head, body) = m.split_clause(m.x[0])?;
    let Some(body) = m.clause_body(body) else {
        m.heap.stopped()?;
        return Err(error::type_error(&mut m.heap, "callable", body));
    };
    let id = m.own_predicate(head)?;
    let predicate = m.database.get_mut(id);
    if !predicate.is_dynamic {
        if predicate.live > 0 && !m.consulted.is_loading {
            let (name, arity) = (predicate.name, predicate.arity);
            return Err(error::static_procedure(&mut m.heap, name, arity));
        }
        if predicate.live == 0 {
            predicate.is_dynamic = true;
        }
    }
    let record = m.heap.record_clause(head, body);
    m.heap.stopped()?;
    match m.database.add(
        &mut m.heap.store,
        id,
        NewClause {
            term: record,
            origin: None,
            end,
        },
    ) {
        Ok(clause) => {
            m.clauses_changed(id);
            Ok(clause)
        }
        Err(fault) => Err(m.compile_error(fault, body)),
    }
}

/// The living clauses of a predicate that the indexes do not rule out.
pub(super) fn matching_clauses(
    m: &mut Machine,
    id: PredicateId,
    arguments: &[Cell],
) -> Vec<ClauseId> {
    let chain = m.database.select(&m.heap, id, arguments);
    let key = arguments.first().map_or(Key::VARIABLE, |&first| {
        key_of(&m.heap.cells, &m.heap.store, first)
    });
    let database = &m.database;
    database.chains[chain.0 as usize]
        .iter()
        .filter(|entry| key.may_match(entry.key) && database.is_alive(entry.clause))
        .map(|entry| entry.clause)
        .collect()
}

pub(in crate::prolog) fn referenced(
    m: &mut Machine,
    cell: Cell,
) -> Result<Option<ClauseId>, Interruption> {
    let value = m.as_integer(cell)?;
    let clause = ClauseId(value as u32);
    let is_same = m
        .database
        .clauses
        .get(clause.0 as usize)
        .is_some_and(|stored| stored.birth & 0xFFF_FFFF == (value >> 32) as u64)
        && m.database.is_alive(clause);
    Ok(is_same.then_some(clause))
}

/// `$clause(Reference, Head, Body)`
fn clause(m: &mut Machine) -> Outcome {
    let Some(id) = referenced(m, m.x[0])? else {
        return Ok(false);
    };
    let record = std::mem::take(&mut m.database.clauses[id.0 as usize].term);
    let start = m.heap.replay(&record);
    m.database.clauses[id.0 as usize].term = record;
    let (head, body) = (m.heap.cells[start], m.heap.cells[start + 1]);
    let wanted = m.strip_module(m.x[1]);
    Ok(m.heap.unify(wanted, head) && m.heap.unify(m.x[2], body))
}

fn erase(m: &mut Machine) -> Outcome {
    // Who retracts a clause that another goal has retracted meanwhile succeeds all the same.
    let Some(id) = referenced(m, m.x[0])? else {
        return Ok(true);
    };
    let predicate = m.database.clauses[id.0 as usize].predicate;
    m.database.erase(id);
    if m.database.wants_compaction(predicate) {
        m.database.compact(predicate);
    }
    m.clauses_changed(predicate);
    Ok(true)
}

/// `$retractable(Clause)`: checks the clause argument of retract/1.
fn retractable(m: &mut Machine) -> Outcome {
    let (head, _) = m.split_clause(m.x[0])?;
    if let Some((name, arity)) = m.heap.functor(head)
        && let Some(id) = m.database.find(name, arity)
    {
        let predicate = m.database.get(id);
        if predicate.is_system || (!predicate.is_dynamic && predicate.live > 0) {
            return Err(error::static_procedure(&mut m.heap, name, arity));
        }
    }
    Ok(true)
}

fn retract_all(m: &mut Machine) -> Outcome {
    let (head, _) = m.split_clause(m.x[0])?;
    let id = m.own_predicate(head)?;
    let predicate = m.database.get_mut(id);
    if !predicate.is_dynamic {
        if predicate.live > 0 {
            let (name, arity) = (predicate.name, predicate.arity);
            return Err(error::static_procedure(&mut m.heap, name, arity));
        }
        predicate.is_dynamic = true;
    }
    let arguments = m.heap.arguments(head);
    for clause in matching_clauses(m, id, &arguments) {
        let mark = m.heap.trail.len();
        let top = m.heap.cells.len();
        // All bindings are trailed, since they are undone without a choice point.
        let barrier = std::mem::replace(&mut m.heap.barrier, usize::MAX);
        let record = std::mem::take(&mut m.database.clauses[clause.0 as usize].term);
        let start = m.heap.replay(&record);
        m.database.clauses[clause.0 as usize].term = record;
        let found = m.heap.cells[start];
        let matches = m.heap.unify(head, found);
        m.heap.undo_to(mark);
        m.heap.cells.truncate(top);
        m.heap.barrier = barrier;
        if matches {
            m.database.erase(clause);
        }
    }
    if m.database.wants_compaction(id) {
        m.database.compact(id);
    }
    m.clauses_changed(id);
    Ok(true)
}

fn abolish(m: &mut Machine) -> Outcome {
    let indicator = m.strip_module(m.x[0]);
    let (name, arity) = read_indicator(m, indicator)?;
    let Some(id) = m.database.find(name, arity) else {
        return Ok(true);
    };
    let predicate = m.database.get(id);
    if predicate.is_system || (!predicate.is_dynamic && predicate.live > 0) {
        return Err(error::permission_error(
            &mut m.heap,
            "modify",
            "static_procedure",
            indicator,
        ));
    }
    for clause in m.database.live_clauses(id) {
        m.database.erase(clause);
    }
    m.clauses_changed(id);
    Ok(true)
}

/// Name and arity of `name/arity`, checked.
pub(super) fn read_indicator(
    m: &mut Machine,
    cell: Cell,
) -> Result<(SymbolId, usize), Interruption> {
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let (indicator, extra) = match m.heap.binary(cell, atoms::SLASH) {
        Some(indicator) => (Some(indicator), 0),
        // A nonterminal has two arguments more.
        None => (m.heap.binary(cell, atoms::DOUBLE_SLASH), 2),
    };
    let Some((name, arity)) = indicator else {
        return Err(error::type_error(&mut m.heap, "predicate_indicator", cell));
    };
    if name.tag() == REF || arity.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let count = m.as_integer(arity)?;
    let name = m.as_atom(name)?;
    let Ok(count) = usize::try_from(count) else {
        return Err(error::domain_error(
            &mut m.heap,
            "not_less_than_zero",
            arity,
        ));
    };
    if count > 240 - extra {
        return Err(error::representation_error(&mut m.heap, "max_arity"));
    }
    Ok((name, count + extra))
}
