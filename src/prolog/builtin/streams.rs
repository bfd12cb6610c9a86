//! Opening, closing and choosing streams [ISO 8.11].

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::state::machine::Machine;
use crate::prolog::streams::environment::{Existing, FileFault};
use crate::prolog::streams::stream::{ERROR, End, EndAction, INPUT, OUTPUT, OpenMode, Stream};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;
use crate::syntax::Source;

pub(super) const BUILTINS: &[Builtin] = &[
    ("open", 3, Binds, |m| open(m, false)),
    ("open", 4, Binds, |m| open(m, true)),
    ("delete_file", 1, Binds, delete_file),
    ("open_string", 2, Binds, open_string),
    ("open_null_stream", 1, Binds, |m| {
        let term = opened(m, Stream::new(OpenMode::Append));
        m.unify_arg(0, term)
    }),
    ("close", 1, Binds, |m| close(m, false)),
    ("close", 2, Binds, |m| close(m, true)),
    ("current_input", 1, Binds, |m| current(m, Side::Input)),
    ("current_output", 1, Binds, |m| current(m, Side::Output)),
    ("set_input", 1, Binds, |m| {
        m.streams.input = input(m, 0)?;
        Ok(true)
    }),
    ("set_output", 1, Binds, |m| {
        m.streams.output = output(m, 0)?;
        Ok(true)
    }),
    ("flush_output", 0, Binds, |m| flush(m, m.streams.output)),
    ("flush_output", 1, Binds, |m| {
        let number = output(m, 0)?;
        flush(m, number)
    }),
    ("at_end_of_stream", 0, Binds, |m| at_end(m, m.streams.input)),
    ("at_end_of_stream", 1, Binds, |m| {
        let number = input(m, 0)?;
        at_end(m, number)
    }),
    ("set_stream_position", 2, Binds, set_position),
    ("$streams", 1, Binds, streams),
    ("$check_stream", 1, Binds, |m| stream(m, 0).map(|_| true)),
    ("$aliased_stream", 2, Binds, |m| match named(m, m.arg(0)) {
        Some(number) => {
            let term = m.stream_term(number);
            m.unify_arg(1, term)
        }
        None => Ok(false),
    }),
];

/// Which of the current streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

/// The stream that an argument names.
pub(super) fn stream(m: &mut Machine, position: usize) -> Result<usize, Interruption> {
    let cell = m.arg(position);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let number = if cell.is_atom() {
        named(m, cell)
    } else {
        match numbered(m, cell) {
            Some(number) => Some(number),
            None => return Err(error::domain_error(&mut m.heap, "stream_or_alias", cell)),
        }
    };
    match number.filter(|number| m.streams.open.contains_key(number)) {
        Some(number) => Ok(number),
        None => Err(error::existence_error(&mut m.heap, "stream", cell)),
    }
}

fn named(m: &Machine, cell: Cell) -> Option<usize> {
    let alias = Some(cell.symbol());
    let mut open = m.streams.open.iter();
    if let Some((&number, _)) = open.find(|(_, stream)| stream.alias == alias) {
        return Some(number);
    }
    match m.heap.name(cell.symbol()) {
        "user_input" => Some(INPUT),
        "user_output" | "user" => Some(OUTPUT),
        "user_error" => Some(ERROR),
        "current_output" => Some(m.streams.output),
        "current_input" => Some(m.streams.input),
        _ => None,
    }
}

/// The number of a stream term.
fn numbered(m: &mut Machine, cell: Cell) -> Option<usize> {
    let (name, 1) = m.heap.functor(cell)? else {
        return None;
    };
    if m.heap.name(name) != "$stream" {
        return None;
    }
    let number = m.heap.arguments(cell)[0];
    m.heap.integer_value(number).map(|number| number as usize)
}

