//! The clause database as programs see it: assert, retract, clause, abolish, declarations.

use super::Builtin;
use super::Effect::Binds;
use crate::engine::atoms;
use crate::engine::cell::{Cell, REF};
use crate::engine::compile::CompileError;
use crate::engine::database::{ClauseId, Kind};
use crate::engine::error::{self, Interruption, Outcome};
use crate::engine::instruction::PredicateId;
use crate::engine::machine::Machine;
use crate::term::SymbolId;

pub(super) const BUILTINS: &[Builtin] = &[
    ("assertz", 1, Binds, |m| assert(m, false)),
    ("assert", 1, Binds, |m| assert(m, false)),
    ("asserta", 1, Binds, |m| assert(m, true)),
    ("$clauses", 3, Binds, clauses),
    ("$clause", 3, Binds, clause),
    ("$erase", 1, Binds, erase),
    ("$retractable", 1, Binds, retractable),
    ("retractall", 1, Binds, retract_all),
    ("abolish", 1, Binds, abolish),
    ("dynamic", 1, Binds, |m| declare(m, Declaration::Dynamic)),
    ("discontiguous", 1, Binds, |m| {
        declare(m, Declaration::Discontiguous)
    }),
    ("$table", 1, Binds, |m| declare(m, Declaration::Table)),
    ("$predicate", 3, Binds, predicate_property),
    ("$predicates", 1, Binds, predicates),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Declaration {
    Dynamic,
    Discontiguous,
    Table,
}

impl Machine {
    /// Head and body of a clause term; the head is checked to be a callable term.
    pub(in crate::engine) fn split_clause(
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
        Ok((self.heap.expose(head), body))
    }

    /// The predicate that a head belongs to, if users may change it.
    pub(in crate::engine) fn own_predicate(
        &mut self,
        head: Cell,
        operation: &str,
        kind: &str,
    ) -> Result<PredicateId, Interruption> {
        let Some((name, arity)) = self.heap.functor(head) else {
            return Err(error::type_error(&mut self.heap, "callable", head));
        };
        if arity > 240 {
            return Err(error::representation_error(&mut self.heap, "max_arity"));
        }
        let id = self.database.predicate(name, arity);
        if self.database.get(id).is_system && !self.consulted.is_library {
            let culprit = error::indicator(&mut self.heap, name, arity);
            return Err(error::permission_error(
                &mut self.heap,
                operation,
                kind,
                culprit,
            ));
        }
        Ok(id)
    }

    /// The exception for a clause that does not compile.
    pub(in crate::engine) fn compile_error(
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

fn assert(m: &mut Machine, at_front: bool) -> Outcome {
    let (head, body) = m.split_clause(m.x[0])?;
    if !m.is_body(body) {
        return Err(error::type_error(&mut m.heap, "callable", body));
    }
    let id = m.own_predicate(head, "modify", "static_procedure")?;
    let predicate = m.database.get_mut(id);
    if !predicate.is_dynamic {
        if predicate.live > 0 && !m.consulted.is_loading {
            let (name, arity) = (predicate.name, predicate.arity);
            let culprit = error::indicator(&mut m.heap, name, arity);
            return Err(error::permission_error(
                &mut m.heap,
                "modify",
                "static_procedure",
                culprit,
            ));
        }
        if predicate.live == 0 {
            predicate.is_dynamic = true;
        }
    }
    let record = m.heap.record(&[head, body]);
    match m
        .database
        .add(&mut m.heap.store, id, record, None, at_front)
    {
        Ok(_) => Ok(true),
        Err(fault) => Err(m.compile_error(fault, body)),
    }
}

/// `$clauses(Head, Kind, References)`: the clauses whose head may match, by reference.
fn clauses(m: &mut Machine) -> Outcome {
    let head = m.strip_module(m.x[0]);
    if head.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let Some((name, arity)) = m.heap.functor(head) else {
        return Err(error::type_error(&mut m.heap, "callable", head));
    };
    let Some(id) = m.database.find(name, arity) else {
        return m.unify_arg(2, Cell::atom(atoms::NIL));
    };
    let kind = m.atom_arg(1)?;
    let predicate = m.database.get(id);
    let is_private = predicate.is_system && !predicate.is_dynamic;
    if is_private || (m.heap.name(kind) == "modify" && !predicate.is_dynamic && predicate.live > 0)
    {
        let culprit = error::indicator(&mut m.heap, name, arity);
        let (operation, kind) = if m.heap.name(kind) == "modify" {
            ("modify", "static_procedure")
        } else {
            ("access", "private_procedure")
        };
        return Err(error::permission_error(
            &mut m.heap,
            operation,
            kind,
            culprit,
        ));
    }
    let arguments = m.heap.arguments(head);
    let references = matching_clauses(m, id, &arguments);
    let references: Vec<Cell> = references
        .into_iter()
        .map(|clause| reference(m, clause))
        .collect();
    let list = m.heap.list(&references);
    m.unify_arg(2, list)
}

/// The living clauses of a predicate that the indexes do not rule out.
pub(super) fn matching_clauses(
    m: &mut Machine,
    id: PredicateId,
    arguments: &[Cell],
) -> Vec<ClauseId> {
    let chain = m.database.select(&m.heap, id, arguments);
    let key = arguments.first().map_or(0, |&first| {
        crate::engine::database::key_of(&m.heap.cells, &m.heap.store, first)
    });
    let database = &m.database;
    database.chains[chain.0 as usize]
        .iter()
        .filter(|entry| {
            (key == 0 || entry.key == 0 || entry.key == key) && database.is_alive(entry.clause)
        })
        .map(|entry| entry.clause)
        .collect()
}

/// A clause as a term: its number and its birth, since numbers are used again.
pub(super) fn reference(m: &mut Machine, clause: ClauseId) -> Cell {
    let birth = m.database.clauses[clause.0 as usize].birth & 0xFFF_FFFF;
    Cell::small((birth as i64) << 32 | i64::from(clause.0))
}

pub(in crate::engine) fn referenced(
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
    let Some(id) = referenced(m, m.x[0])? else {
        return Ok(false);
    };
    let predicate = m.database.clauses[id.0 as usize].predicate;
    m.database.erase(id);
    if m.database.wants_compaction(predicate) {
        m.database.compact(predicate);
    }
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
            let culprit = error::indicator(&mut m.heap, name, arity);
            return Err(error::permission_error(
                &mut m.heap,
                "access",
                "private_procedure",
                culprit,
            ));
        }
    }
    Ok(true)
}

fn retract_all(m: &mut Machine) -> Outcome {
    let (head, _) = m.split_clause(m.x[0])?;
    let id = m.own_predicate(head, "modify", "static_procedure")?;
    let predicate = m.database.get_mut(id);
    if !predicate.is_dynamic {
        if predicate.live > 0 {
            let (name, arity) = (predicate.name, predicate.arity);
            let culprit = error::indicator(&mut m.heap, name, arity);
            return Err(error::permission_error(
                &mut m.heap,
                "modify",
                "static_procedure",
                culprit,
            ));
        }
        predicate.is_dynamic = true;
    }
    let arguments = m.heap.arguments(head);
    for clause in matching_clauses(m, id, &arguments) {
        let mark = m.heap.trail.len();
        let top = m.heap.cells.len();
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
    Ok(true)
}

/// Name and arity of `name/arity`, checked.
fn read_indicator(m: &mut Machine, cell: Cell) -> Result<(SymbolId, usize), Interruption> {
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let Some((name, arity)) = m.heap.binary(cell, atoms::SLASH) else {
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
    if count > 240 {
        return Err(error::representation_error(&mut m.heap, "max_arity"));
    }
    Ok((name, count))
}

/// `:- dynamic a/1, b/2.` and the like: conjunctions, lists, indicators, heads.
fn declare(m: &mut Machine, declaration: Declaration) -> Outcome {
    let mut stack = vec![m.arg(0)];
    while let Some(cell) = stack.pop() {
        let cell = m.strip_module(cell);
        if cell.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        if let Some((left, right)) = m.heap.binary(cell, atoms::COMMA) {
            stack.extend([right, left]);
        } else if let Some((head, tail)) = m.heap.binary(cell, atoms::DOT) {
            stack.extend([tail, head]);
        } else if cell == Cell::atom(atoms::NIL) {
        } else if let Some((specification, _)) = {
            let r#as = m.heap.store.symbol("as");
            m.heap.binary(cell, r#as)
        } {
            stack.push(specification);
        } else if declaration == Declaration::Table {
            declare_table(m, cell)?;
        } else {
            let (name, arity) = read_indicator(m, cell)?;
            declare_plain(m, name, arity, declaration)?;
        }
    }
    Ok(true)
}

fn declare_plain(
    m: &mut Machine,
    name: SymbolId,
    arity: usize,
    declaration: Declaration,
) -> Result<(), Interruption> {
    m.take_over(name, arity);
    let id = m.database.predicate(name, arity);
    let predicate = m.database.get_mut(id);
    if predicate.is_system && !m.consulted.is_library {
        let culprit = error::indicator(&mut m.heap, name, arity);
        return Err(error::permission_error(
            &mut m.heap,
            "modify",
            "static_procedure",
            culprit,
        ));
    }
    match declaration {
        Declaration::Dynamic => predicate.is_dynamic = true,
        Declaration::Discontiguous => predicate.is_discontiguous = true,
        Declaration::Table => {}
    }
    Ok(())
}

/// `:- table p/2.` or `:- table p(_, _, min).`
fn declare_table(m: &mut Machine, cell: Cell) -> Result<(), Interruption> {
    use crate::engine::table::mode::TableMode;
    let (name, arity, modes) = if m.heap.binary(cell, atoms::SLASH).is_some() {
        let (name, arity) = read_indicator(m, cell)?;
        (name, arity, vec![None; arity])
    } else {
        let Some((name, arity)) = m.heap.functor(cell) else {
            return Err(error::type_error(&mut m.heap, "table_declaration", cell));
        };
        let arguments = m.heap.arguments(cell);
        let mut modes = Vec::new();
        for argument in arguments {
            modes.push(read_mode(m, argument)?);
        }
        (name, arity, modes)
    };
    m.take_over(name, arity);
    let id = m.database.predicate(name, arity);
    if m.database.get(id).kind != Kind::User {
        let culprit = error::indicator(&mut m.heap, name, arity);
        return Err(error::permission_error(
            &mut m.heap,
            "modify",
            "static_procedure",
            culprit,
        ));
    }
    m.table_predicate(id, TableMode { modes });
    Ok(())
}

impl Machine {
    /// From now on a predicate is tabled.
    pub(in crate::engine) fn table_predicate(
        &mut self,
        id: PredicateId,
        mode: crate::engine::table::mode::TableMode,
    ) {
        self.database.get_mut(id).table = Some(mode);
        self.database.rule_changes += 1;
        self.database.enable_tables(&mut self.heap.store);
    }
}

fn read_mode(
    m: &mut Machine,
    cell: Cell,
) -> Result<Option<crate::engine::table::mode::Mode>, Interruption> {
    use crate::engine::table::mode::Mode;
    if cell.tag() == REF {
        return Ok(None);
    }
    if let Some(goal) = m
        .heap
        .unary(cell, atoms::LATTICE)
        .or_else(|| m.heap.unary(cell, atoms::PO))
    {
        let is_lattice = m.heap.functor(cell) == Some((atoms::LATTICE, 1));
        let name = match m.heap.binary(goal, atoms::SLASH) {
            Some((name, _)) => m.as_atom(name)?,
            None => match m.heap.functor(goal) {
                Some((name, _)) => name,
                None => return Err(error::type_error(&mut m.heap, "callable", goal)),
            },
        };
        return Ok(Some(if is_lattice {
            Mode::Lattice(name)
        } else {
            Mode::PartialOrder(name)
        }));
    }
    let name = if cell.is_atom() {
        Some(cell.symbol())
    } else {
        None
    };
    Ok(match name {
        Some(atoms::INDEX | atoms::UNDERSCORE) => None,
        Some(atoms::MIN) => Some(Mode::Min),
        Some(atoms::MAX) => Some(Mode::Max),
        Some(atoms::FIRST | atoms::MINUS) => Some(Mode::First),
        Some(atoms::LAST) => Some(Mode::Last),
        Some(atoms::SUM) => Some(Mode::Sum),
        Some(_) | None => return Err(error::domain_error(&mut m.heap, "tabled_mode", cell)),
    })
}

/// `$predicate(Name, Arity, Properties)`
fn predicate_property(m: &mut Machine) -> Outcome {
    let name = m.atom_arg(0)?;
    let arity = m.integer_arg(1)?;
    let Some(id) = m.database.find(name, arity as usize) else {
        return Ok(false);
    };
    let predicate = m.database.get(id);
    if !predicate.is_known() {
        return Ok(false);
    }
    let mut properties = vec!["defined", "visible"];
    if predicate.is_dynamic {
        properties.push("dynamic");
    } else {
        properties.push("static");
    }
    if predicate.is_system {
        properties.extend(["built_in", "system"]);
    }
    if predicate.table.is_some() {
        properties.push("tabled");
    }
    let count = predicate.live;
    let mut cells: Vec<Cell> = properties
        .into_iter()
        .map(|property| m.heap.atom(property))
        .collect();
    let clauses = m.heap.store.symbol("number_of_clauses");
    let count = m.heap.integer(i64::from(count));
    cells.push(m.heap.compound(clauses, &[count]));
    let list = m.heap.list(&cells);
    m.unify_arg(2, list)
}

/// `$predicates(List)`: all user predicates as `name/arity`.
fn predicates(m: &mut Machine) -> Outcome {
    let known: Vec<(SymbolId, usize)> = m
        .database
        .predicates
        .iter()
        .filter(|predicate| !predicate.is_system && predicate.is_known())
        .map(|predicate| (predicate.name, predicate.arity))
        .collect();
    let cells: Vec<Cell> = known
        .into_iter()
        .map(|(name, arity)| error::indicator(&mut m.heap, name, arity))
        .collect();
    let list = m.heap.list(&cells);
    m.unify_arg(0, list)
}
