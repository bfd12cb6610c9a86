//! State of the machine: flags, operators, global variables, tables, statistics.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::state::flags::{Quotes, Unknown};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::Undo;
use crate::syntax::{MAX_PRIORITY, OperatorType};
use crate::term::SymbolId;

pub(super) const BUILTINS: &[Builtin] = &[
    ("op", 3, Binds, define_operator),
    ("$operators", 1, Binds, operators),
    ("set_prolog_flag", 2, Binds, set_flag),
    ("$flag", 2, Binds, flag),
    ("nb_setval", 2, Binds, |m| {
        let name = m.atom_arg(0)?;
        let record = m.heap.record(&[m.x[1]]);
        m.heap.stopped()?;
        m.heap.globals.shift_remove(&name);
        m.recorded.insert(name, record);
        Ok(true)
    }),
    ("b_setval", 2, Binds, set_global),
    ("nb_getval", 2, Binds, get_global),
    ("b_getval", 2, Binds, get_global),
    ("abolish_all_tables", 0, Binds, |m| {
        m.drop_all_tables();
        Ok(true)
    }),
    ("statistics", 2, Binds, statistics),
    ("get_time", 1, Binds, |m| {
        let seconds = m.streams.environment.now().as_secs_f64();
        let seconds = m.heap.float(seconds);
        m.unify_arg(0, seconds)
    }),
    ("$seed", 1, Binds, |m| {
        let seed = m.integer_arg(0)?;
        m.random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        Ok(true)
    }),
    ("garbage_collect", 0, Binds, |m| {
        m.collect_soon();
        Ok(true)
    }),
    ("$redirect", 1, Binds, |m| {
        let depth = m.heap.integer(m.output.depth() as i64);
        m.output.redirect();
        m.unify_arg(0, depth)
    }),
    ("$end_redirect", 2, Binds, |m| {
        let depth = m.integer_arg(0)?;
        let text = m.output.restore(depth as usize);
        let text = m.heap.text(&text);
        m.unify_arg(1, text)
    }),
];

/// `op(Priority, Type, Names)`
fn define_operator(m: &mut Machine) -> Outcome {
    let priority = m.integer_arg(0)?;
    if !(0..=i64::from(MAX_PRIORITY)).contains(&priority) {
        let culprit = m.arg(0);
        return Err(error::domain_error(
            &mut m.heap,
            "operator_priority",
            culprit,
        ));
    }
    let kind = m.atom_arg(1)?;
    let Some(kind) = OperatorType::from_name(m.heap.name(kind)) else {
        let culprit = m.arg(1);
        return Err(error::domain_error(
            &mut m.heap,
            "operator_specifier",
            culprit,
        ));
    };
    for cell in operator_names(m)? {
        let cell = m.strip_module(cell);
        let symbol = m.as_atom(cell)?;
        let name = m.heap.name(symbol).to_owned();
        if let Some(operation) = forbidden_operation(m, &name, kind, priority) {
            return Err(error::permission_error(
                &mut m.heap,
                operation,
                "operator",
                cell,
            ));
        }
        m.consulted.operators.add(priority as u16, kind, &name);
    }
    Ok(true)
}

/// The third argument of `op/3`: one name, or a list of names.
fn operator_names(m: &mut Machine) -> Result<Vec<Cell>, Interruption> {
    let names = m.arg(2);
    let names = if m.heap.functor(names) == Some((atoms::DOT, 2)) {
        m.list_arg(2)?
    } else {
        vec![names]
    };
    if let &[name] = names.as_slice()
        && name.tag() != REF
        && !name.is_atom()
        && m.heap.functor(name).is_none()
    {
        return Err(error::type_error(&mut m.heap, "list", name));
    }
    Ok(names)
}

/// What a program may not do to the operators of a name, if it would do so [ISO 8.14.3.3].
fn forbidden_operation(
    m: &Machine,
    name: &str,
    kind: OperatorType,
    priority: i64,
) -> Option<&'static str> {
    let is_infix = matches!(
        kind,
        OperatorType::Xfx | OperatorType::Xfy | OperatorType::Yfx
    );
    match name {
        "," => Some("modify"),
        "[]" | "{}" => Some("create"),
        // A bar separates the tail of a list, whose elements have priorities up to 999.
        "|" if !is_infix || (priority != 0 && priority < 1001) => Some("create"),
        _ => {
            // An infix and a postfix operator of one name could not be told apart.
            let others = m.consulted.operators.lookup(name);
            let is_postfix = matches!(kind, OperatorType::Xf | OperatorType::Yf);
            let clashes =
                is_infix && others.postfix.is_some() || is_postfix && others.infix.is_some();
            (clashes && priority != 0).then_some("create")
        }
    }
}