/// The input stream that an argument names.
pub(super) fn input(m: &mut Machine, position: usize) -> Result<usize, Interruption> {
    let cell = m.arg(position);
    let is_user = cell.is_atom() && m.heap.name(cell.symbol()) == "user";
    let number = stream(m, position)?;
    match m.streams.open[&number].mode {
        OpenMode::Read => Ok(number),
        OpenMode::Write | OpenMode::Append if is_user => Ok(INPUT),
        OpenMode::Write | OpenMode::Append => Err(error::permission_error(
            &mut m.heap,
            "input",
            "stream",
            cell,
        )),
    }
}

/// The output stream that an argument names.
pub(super) fn output(m: &mut Machine, position: usize) -> Result<usize, Interruption> {
    let number = stream(m, position)?;
    if m.streams.open[&number].mode == OpenMode::Read {
        let cell = m.arg(position);
        return Err(error::permission_error(
            &mut m.heap,
            "output",
            "stream",
            cell,
        ));
    }
    Ok(number)
}

/// A stream as the program names it: by the argument of this position, or by itself.
pub(super) fn named_stream(m: &mut Machine, number: usize, position: Option<usize>) -> Cell {
    match position {
        Some(position) => m.arg(position),
        None => m.stream_term(number),
    }
}

/// An output of text: that of an argument, or the current one.
pub(super) fn text_output(m: &mut Machine, position: Option<usize>) -> Result<usize, Interruption> {
    let number = match position {
        Some(position) => output(m, position)?,
        None => m.streams.output,
    };
    if m.streams
        .open
        .get(&number)
        .is_some_and(|stream| stream.is_binary)
    {
        let culprit = named_stream(m, number, position);
        return Err(error::permission_error(
            &mut m.heap,
            "output",
            "binary_stream",
            culprit,
        ));
    }
    Ok(number)
}

fn open(m: &mut Machine, has_options: bool) -> Outcome {
    let (file, result) = (m.arg(0), m.arg(2));
    if file.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let mode = m.atom_arg(1)?;
    let mode = match m.heap.name(mode) {
        "read" => OpenMode::Read,
        "write" => OpenMode::Write,
        "append" => OpenMode::Append,
        _ => {
            let culprit = m.arg(1);
            return Err(error::domain_error(&mut m.heap, "io_mode", culprit));
        }
    };
    let mut stream = Stream::new(mode);
    if has_options {
        options(m, &mut stream)?;
    }
    if result.tag() != REF {
        return Err(error::uninstantiation(&mut m.heap, result));
    }
    let Some(path) = file_name(m, file) else {
        return Err(error::domain_error(&mut m.heap, "source_sink", file));
    };
    attach(m, &mut stream, &path).map_err(|fault| match fault {
        FileFault::Missing => error::existence_error(&mut m.heap, "source_sink", file),
        FileFault::Denied => error::permission_error(&mut m.heap, "open", "source_sink", file),
    })?;
    stream.path = Some(path);
    let term = opened(m, stream);
    m.unify_arg(2, term)
}

/// The name of a file: an atom, or a text in double quotes, whatever that is by the flag `double_quotes`.
fn file_name(m: &mut Machine, file: Cell) -> Option<String> {
    match m.heap.view(file) {
        TermView::Atom(name) | TermView::Text(name) => Some(m.heap.name(name).to_owned()),
        TermView::Compound(atoms::DOT, 2, _) => m.text_of_list(file),
        TermView::Compound(..)
        | TermView::Integer(_)
        | TermView::Float(_)
        | TermView::Big(_)
        | TermView::Variable(_) => None,
    }
}

/// `delete_file(File)`
fn delete_file(m: &mut Machine) -> Outcome {
    let file = m.arg(0);
    if file.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let Some(path) = file_name(m, file) else {
        return Err(error::type_error(&mut m.heap, "text", file));
    };
    match m.streams.environment.remove(&path) {
        Ok(()) => Ok(true),
        Err(FileFault::Missing) => Err(error::existence_error(&mut m.heap, "file", file)),
        Err(FileFault::Denied) => Err(error::permission_error(&mut m.heap, "delete", "file", file)),
    }
}

/// `open_string(Text, Stream)`
fn open_string(m: &mut Machine) -> Outcome {
    let text = m.text_arg(0)?;
    let mut stream = Stream::new(OpenMode::Read);
    stream.source = Source::new("string", text);
    let term = opened(m, stream);
    m.unify_arg(1, term)
}

