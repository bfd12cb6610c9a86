//! Texts as terms: atoms, strings, numbers, lists of characters or codes.

use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::{self, Interruption};
use crate::syntax::{Node, PrologReader, Source};

/// What a text becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextForm {
    Atom,
    Text,
    Number,
    Chars,
    Codes,
}

pub(super) fn make(m: &mut Machine, text: &str, form: TextForm) -> Result<Cell, Interruption> {
    Ok(match form {
        TextForm::Atom => m.heap.atom(text),
        TextForm::Text => m.heap.text(text),
        TextForm::Number => match number(m, text) {
            Some(cell) => cell,
            None => return Err(error::syntax_error(&mut m.heap, "illegal_number")),
        },
        TextForm::Chars => {
            let cells: Vec<Cell> = text
                .chars()
                .map(|character| m.heap.atom(character.encode_utf8(&mut [0; 4])))
                .collect();
            m.heap.list(&cells)
        }
        TextForm::Codes => {
            let cells: Vec<Cell> = text
                .chars()
                .map(|character| Cell::small(i64::from(character as u32)))
                .collect();
            m.heap.list(&cells)
        }
    })
}

/// The number that a text writes, in the syntax of Prolog.
pub(super) fn number(m: &mut Machine, text: &str) -> Option<Cell> {
    let trimmed = text.trim_start();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    if !digits.starts_with(|character: char| character.is_ascii_digit()) {
        return match digits {
            "inf" | "infinite" => Some(m.heap.float(if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            })),
            "nan" => Some(m.heap.float(f64::NAN)),
            _ => None,
        };
    }
    let sign = if negative { "-" } else { "" };
    let source = Source::new("number", format!("{sign}{digits} ."));
    if digits.ends_with(char::is_whitespace) {
        return None;
    }
    let mut reader = PrologReader::new(&source);
    reader.set_strict(m.flags.iso);
    let Some(Ok(node)) = reader.next_term(&m.consulted.operators) else {
        return None;
    };
    match reader.document().node(node) {
        Node::Integer(value) => Some(m.heap.integer(value)),
        Node::Float(value) => Some(m.heap.float(value)),
        Node::Big(name) => {
            let value = reader.document().name(&source, name).parse().ok()?;
            Some(m.heap.big_integer(&value))
        }
        Node::Variable(_) | Node::Symbol(_) | Node::Text(_) | Node::Compound { .. } => None,
    }
}
