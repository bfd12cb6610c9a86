//! Output of terms [ISO 8.14].

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashMap;

use super::definition::Builtin;
use super::definition::Effect::Binds;
use super::streams::text_output;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::lexical::{is_symbolic, variable_name};
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
    ("$term_hash", 2, Binds, term_hash),
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
    let mut names = FxHashMap::default();
    if style == Style::Canonical {
        names = canonical_names(m, term);
    }
    let mut options = WriteOptions::quoted(&m.consulted.operators);
    options.quoted = style != Style::Plain;
    options.iso = m.flags.iso;
    if style == Style::Canonical {
        options.ignore_operators = true;
        options.number_variables = false;
        options.names = Some(&names);
    }
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    m.write_to(number, &text);
    Ok(true)
}

/// `$term_hash(Term, Hash)`: a number of 60 bits, the same for variants and for no other terms but by accident.
fn term_hash(m: &mut Machine) -> Outcome {
    let term = m.arg(0);
    let names = canonical_names(m, term);
    let operators = &m.consulted.operators;
    let options = WriteOptions {
        ignore_operators: true,
        number_variables: false,
        names: Some(&names),
        ..WriteOptions::quoted(operators)
    };
    let text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    // Of the text, since numbers of atoms differ from run to run.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let hash = m.heap.integer((hasher.finish() >> 4) as i64);
    m.unify_arg(1, hash)
}

/// `_` for variables that occur once, `A`, `B`, … for others, in the order in which they occur.
fn canonical_names(m: &mut Machine, term: Cell) -> FxHashMap<Cell, String> {
    let once = m.heap.singletons(term);
    let mut names: FxHashMap<Cell, String> =
        once.iter().map(|&cell| (cell, "_".to_owned())).collect();
    let mut variables = m.heap.variables(&[term]);
    variables.retain(|variable| !names.contains_key(variable));
    names.extend(variables.into_iter().zip((0..).map(variable_name)));
    names
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
    spaced: bool,
    max_depth: usize,
    /// What follows the term: a full stop, a line end.
    full_stop: bool,
    new_line: bool,
}

fn write_term(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let position = behind(stream);
    let mut request = Request {
        quoted: false,
        ignore_operators: false,
        number_variables: false,
        names: FxHashMap::default(),
        priority: 1200,
        spaced: false,
        max_depth: 0,
        full_stop: false,
        new_line: false,
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
        spaced: request.spaced,
        max_depth: request.max_depth,
    };
    let mut text = m.heap.text_of(term, &options);
    m.heap.stopped()?;
    if request.full_stop {
        // A dot behind symbol characters would belong to them.
        let glues = text.chars().last().is_some_and(is_symbolic);
        text.push_str(if glues { " ." } else { "." });
    }
    match (request.new_line, request.full_stop) {
        (true, _) => text.push('\n'),
        // The dot ends the term only in front of layout.
        (false, true) => text.push(' '),
        (false, false) => {}
    }
    m.write_to(number, &text);
    Ok(true)
}

impl Request {
    fn add(&mut self, m: &mut Machine, option: Cell) -> Result<(), Interruption> {
        if option.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let Some((name, 1)) = m.heap.functor(option) else {
            return Err(refused(m, option));
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
                None => return Err(refused(m, option)),
            },
            "spacing" => self.spaced = value == m.heap.atom("next_argument"),
            "max_depth" => match m.heap.integer_value(value).map(usize::try_from) {
                Some(Ok(depth)) => self.max_depth = depth,
                Some(Err(_)) | None => return Err(refused(m, option)),
            },
            "attributes" | "blobs" | "portray_goal" => {}
            _ if !is_switch => return Err(refused(m, option)),
            "quoted" => self.quoted = is_true,
            "ignore_ops" => self.ignore_operators = is_true,
            "numbervars" => self.number_variables = is_true,
            "fullstop" => self.full_stop = is_true,
            "nl" => self.new_line = is_true,
            "portray" | "cycles" | "character_escapes" | "portrayed" | "brace_terms"
            | "dotlists" | "partial" | "no_lists" => {}
            _ => return Err(refused(m, option)),
        }
        Ok(())
    }
}

/// The error of something that is no option of `write_term/2`, or has no value of one.
fn refused(m: &mut Machine, option: Cell) -> Interruption {
    error::domain_error(&mut m.heap, "write_option", option)
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
        Err(refused(m, option))
    }
}

/// Whether a text is read as a variable.
fn is_variable_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|first| first == '_' || first.is_uppercase())
        // Behind a small letter it would be a name: so it consists of letters, digits, underscores.
        && !needs_quotes(&format!("a{text}"))
}