/// The term of a new stream.
fn opened(m: &mut Machine, stream: Stream) -> Cell {
    let number = m.streams.next;
    m.streams.next += 1;
    m.streams.open.insert(number, stream);
    m.stream_term(number)
}

/// Loads the file of an input stream, makes that of an output stream.
fn attach(m: &mut Machine, stream: &mut Stream, path: &str) -> Result<(), FileFault> {
    if stream.mode == OpenMode::Read {
        let bytes = m.streams.environment.load(path)?;
        if stream.is_binary {
            stream.bytes = bytes;
        } else {
            stream.source = Source::new(path, String::from_utf8_lossy(&bytes).into_owned());
        }
        return Ok(());
    }
    let existing = match stream.mode {
        OpenMode::Append => Existing::Append,
        OpenMode::Read | OpenMode::Write => Existing::Replace,
    };
    m.streams.environment.store(path, &[], existing)
}

fn options(m: &mut Machine, stream: &mut Stream) -> Result<(), Interruption> {
    for option in m.list_arg(3)? {
        if option.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let bad = |m: &mut Machine| error::domain_error(&mut m.heap, "stream_option", option);
        let Some((name, 1)) = m.heap.functor(option) else {
            return Err(bad(m));
        };
        let argument = m.heap.arguments(option)[0];
        let value = m.heap.deref(argument);
        if value.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        if !value.is_atom() {
            return Err(bad(m));
        }
        let symbol = value.symbol();
        match (m.heap.name(name), m.heap.name(symbol)) {
            ("type", "binary") => stream.is_binary = true,
            ("type", "text") => stream.is_binary = false,
            ("eof_action", "error") => stream.end_action = EndAction::Error,
            ("eof_action", "eof_code") => stream.end_action = EndAction::Code,
            ("eof_action", "reset") => stream.end_action = EndAction::Reset,
            ("alias", _) => {
                if named(m, value).is_some() {
                    let kind = "source_sink";
                    return Err(error::permission_error(&mut m.heap, "open", kind, option));
                }
                stream.alias = Some(symbol);
            }
            ("reposition", "true" | "false")
            | ("encoding" | "newline" | "buffer" | "bom" | "create" | "lock" | "wait", _) => {}
            _ => return Err(bad(m)),
        }
    }
    Ok(())
}

fn close(m: &mut Machine, has_options: bool) -> Outcome {
    let mut is_forced = false;
    if has_options {
        for option in m.list_arg(1)? {
            if option.tag() == REF {
                return Err(error::instantiation(&mut m.heap));
            }
            is_forced = match m.term_text(option, true).as_str() {
                "force(true)" => true,
                "force(false)" => false,
                _ => return Err(error::domain_error(&mut m.heap, "close_option", option)),
            };
        }
    }
    let number = stream(m, 0)?;
    if !m.streams.close(number) && !is_forced {
        let culprit = m.arg(0);
        return Err(error::permission_error(
            &mut m.heap,
            "close",
            "stream",
            culprit,
        ));
    }
    Ok(true)
}

fn current(m: &mut Machine, side: Side) -> Outcome {
    let cell = m.arg(0);
    if cell.tag() != REF {
        match numbered(m, cell) {
            None => return Err(error::domain_error(&mut m.heap, "stream", cell)),
            Some(number) if !m.streams.open.contains_key(&number) => {
                return Err(error::existence_error(&mut m.heap, "stream", cell));
            }
            Some(_) => {}
        }
    }
    let number = match side {
        Side::Input => m.streams.input,
        Side::Output => m.streams.output,
    };
    let term = m.stream_term(number);
    m.unify_arg(0, term)
}

fn flush(m: &mut Machine, number: usize) -> Outcome {
    if m.streams.flush(number) {
        return Ok(true);
    }
    let culprit = m.stream_term(number);
    Err(error::permission_error(
        &mut m.heap,
        "output",
        "stream",
        culprit,
    ))
}

