//! Characters, codes and bytes from and to streams [ISO 8.12, 8.13].

use super::definition::Builtin;
use super::definition::Effect::Binds;
use super::streams::{input, named_stream, output, text_output};
use crate::prolog::state::machine::Machine;
use crate::prolog::streams::stream::{End, EndAction};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;

pub(super) const BUILTINS: &[Builtin] = &[
    ("get_char", 1, Binds, |m| {
        get(m, 0, Unit::Character, Reading::Take)
    }),
    ("get_char", 2, Binds, |m| {
        get(m, 1, Unit::Character, Reading::Take)
    }),
    ("peek_char", 1, Binds, |m| {
        get(m, 0, Unit::Character, Reading::Peek)
    }),
    ("peek_char", 2, Binds, |m| {
        get(m, 1, Unit::Character, Reading::Peek)
    }),
    ("get_code", 1, Binds, |m| {
        get(m, 0, Unit::Code, Reading::Take)
    }),
    ("get_code", 2, Binds, |m| {
        get(m, 1, Unit::Code, Reading::Take)
    }),
    ("peek_code", 1, Binds, |m| {
        get(m, 0, Unit::Code, Reading::Peek)
    }),
    ("peek_code", 2, Binds, |m| {
        get(m, 1, Unit::Code, Reading::Peek)
    }),
    ("get_byte", 1, Binds, |m| {
        get(m, 0, Unit::Byte, Reading::Take)
    }),
    ("get_byte", 2, Binds, |m| {
        get(m, 1, Unit::Byte, Reading::Take)
    }),
    ("peek_byte", 1, Binds, |m| {
        get(m, 0, Unit::Byte, Reading::Peek)
    }),
    ("peek_byte", 2, Binds, |m| {
        get(m, 1, Unit::Byte, Reading::Peek)
    }),
    ("put_char", 1, Binds, |m| put(m, 0, Unit::Character)),
    ("put_char", 2, Binds, |m| put(m, 1, Unit::Character)),
    ("put_code", 1, Binds, |m| put(m, 0, Unit::Code)),
    ("put_code", 2, Binds, |m| put(m, 1, Unit::Code)),
    ("put_byte", 1, Binds, |m| put(m, 0, Unit::Byte)),
    ("put_byte", 2, Binds, |m| put(m, 1, Unit::Byte)),
];

/// What is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Character,
    Code,
    Byte,
}

/// Whether what is read is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Take,
    Peek,
}

fn get(m: &mut Machine, position: usize, unit: Unit, reading: Reading) -> Outcome {
    let number = match position {
        0 => m.streams.input,
        _ => input(m, 0)?,
    };
    check_target(m, position, unit)?;
    let named = (position > 0).then_some(0);
    readable(m, number, named, unit == Unit::Byte)?;
    let value = next(m, number, unit, reading);
    m.unify_arg(position, value)
}

/// The argument must be a variable or what can be read.
fn check_target(m: &mut Machine, position: usize, unit: Unit) -> Result<(), Interruption> {
    let cell = m.arg(position);
    if cell.tag() == REF {
        return Ok(());
    }
    let code = m.heap.integer_value(cell);
    let fault = match unit {
        Unit::Character => {
            let is_one = cell.is_atom()
                && (cell.symbol() == atoms::END_OF_FILE
                    || m.heap.name(cell.symbol()).chars().count() == 1);
            (!is_one).then_some("in_character")
        }
        Unit::Code => match code {
            None => Some("integer"),
            Some(code)
                if code == -1 || u32::try_from(code).is_ok_and(|c| char::from_u32(c).is_some()) =>
            {
                None
            }
            Some(_) => {
                return Err(error::representation_error(
                    &mut m.heap,
                    "in_character_code",
                ));
            }
        },
        Unit::Byte => (!code.is_some_and(|code| (-1..256).contains(&code))).then_some("in_byte"),
    };
    match fault {
        Some(expected) => Err(error::type_error(&mut m.heap, expected, cell)),
        None => Ok(()),
    }
}

