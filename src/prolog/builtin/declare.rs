//! Predicates as a whole: what programs declare of them, and what they can find out.

use super::assert::read_indicator;
use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::program::predicate::{Aggregation, PredicateKind, TableMode};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::term::SymbolId;

pub(super) const BUILTINS: &[Builtin] = &[
    ("dynamic", 1, Binds, |m| declare(m, Declaration::Dynamic)),
    ("discontiguous", 1, Binds, |m| {
        declare(m, Declaration::Discontiguous)
    }),
    ("multifile", 1, Binds, |m| {
        declare(m, Declaration::Multifile)
    }),
    ("meta_predicate", 1, Binds, |m| {
        declare(m, Declaration::MetaPredicate)
    }),
    // Modules are not told apart: their predicates are those of the program.
    ("module", 2, Binds, |_| Ok(true)),
    ("$table", 1, Binds, |m| declare(m, Declaration::Table)),
    ("untable", 1, Binds, untable),
    ("$tabled_calls", 1, Binds, tabled_calls),
    ("$predicate", 3, Binds, predicate_property),
    ("$predicates", 1, Binds, predicates),
    ("$declared_meta", 3, Binds, declared_meta),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::prolog) enum Declaration {
    Dynamic,
    Discontiguous,
    Multifile,
    MetaPredicate,
    Table,
}