/// `$operators(List)`: all operators as `op(Priority, Type, Name)`.
fn operators(m: &mut Machine) -> Outcome {
    let all: Vec<(String, crate::syntax::Operator)> = m
        .consulted
        .operators
        .iter()
        .map(|(name, operator)| (name.to_owned(), operator))
        .collect();
    let functor = m.heap.store.symbol("op");
    let mut cells = Vec::new();
    for (name, operator) in all {
        let priority = Cell::small(i64::from(operator.priority));
        let kind = m.heap.atom(operator.kind.name());
        let name = m.heap.atom(&name);
        cells.push(m.heap.compound(functor, &[priority, kind, name]));
    }
    let list = m.heap.list(&cells);
    m.unify_arg(0, list)
}

/// Flags that programs can only read.
const CONSTANT_FLAGS: [&str; 8] = [
    "dialect",
    "version_data",
    "bounded",
    "max_integer",
    "min_integer",
    "max_arity",
    "integer_rounding_function",
    "argv",
];

/// Flags of the standard and of SWI-Prolog that programs set and that mean nothing here.
const FLAGS_WITHOUT_EFFECT: [&str; 14] = [
    "generate_debug_info",
    "optimise",
    "verbose",
    "stack_limit",
    "gc",
    "autoload",
    "verbose_load",
    "character_escapes",
    "warn_override_implicit_import",
    "toplevel_print_anon",
    "answer_write_options",
    "table_space",
    "last_call_optimisation",
    "table_incremental",
];

/// `set_prolog_flag(Flag, Value)`
fn set_flag(m: &mut Machine) -> Outcome {
    let (flag, value) = (m.atom_arg(0)?, m.arg(1));
    if value.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let value_name = if value.is_atom() {
        m.heap.name(value.symbol()).to_owned()
    } else {
        String::new()
    };
    match (m.heap.name(flag), value_name.as_str()) {
        ("unknown", name) if let Some(unknown) = Unknown::from_name(name) => {
            m.flags.unknown = unknown;
        }
        ("double_quotes", name) if let Some(quotes) = Quotes::from_name(name) => {
            m.flags.double_quotes = quotes;
        }
        ("occurs_check", "true" | "error") => m.flags.occurs_check = true,
        ("occurs_check", "false") => m.flags.occurs_check = false,
        ("iso", "true") => m.flags.iso = true,
        ("iso", "false") => m.flags.iso = false,
        (name, _) if CONSTANT_FLAGS.contains(&name) => {
            return Err(error::permission_error(
                &mut m.heap,
                "modify",
                "flag",
                Cell::atom(flag),
            ));
        }
        ("debug" | "char_conversion", "on" | "off" | "true" | "false") => {}
        ("unknown" | "double_quotes" | "occurs_check" | "iso" | "debug" | "char_conversion", _) => {
            let culprit = m.heap.compound(atoms::PLUS, &[Cell::atom(flag), value]);
            return Err(error::domain_error(&mut m.heap, "flag_value", culprit));
        }
        (name, _) if FLAGS_WITHOUT_EFFECT.contains(&name) => {}
        _ => {
            let own = own_flag(m, flag);
            if m.recorded.contains_key(&own) {
                let record = m.heap.record(&[value]);
                m.recorded.insert(own, record);
                return Ok(true);
            }
            return Err(error::domain_error(
                &mut m.heap,
                "prolog_flag",
                Cell::atom(flag),
            ));
        }
    }
    Ok(true)
}

