//! Output of terms and characters.

use super::Builtin;
use super::Effect::Binds;
use crate::prolog::atoms;
use crate::prolog::cell::{Cell, REF};
use crate::prolog::error::{self, Interruption, Outcome};
use crate::prolog::heap::View;
use crate::prolog::machine::Machine;
use crate::prolog::write::WriteOptions;
use rustc_hash::FxHashMap;

pub(super) const BUILTINS: &[Builtin] = &[
    ("write", 1, Binds, |m| write(m, 0, Style::Plain)),
    ("print", 1, Binds, |m| write(m, 0, Style::Quoted)),
    ("writeq", 1, Binds, |m| write(m, 0, Style::Quoted)),
    ("write_canonical", 1, Binds, |m| {
        write(m, 0, Style::Canonical)
    }),
    ("writeln", 1, Binds, |m| {
        write(m, 0, Style::Plain)?;
        new_line(m)
    }),
    ("write", 2, Binds, |m| write(m, 1, Style::Plain)),
    ("print", 2, Binds, |m| write(m, 1, Style::Quoted)),
    ("writeq", 2, Binds, |m| write(m, 1, Style::Quoted)),
    ("write_canonical", 2, Binds, |m| {
        write(m, 1, Style::Canonical)
    }),
    ("writeln", 2, Binds, |m| {
        write(m, 1, Style::Plain)?;
        new_line(m)
    }),
    ("nl", 0, Binds, new_line),
    ("nl", 1, Binds, |m| {
        stream(m, 0)?;
        new_line(m)
    }),
    ("tab", 1, Binds, |m| tab(m, 0)),
    ("tab", 2, Binds, |m| tab(m, 1)),
    ("put_char", 1, Binds, |m| put_char(m, 0)),
    ("put_char", 2, Binds, |m| put_char(m, 1)),
    ("flush_output", 0, Binds, |_| Ok(true)),
    ("flush_output", 1, Binds, |_| Ok(true)),
    ("write_term", 2, Binds, |m| write_term(m, 0)),
    ("write_term", 3, Binds, |m| write_term(m, 1)),
    ("current_output", 1, Binds, |m| {
        let name = m.heap.atom("user_output");
        m.unify_arg(0, name)
    }),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Quoted,
    Canonical,
}

impl Machine {
    /// The text of a term, quoted or not.
    pub(in crate::prolog) fn term_text(&mut self, term: Cell, quoted: bool) -> String {
        let options = WriteOptions {
            quoted,
            ..WriteOptions::quoted(&self.consulted.operators)
        };
        self.heap.text_of(term, &options)
    }
}

/// Checks a stream argument: all of them are the machine's output.
pub(super) fn stream(m: &mut Machine, position: usize) -> Result<(), Interruption> {
    let cell = m.arg(position);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    if cell.is_atom()
        && matches!(
            m.heap.name(cell.symbol()),
            "user_output" | "user_error" | "current_output" | "user"
        )
    {
        return Ok(());
    }
    if cell.is_atom() {
        Err(error::existence_error(&mut m.heap, "stream", cell))
    } else {
        Err(error::domain_error(&mut m.heap, "stream_or_alias", cell))
    }
}

fn write(m: &mut Machine, position: usize, style: Style) -> Outcome {
    if position > 0 {
        stream(m, 0)?;
    }
    let term = m.arg(position);
    let operators = &m.consulted.operators;
    let mut options = WriteOptions::quoted(operators);
    options.quoted = style != Style::Plain;
    if style == Style::Canonical {
        options.ignore_operators = true;
        options.number_variables = false;
    }
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    m.output.write(&text);
    Ok(true)
}

fn new_line(m: &mut Machine) -> Outcome {
    m.output.write("\n");
    Ok(true)
}

fn tab(m: &mut Machine, position: usize) -> Outcome {
    if position > 0 {
        stream(m, 0)?;
    }
    let count = m.evaluate_cell(m.x[position])?;
    let count = m.as_integer(count)?;
    m.output
        .write(&" ".repeat(count.clamp(0, 1 << 20) as usize));
    Ok(true)
}

fn put_char(m: &mut Machine, position: usize) -> Outcome {
    if position > 0 {
        stream(m, 0)?;
    }
    let character = m.arg(position);
    let text = match m.heap.view(character) {
        View::Atom(name) => m.heap.name(name).to_owned(),
        View::Variable(_)
        | View::Text(_)
        | View::Integer(_)
        | View::Float(_)
        | View::Compound(..) => String::new(),
    };
    if text.chars().count() != 1 {
        return Err(error::type_error(&mut m.heap, "character", character));
    }
    m.output.write(&text);
    Ok(true)
}

fn write_term(m: &mut Machine, position: usize) -> Outcome {
    if position > 0 {
        stream(m, 0)?;
    }
    let elements = m.list_arg(position + 1)?;
    let mut quoted = false;
    let mut ignore_operators = false;
    let mut number_variables = false;
    let mut priority = 1200;
    let mut names = FxHashMap::default();
    for option in elements {
        let parts = match m.heap.view(option) {
            View::Variable(_) => return Err(error::instantiation(&mut m.heap)),
            View::Compound(name, 1, first) => {
                Some((m.heap.name(name).to_owned(), m.heap.argument(first, 0)))
            }
            View::Atom(_)
            | View::Text(_)
            | View::Integer(_)
            | View::Float(_)
            | View::Compound(..) => None,
        };
        let Some((name, value)) = parts else {
            return Err(error::domain_error(&mut m.heap, "write_option", option));
        };
        if value.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let is_true = value == Cell::atom(atoms::TRUE);
        let is_switch = is_true || value == m.heap.atom("false");
        match name.as_str() {
            "quoted" | "ignore_ops" | "numbervars" if !is_switch => {
                return Err(error::domain_error(&mut m.heap, "write_option", option));
            }
            "quoted" => quoted = is_true,
            "ignore_ops" => ignore_operators = is_true,
            "numbervars" => number_variables = is_true,
            "priority" => priority = m.as_integer(value)?.clamp(0, 1200) as u16,
            "variable_names" => names = variable_names(m, value)?,
            "max_depth" | "portray" | "spacing" | "cycles" | "attributes" | "fullstop" | "nl"
            | "character_escapes" | "portrayed" | "brace_terms" | "dotlists" | "partial"
            | "no_lists" | "blobs" => {}
            _ => return Err(error::domain_error(&mut m.heap, "write_option", option)),
        }
    }
    let term = m.arg(position);
    let options = WriteOptions {
        quoted,
        ignore_operators,
        number_variables,
        operators: &m.consulted.operators,
        names: Some(&names),
        priority,
    };
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    m.output.write(&text);
    Ok(true)
}

/// The names of variables in a list of `Name = Variable`, the first name of each counts; what is no variable has none.
fn variable_names(m: &mut Machine, list: Cell) -> Result<FxHashMap<Cell, String>, Interruption> {
    let mut names = FxHashMap::default();
    for pair in m.as_list(list)? {
        if pair.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let Some((name, variable)) = m.heap.binary(pair, atoms::EQUALS) else {
            return Err(error::domain_error(&mut m.heap, "write_option", pair));
        };
        let name = m.as_atom(name)?;
        let name = m.heap.name(name).to_owned();
        if variable.tag() == REF {
            names.entry(variable).or_insert(name);
        }
    }
    Ok(names)
}