/// `:- dynamic a/1, b/2.` and the like: conjunctions, lists, indicators, heads.
fn declare(m: &mut Machine, declaration: Declaration) -> Outcome {
    let mut stack = vec![m.arg(0)];
    while let Some(cell) = stack.pop() {
        if !m.heap.may_go_on(stack.len() * size_of::<Cell>()) {
            m.heap.stopped()?;
        }
        let cell = m.strip_module(cell);
        if cell.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        if let Some((left, right)) = m.heap.binary(cell, atoms::COMMA) {
            stack.extend([right, left]);
        } else if let Some((head, tail)) = m.heap.binary(cell, atoms::DOT) {
            stack.extend([tail, head]);
        } else if cell == Cell::atom(atoms::NIL) {
        } else if let Some((specification, options)) = {
            let r#as = m.heap.store.symbol("as");
            m.heap.binary(cell, r#as)
        } {
            // Monotonic tables are kept by SWI-Prolog as answers come in; derived anew they hold the same answers.
            let maintained = ["incremental", "monotonic"].map(|name| m.heap.atom(name));
            let options = m.conjuncts(options);
            if declaration == Declaration::Table {
                check_table_options(m, &options)?;
            }
            let is_incremental = declaration == Declaration::Dynamic
                && options.iter().any(|option| maintained.contains(option));
            stack.push(specification);
            if is_incremental {
                declare_incremental(m, specification)?;
            }
        } else {
            match declaration {
                Declaration::Table => declare_table(m, cell)?,
                Declaration::MetaPredicate => declare_meta(m, cell)?,
                Declaration::Dynamic | Declaration::Discontiguous | Declaration::Multifile => {
                    let (name, arity) = read_indicator(m, cell)?;
                    declare_plain(m, name, arity, declaration)?;
                }
            }
        }
    }
    Ok(true)
}

/// Refuses what would change the answers of a table, such as `max_answers(N)`; how a table is kept does not.
fn check_table_options(m: &mut Machine, options: &[Cell]) -> Result<(), Interruption> {
    const KEPT: [&str; 9] = [
        "variant",
        "subsumptive",
        "incremental",
        "monotonic",
        "lazy",
        "opaque",
        "dynamic",
        "shared",
        "private",
    ];
    for &option in options {
        if option.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        if !(option.is_atom() && KEPT.contains(&m.heap.name(option.symbol()))) {
            return Err(error::domain_error(&mut m.heap, "table_option", option));
        }
    }
    Ok(())
}

/// `:- dynamic a/1, b/2 as incremental.`
fn declare_incremental(m: &mut Machine, specification: Cell) -> Result<(), Interruption> {
    for indicator in m.conjuncts(specification) {
        let (name, arity) = read_indicator(m, indicator)?;
        declare_plain(m, name, arity, Declaration::Dynamic)?;
        let id = m.database.predicate(name, arity);
        m.database.get_mut(id).is_incremental = true;
    }
    Ok(())
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
    if predicate.is_system && declaration == Declaration::Multifile {
        return Ok(());
    }
    if predicate.is_system && !m.consulted.is_library {
        return Err(error::static_procedure(&mut m.heap, name, arity));
    }
    match declaration {
        Declaration::Dynamic => predicate.is_dynamic = true,
        // Both say that there is such a predicate, and that its clauses may be apart.
        Declaration::Discontiguous => predicate.is_discontiguous = true,
        Declaration::Multifile => {
            predicate.is_discontiguous = true;
            predicate.is_multifile = true;
        }
        Declaration::MetaPredicate | Declaration::Table => {}
    }
    Ok(())
}

/// `:- meta_predicate p(0, ?).`; predicates of the system are what they are.
fn declare_meta(m: &mut Machine, cell: Cell) -> Result<(), Interruption> {
    let Some((name, arity)) = m.heap.functor(cell) else {
        return Err(error::type_error(&mut m.heap, "callable", cell));
    };
    let id = m.database.predicate(name, arity);
    if m.database.get(id).is_system {
        return Ok(());
    }
    let specification = m.heap.intern(cell, &mut Vec::new());
    m.heap.stopped()?;
    m.database.get_mut(id).meta = Some(specification);
    Ok(())
}

/// `$declared_meta(Name, Arity, Specification)`: as a program has declared its predicate.
fn declared_meta(m: &mut Machine) -> Outcome {
    let (name, arity) = (m.atom_arg(0)?, m.integer_arg(1)?);
    let id = m.database.find(name, arity as usize);
    let Some(specification) = id.and_then(|id| m.database.get(id).meta) else {
        return Ok(false);
    };
    let specification = m.heap.build(specification, &mut Vec::new());
    m.unify_arg(2, specification)
}

/// `:- table p/2.` or `:- table p(_, _, min).`
fn declare_table(m: &mut Machine, cell: Cell) -> Result<(), Interruption> {
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
    if m.database.get(id).kind != PredicateKind::User {
        return Err(error::static_procedure(&mut m.heap, name, arity));
    }
    m.table_predicate(id, TableMode { modes });
    Ok(())
}

/// `untable(+Indicators)`: predicates are called as all others from now on, and their complete tables are dropped.
fn untable(m: &mut Machine) -> Outcome {
    let indicators = m.arg(0);
    for indicator in m.conjuncts(indicators) {
        let (name, arity) = read_indicator(m, indicator)?;
        let id = m.database.predicate(name, arity);
        // Calls look at the declaration each time, so that clauses need not be compiled again.
        if m.database.get_mut(id).table.take().is_some() {
            m.database.rule_changes += 1;
            m.drop_tables_of(id);
        }
    }
    Ok(true)
}

/// `$tabled_calls(-Calls)`: the calls that have a table, in the order in which they were made.
fn tabled_calls(m: &mut Machine) -> Outcome {
    let ids: Vec<_> = m.tables.variants.values().copied().collect();
    let calls = ids.into_iter().map(|id| {
        let call = m.tables.get(id).call;
        m.heap.build(call, &mut Vec::new())
    });
    let calls: Vec<Cell> = calls.collect();
    m.heap.stopped()?;
    let list = m.heap.list(&calls);
    m.unify_arg(0, list)
}

impl Machine {
    /// The parts of a conjunction, or of a list of conjunctions, without modules.
    fn conjuncts(&mut self, cell: Cell) -> Vec<Cell> {
        let mut parts = Vec::new();
        let mut stack = vec![cell];
        while let Some(cell) = stack.pop() {
            let cell = self.strip_module(cell);
            let pair = self.heap.binary(cell, atoms::COMMA);
            if let Some((left, right)) = pair.or_else(|| self.heap.binary(cell, atoms::DOT)) {
                stack.extend([right, left]);
            } else if cell != Cell::atom(atoms::NIL) {
                parts.push(cell);
            }
        }
        parts
    }

    /// From now on a predicate is tabled.
    pub(in crate::prolog) fn table_predicate(&mut self, id: PredicateId, mode: TableMode) {
        self.database.get_mut(id).table = Some(mode);
        self.database.rule_changes += 1;
        // Negations of clauses that are compiled already must be able to wait for tables from now on.
        self.database.enable_tables(&mut self.heap.store);
    }
}

fn read_mode(m: &mut Machine, cell: Cell) -> Result<Option<Aggregation>, Interruption> {
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
            Aggregation::Lattice(name)
        } else {
            Aggregation::PartialOrder(name)
        }));
    }
    let name = if cell.is_atom() {
        Some(cell.symbol())
    } else {
        None
    };
    Ok(match name {
        Some(atoms::INDEX | atoms::UNDERSCORE | atoms::PLUS) => None,
        Some(atoms::MIN) => Some(Aggregation::Min),
        Some(atoms::MAX) => Some(Aggregation::Max),
        Some(atoms::FIRST | atoms::MINUS) => Some(Aggregation::First),
        Some(atoms::LAST) => Some(Aggregation::Last),
        Some(atoms::SUM) => Some(Aggregation::Sum),
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
    if predicate.is_incremental {
        properties.push("incremental");
    }
    if predicate.is_multifile {
        properties.push("multifile");
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