fn at_end(m: &mut Machine, number: usize) -> Outcome {
    let is_spent = |m: &Machine| m.streams.open.get(&number).is_none_or(Stream::is_spent);
    Ok(is_spent(m) && !m.streams.more(number))
}

fn set_position(m: &mut Machine) -> Outcome {
    let number = stream(m, 0)?;
    let position = m.arg(1);
    if position.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let offset = match m.heap.functor(position) {
        Some((name, 1)) if m.heap.name(name) == "$position" => {
            let offset = m.heap.arguments(position)[0];
            m.heap.integer_value(offset).map(|offset| offset as usize)
        }
        _ => None,
    };
    let Some(offset) = offset else {
        return Err(error::domain_error(
            &mut m.heap,
            "stream_position",
            position,
        ));
    };
    if number <= ERROR || m.streams.open[&number].mode != OpenMode::Read {
        let culprit = m.arg(0);
        return Err(error::permission_error(
            &mut m.heap,
            "reposition",
            "stream",
            culprit,
        ));
    }
    if let Some(stream) = m.streams.open.get_mut(&number) {
        stream.offset = offset;
        stream.end = End::Not;
    }
    Ok(true)
}

/// `$streams(List)`: `s(Stream, Properties)` for each open stream.
fn streams(m: &mut Machine) -> Outcome {
    let all: Vec<(usize, Stream)> = (m.streams.open.iter())
        .map(|(&number, stream)| (number, stream.clone()))
        .collect();
    let functor = m.heap.store.symbol("s");
    let mut cells = Vec::new();
    for (number, stream) in all {
        let term = m.stream_term(number);
        let properties = properties(m, number, &stream);
        let properties = m.heap.list(&properties);
        cells.push(m.heap.compound(functor, &[term, properties]));
    }
    let list = m.heap.list(&cells);
    m.unify_arg(0, list)
}

/// The properties of a stream as terms [ISO 7.10.2.13].
fn properties(m: &mut Machine, number: usize, stream: &Stream) -> Vec<Cell> {
    let is_input = stream.mode == OpenMode::Read;
    let side = m.heap.atom(if is_input { "input" } else { "output" });
    let mut cells = vec![side];
    for (name, value) in text_properties(number, stream) {
        let name = m.heap.store.symbol(name);
        let value = m.heap.atom(value);
        cells.push(m.heap.compound(name, &[value]));
    }
    if let Some(alias) = stream.alias {
        let name = m.heap.store.symbol("alias");
        cells.push(m.heap.compound(name, &[Cell::atom(alias)]));
    }
    let offset = m.heap.integer((stream.before + stream.offset) as i64);
    let wrapped = m.heap.store.symbol("$position");
    let position = m.heap.compound(wrapped, &[offset]);
    let name = m.heap.store.symbol("position");
    cells.push(m.heap.compound(name, &[position]));
    cells
}

/// Names and values of those properties whose value is an atom.
fn text_properties(number: usize, stream: &Stream) -> Vec<(&'static str, &str)> {
    let is_input = stream.mode == OpenMode::Read;
    let mode = match stream.mode {
        OpenMode::Read => "read",
        OpenMode::Write => "write",
        OpenMode::Append => "append",
    };
    let end_action = match stream.end_action {
        EndAction::Error => "error",
        EndAction::Code => "eof_code",
        EndAction::Reset => "reset",
    };
    let can_be_repositioned = is_input && number > ERROR;
    let mut texts = vec![
        ("mode", mode),
        ("type", if stream.is_binary { "binary" } else { "text" }),
        (
            "reposition",
            if can_be_repositioned { "true" } else { "false" },
        ),
        ("eof_action", end_action),
    ];
    let standard = ["user_input", "user_output", "user_error"];
    texts.extend(standard.get(number).map(|&name| ("alias", name)));
    if is_input {
        let end = match stream.end {
            End::Past => "past",
            End::Not if stream.is_spent() && number > ERROR => "at",
            End::Not => "not",
        };
        texts.push(("end_of_stream", end));
    }
    if let Some(path) = &stream.path {
        texts.push(("file_name", path));
    }
    texts
}