fn flag(m: &mut Machine) -> Outcome {
    let flag = m.atom_arg(0)?;
    let value = match m.heap.name(flag) {
        "bounded" => m.heap.atom("false"),
        "max_integer" => m.heap.integer(i64::MAX),
        "min_integer" => m.heap.integer(i64::MIN),
        "max_arity" => m.heap.atom("unbounded"),
        "integer_rounding_function" => m.heap.atom("toward_zero"),
        // What may be set without an effect is always off.
        "char_conversion" | "debug" => m.heap.atom("off"),
        "dialect" => m.heap.atom("flux"),
        "version_data" => version(m),
        "argv" => {
            let arguments = m.flags.arguments.clone();
            let cells: Vec<Cell> = arguments.iter().map(|text| m.heap.atom(text)).collect();
            m.heap.list(&cells)
        }
        "unknown" => {
            let text = m.flags.unknown.name();
            m.heap.atom(text)
        }
        "occurs_check" => truth(m, m.flags.occurs_check),
        "iso" => truth(m, m.flags.iso),
        "double_quotes" => {
            let text = m.flags.double_quotes.name();
            m.heap.atom(text)
        }
        _ => {
            let own = own_flag(m, flag);
            match m.recorded.get(&own).cloned() {
                Some(record) => m.heap.recall(&record),
                None => return Ok(false),
            }
        }
    };
    m.unify_arg(1, value)
}

/// `flux(Major, Minor, Patch, [])`
fn version(m: &mut Machine) -> Cell {
    let numbers = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ];
    let mut arguments: Vec<Cell> = numbers
        .iter()
        .map(|number| Cell::small(number.parse().unwrap_or_default()))
        .collect();
    arguments.push(Cell::atom(atoms::NIL));
    let name = m.heap.store.symbol("flux");
    m.heap.compound(name, &arguments)
}

/// The global variable that has the value of a flag of the program's own.
fn own_flag(m: &mut Machine, flag: SymbolId) -> SymbolId {
    let key = format!("$flag {}", m.heap.name(flag));
    m.heap.store.symbol(&key)
}

fn truth(m: &mut Machine, holds: bool) -> Cell {
    m.heap.atom(if holds { "true" } else { "false" })
}

fn set_global(m: &mut Machine) -> Outcome {
    let name = m.atom_arg(0)?;
    let value = m.arg(1);
    let old = m.heap.globals.get(&name).copied();
    m.heap
        .trail
        .push(Undo::Global(name, old.unwrap_or(Cell::HEADER)));
    m.heap.globals.insert(name, value);
    Ok(true)
}

fn get_global(m: &mut Machine) -> Outcome {
    let name = m.atom_arg(0)?;
    if let Some(&value) = m.heap.globals.get(&name)
        && value != Cell::HEADER
    {
        return m.unify_arg(1, value);
    }
    let Some(record) = m.recorded.get(&name).cloned() else {
        return Err(error::existence_error(
            &mut m.heap,
            "variable",
            Cell::atom(name),
        ));
    };
    let value = m.heap.recall(&record);
    m.unify_arg(1, value)
}

/// Only what does not depend on a clock.
/// `statistics(runtime, [Milliseconds, SinceLastAsked])`. All keys of time mean the time that passed.
fn time(m: &mut Machine) -> Outcome {
    let now = m.streams.environment.elapsed().as_millis() as i64;
    let before = std::mem::replace(&mut m.flags.asked_at, now);
    let list = [now, now - before].map(|value| m.heap.integer(value));
    let list = m.heap.list(&list);
    m.unify_arg(1, list)
}

fn statistics(m: &mut Machine) -> Outcome {
    let key = m.atom_arg(0)?;
    let value = match m.heap.name(key) {
        "runtime" | "system_time" | "real_time" | "walltime" => return time(m),
        "cputime" | "process_cputime" => {
            let seconds = m.streams.environment.elapsed().as_secs_f64();
            let seconds = m.heap.float(seconds);
            return m.unify_arg(1, seconds);
        }
        "inferences" => m.steps as i64,
        "atoms" => m.heap.store.symbols().names().count() as i64,
        "globalused" | "global_stack" => (m.heap.cells.len() * 8) as i64,
        "trailused" | "trail" => (m.heap.trail.len() * 16) as i64,
        "localused" | "local_stack" => (m.stack.len() * 8) as i64,
        "tables" => m.tables.variants.len() as i64,
        _ => {
            return Err(error::domain_error(
                &mut m.heap,
                "statistics_key",
                Cell::atom(key),
            ));
        }
    };
    let value = m.heap.integer(value);
    m.unify_arg(1, value)
}
