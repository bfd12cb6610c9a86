//! Output of terms [ISO 8.14].

use rustc_hash::FxHashMap;

use super::definition::Builtin;
use super::definition::Effect::Binds;
use super::streams::text_output;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::write::WriteOptions;
use crate::syntax::needs_quotes;

pub(super) const BUILTINS: &[Builtin] = &[
    ("write", 1, Binds, |m| write(m, None, Style::Plain)),
    ("print", 1, Binds, |m| write(m, None, Style::Quoted)),
    ("writeq", 1, Binds, |m| write(m, None, Style::Quoted)),
    ("write_canonical", 1, Binds, |m| {
        write(m, None, Style::Canonical)
    }),
    ("writeln", 1, Binds, |m| {
        write(m, None, Style::Plain)?;
        new_line(m, None)
    }),
    ("write", 2, Binds, |m| write(m, Some(0), Style::Plain)),
    ("print", 2, Binds, |m| write(m, Some(0), Style::Quoted)),
    ("writeq", 2, Binds, |m| write(m, Some(0), Style::Quoted)),
    ("write_canonical", 2, Binds, |m| {
        write(m, Some(0), Style::Canonical)
    }),
    ("writeln", 2, Binds, |m| {
        write(m, Some(0), Style::Plain)?;
        new_line(m, Some(0))
    }),
    ("nl", 0, Binds, |m| new_line(m, None)),
    ("nl", 1, Binds, |m| new_line(m, Some(0))),
    ("tab", 1, Binds, |m| tab(m, None)),
    ("tab", 2, Binds, |m| tab(m, Some(0))),
    ("write_term", 2, Binds, |m| write_term(m, None)),
    ("write_term", 3, Binds, |m| write_term(m, Some(0))),
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
            iso: self.flags.iso,
            ..WriteOptions::quoted(&self.consulted.operators)
        };
        self.heap.text_of(term, &options)
    }
}

/// The position of the argument behind the stream.
fn behind(stream: Option<usize>) -> usize {
    stream.map_or(0, |position| position + 1)
}

fn write(m: &mut Machine, stream: Option<usize>, style: Style) -> Outcome {
    let number = text_output(m, stream)?;
    let term = m.arg(behind(stream));
    let operators = &m.consulted.operators;
    let mut options = WriteOptions::quoted(operators);
    options.quoted = style != Style::Plain;
    options.iso = m.flags.iso;
    if style == Style::Canonical {
        options.ignore_operators = true;
        options.number_variables = false;
    }
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    m.write_to(number, &text);
    Ok(true)
}

fn new_line(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let number = text_output(m, stream)?;
    m.write_to(number, "\n");
    Ok(true)
}

fn tab(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let number = text_output(m, stream)?;
    let count = m.evaluate_cell(m.x[behind(stream)])?;
    let count = m.as_integer(count)?;
    m.write_to(number, &" ".repeat(count.clamp(0, 1 << 20) as usize));
    Ok(true)
}

/// What `write_term/2` was asked for.
struct Request {
    quoted: bool,
    ignore_operators: bool,
    number_variables: bool,
    names: FxHashMap<Cell, String>,
    priority: u16,
    /// What follows the term: a full stop, a line end.
    end: &'static str,
}

fn write_term(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let position = behind(stream);
    let mut request = Request {
        quoted: false,
        ignore_operators: false,
        number_variables: false,
        names: FxHashMap::default(),
        priority: 1200,
        end: "",
    };
    for option in m.list_arg(position + 1)? {
        request.add(m, option)?;
    }
    let number = text_output(m, stream)?;
    let term = m.arg(position);
    let options = WriteOptions {
        quoted: request.quoted,
        ignore_operators: request.ignore_operators,
        number_variables: request.number_variables,
        operators: &m.consulted.operators,
        names: Some(&request.names),
        priority: request.priority,
        iso: m.flags.iso,
    };
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    m.write_to(number, &text);
    m.write_to(number, request.end);
    Ok(true)
}

impl Request {
    fn add(&mut self, m: &mut Machine, option: Cell) -> Result<(), Interruption> {
        if option.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let Some((name, 1)) = m.heap.functor(option) else {
            return Err(error::domain_error(&mut m.heap, "write_option", option));
        };
        let argument = m.heap.arguments(option)[0];
        let value = m.heap.deref(argument);
        if value.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let name = m.heap.name(name).to_owned();
        let is_true = value == Cell::atom(atoms::TRUE);
        let is_switch = is_true || value == m.heap.atom("false");
        match name.as_str() {
            "variable_names" => self.names = names(m, option, value)?,
            "priority" => match m.heap.integer_value(value) {
                Some(priority) => self.priority = priority.clamp(0, 1200) as u16,
                None => return Err(error::domain_error(&mut m.heap, "write_option", option)),
            },
            "max_depth" | "spacing" | "attributes" | "blobs" | "portray_goal" => {}
            _ if !is_switch => {
                return Err(error::domain_error(&mut m.heap, "write_option", option));
            }
            "quoted" => self.quoted = is_true,
            "ignore_ops" => self.ignore_operators = is_true,
            "numbervars" => self.number_variables = is_true,
            "fullstop" if is_true => self.end = ".\n",
            "fullstop" | "nl" | "portray" | "cycles" | "character_escapes" | "portrayed"
            | "brace_terms" | "dotlists" | "partial" | "no_lists" => {}
            _ => return Err(error::domain_error(&mut m.heap, "write_option", option)),
        }
        Ok(())
    }
}

/// The variables of `variable_names(['X'=V, …])`; the first name of a variable counts.
fn names(
    m: &mut Machine,
    option: Cell,
    list: Cell,
) -> Result<FxHashMap<Cell, String>, Interruption> {
    let (elements, rest) = m.heap.read_list(list);
    if rest.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let mut names = FxHashMap::default();
    let mut is_good = rest == Cell::atom(atoms::NIL);
    for element in elements {
        if element.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let Some((name, variable)) = m.heap.binary(element, atoms::EQUALS) else {
            is_good = false;
            continue;
        };
        let (name, variable) = (m.heap.deref(name), m.heap.deref(variable));
        if name.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        if !name.is_atom() || !is_variable_name(m.heap.name(name.symbol())) {
            is_good = false;
        } else if variable.tag() == REF {
            let text = m.heap.name(name.symbol()).to_owned();
            names.entry(variable).or_insert(text);
        }
    }
    if is_good {
        Ok(names)
    } else {
        Err(error::domain_error(&mut m.heap, "write_option", option))
    }
}

/// Whether a text is read as a variable.
fn is_variable_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|first| first == '_' || first.is_uppercase())
        // Behind a small letter it would be a name: so it consists of letters, digits, underscores.
        && !needs_quotes(&format!("a{text}"))
}