/// Checks that a stream is of the kind that is read, and not behind its end.
///
/// An error names the stream as the program did: by the argument of this position, if it has one.
pub(super) fn readable(
    m: &mut Machine,
    number: usize,
    position: Option<usize>,
    wants_bytes: bool,
) -> Result<(), Interruption> {
    let Some(stream) = m.streams.open.get(&number) else {
        return Ok(());
    };
    let fault = if stream.is_binary != wants_bytes {
        Some(if wants_bytes {
            "text_stream"
        } else {
            "binary_stream"
        })
    } else if stream.end == End::Past && stream.end_action == EndAction::Error {
        Some("past_end_of_stream")
    } else {
        None
    };
    match fault {
        None => Ok(()),
        Some(kind) => {
            let culprit = named_stream(m, number, position);
            Err(error::permission_error(&mut m.heap, "input", kind, culprit))
        }
    }
}

fn next(m: &mut Machine, number: usize, unit: Unit, reading: Reading) -> Cell {
    if m.streams
        .open
        .get(&number)
        .is_some_and(|stream| stream.is_spent())
    {
        m.streams.more(number);
    }
    let Some(stream) = m.streams.open.get_mut(&number) else {
        return Cell::small(-1);
    };
    let (value, width) = if stream.is_binary {
        let byte = stream.bytes.get(stream.offset).copied();
        (byte.map(u32::from), 1)
    } else {
        let character = stream.rest().chars().next();
        (
            character.map(u32::from),
            character.map_or(0, char::len_utf8),
        )
    };
    match value {
        Some(_) if reading == Reading::Take => stream.offset += width,
        None if reading == Reading::Take => stream.end = End::Past,
        Some(_) | None => {}
    }
    match (unit, value) {
        (Unit::Character, None) => Cell::atom(atoms::END_OF_FILE),
        (Unit::Code | Unit::Byte, None) => Cell::small(-1),
        (Unit::Code | Unit::Byte, Some(value)) => Cell::small(i64::from(value)),
        (Unit::Character, Some(value)) => {
            let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            m.heap.atom(character.encode_utf8(&mut [0; 4]))
        }
    }
}

fn put(m: &mut Machine, position: usize, unit: Unit) -> Outcome {
    let stream = (position > 0).then_some(0);
    let number = match (unit, stream) {
        (Unit::Byte, Some(at)) => output(m, at)?,
        (Unit::Byte, None) => m.streams.output,
        (Unit::Character | Unit::Code, _) => {
            if let Some(at) = stream {
                output(m, at)?;
            }
            m.streams.output
        }
    };
    let cell = m.arg(position);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    match unit {
        Unit::Byte => put_byte(m, number, stream, cell),
        Unit::Character | Unit::Code => {
            let character = character(m, cell, unit)?;
            let number = text_output(m, stream)?;
            m.write_to(number, character.encode_utf8(&mut [0; 4]));
            Ok(true)
        }
    }
}

fn character(m: &mut Machine, cell: Cell, unit: Unit) -> Result<char, Interruption> {
    if unit == Unit::Code {
        let code = m.as_integer(cell)?;
        let character = u32::try_from(code).ok().and_then(char::from_u32);
        return character.ok_or_else(|| error::representation_error(&mut m.heap, "character_code"));
    }
    if let TermView::Atom(name) = m.heap.view(cell) {
        let mut characters = m.heap.name(name).chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            return Ok(character);
        }
    }
    Err(error::type_error(&mut m.heap, "character", cell))
}

fn put_byte(m: &mut Machine, number: usize, position: Option<usize>, cell: Cell) -> Outcome {
    let byte = m
        .heap
        .integer_value(cell)
        .and_then(|value| u8::try_from(value).ok());
    let Some(byte) = byte else {
        return Err(error::type_error(&mut m.heap, "byte", cell));
    };
    match m.streams.open.get_mut(&number) {
        Some(stream) if stream.is_binary => {
            stream.pending.push(byte);
            Ok(true)
        }
        _ => {
            let culprit = named_stream(m, number, position);
            Err(error::permission_error(
                &mut m.heap,
                "output",
                "text_stream",
                culprit,
            ))
        }
    }
}
