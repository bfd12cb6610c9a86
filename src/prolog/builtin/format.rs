//! `format/1,2,3`: text with directives and column stops.
//!
//! A column stop ends a segment of the line, and what is missing to its column is put in at the
//! fill points of the segment:
//!
//! ```text
//! format("~w~t~10|~w", [ab, c])     ab________c     the fill point of `~t` takes 8 spaces
//! ```

use std::iter::Peekable;
use std::str::Chars;

use num_bigint::BigInt;
use num_traits::Signed;

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::number::Number;

pub(super) const BUILTINS: &[Builtin] = &[
    ("format", 1, Binds, |m| to_output(m, None)),
    ("format", 2, Binds, |m| to_output(m, Some(1))),
    ("format", 3, Binds, to_sink),
];

fn to_output(m: &mut Machine, arguments: Option<usize>) -> Outcome {
    let column = m.column_of(m.streams.output);
    let Some(text) = formatted(m, 0, arguments, column)? else {
        return Ok(false);
    };
    m.write_out(&text);
    Ok(true)
}

/// `format(Sink, Format, Arguments)`: a stream, `atom(A)`, `codes(List)`, `codes(List, Rest)` and their like.
fn to_sink(m: &mut Machine) -> Outcome {
    let sink = m.arg(0);
    let kind = match m.heap.functor(sink) {
        Some((name, 1 | 2)) if m.heap.name(name) != "$stream" => m.heap.name(name).to_owned(),
        _ => {
            let stream = super::streams::text_output(m, Some(0))?;
            let column = m.column_of(stream);
            let Some(text) = formatted(m, 1, Some(2), column)? else {
                return Ok(false);
            };
            m.write_to(stream, &text);
            return Ok(true);
        }
    };
    let Some(text) = formatted(m, 1, Some(2), 0)? else {
        return Ok(false);
    };
    // A goal may have written the text, and the heap is not what it was.
    let sink = m.arg(0);
    let arguments = m.heap.arguments(sink);
    let rest = arguments.get(1).copied();
    let cell = match (kind.as_str(), rest) {
        ("atom", None) => m.heap.atom(&text),
        ("string", None) => m.heap.text(&text),
        ("codes", _) => {
            let codes = text.chars().map(|c| Cell::small(i64::from(c as u32)));
            let codes: Vec<Cell> = codes.collect();
            m.heap
                .partial_list(&codes, rest.unwrap_or(Cell::atom(atoms::NIL)))
        }
        ("chars", _) => {
            let chars = text
                .chars()
                .map(|c| m.heap.atom(c.encode_utf8(&mut [0; 4])));
            let chars: Vec<Cell> = chars.collect();
            m.heap
                .partial_list(&chars, rest.unwrap_or(Cell::atom(atoms::NIL)))
        }
        _ => return Err(error::domain_error(&mut m.heap, "output_sink", sink)),
    };
    Ok(m.heap.unify(arguments[0], cell))
}

/// Columns to pad to, or repetitions, that a directive can ask for; one more digit than anybody
/// means would fill the memory.
const WIDEST: i64 = 1 << 16;

/// The text so far, and the fill points of the current column.
struct Line {
    text: String,
    /// Where the current column segment starts in `text`.
    segment: usize,
    /// Column at which the segment starts.
    start: usize,
    /// Positions in `text` at which to fill, with the fill character.
    fills: Vec<(usize, char)>,
}

/// What is left to do of a format: the line in the making, and the arguments, the next one last.
struct Formatting {
    line: Line,
    arguments: Vec<Cell>,
}

impl Line {
    fn column(&self) -> usize {
        match self.text.rfind('\n') {
            Some(end) if end >= self.segment => self.text[end + 1..].chars().count(),
            Some(_) | None => self.start + self.text[self.segment..].chars().count(),
        }
    }

    /// Pads the segment to end at a column.
    fn stop(&mut self, column: usize) {
        let missing = column.saturating_sub(self.column());
        if self.fills.is_empty() {
            self.fills.push((self.text.len(), ' '));
        }
        let count = self.fills.len();
        for (index, (position, character)) in std::mem::take(&mut self.fills)
            .into_iter()
            .enumerate()
            .rev()
        {
            // The last fill points get one more each of what does not divide evenly.
            let is_wider = index >= count - missing % count;
            let share = missing / count + usize::from(is_wider);
            let padding = character.to_string().repeat(share);
            self.text.insert_str(position, &padding);
        }
        self.start = column.max(self.column());
        self.segment = self.text.len();
    }
}

/// The text of a format, from a column on; `arguments` is the register of its arguments. None if a goal of `~@` fails.
fn formatted(
    m: &mut Machine,
    format: usize,
    arguments: Option<usize>,
    column: usize,
) -> Result<Option<String>, Interruption> {
    let format = m.text_arg(format)?;
    let mut formatting = Formatting {
        line: Line {
            text: String::new(),
            segment: 0,
            start: column,
            fills: Vec::new(),
        },
        arguments: reversed_arguments(m, arguments),
    };
    let mut characters = format.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '~' {
            formatting.line.text.push(character);
            continue;
        }
        let number = numeric_argument(m, &mut characters, &mut formatting.arguments)?;
        let Some(directive) = characters.next() else {
            return Err(format_error(m, "truncated format specification"));
        };
        if directive == '@' {
            let goal = next_argument(m, &mut formatting.arguments)?;
            let Some(written) = m.text_written_by(goal)? else {
                return Ok(None);
            };
            formatting.line.text.push_str(&written);
            // The goal may have collected garbage: the arguments are where their list is now.
            let left = formatting.arguments.len();
            formatting.arguments = reversed_arguments(m, arguments);
            formatting.arguments.truncate(left);
            continue;
        }
        apply(m, directive, number, &mut formatting)?;
    }
    if !formatting.arguments.is_empty() {
        return Err(format_error(m, "too many arguments"));
    }
    Ok(Some(formatting.line.text))
}

/// The arguments of a format, the first one last; what is no list is the one argument.
fn reversed_arguments(m: &mut Machine, position: Option<usize>) -> Vec<Cell> {
    let Some(position) = position else {
        return Vec::new();
    };
    let (mut elements, rest) = m.heap.read_list(m.x[position]);
    if rest != Cell::atom(atoms::NIL) {
        return vec![m.arg(position)];
    }
    elements.reverse();
    elements
}

/// The number between `~` and its directive: the code of a fill character (`` ~`-t ``), the next argument (`~*c`), or
/// digits (`~10|`).
fn numeric_argument(
    m: &mut Machine,
    characters: &mut Peekable<Chars<'_>>,
    arguments: &mut Vec<Cell>,
) -> Result<Option<i64>, Interruption> {
    let mut number: Option<i64> = None;
    if characters.peek() == Some(&'`') {
        characters.next();
        number = characters.next().map(|fill| i64::from(fill as u32));
    } else if characters.peek() == Some(&'*') {
        characters.next();
        let cell = next_argument(m, arguments)?;
        number = Some(m.as_integer(cell)?);
    }
    while let Some(digit) = characters.peek().and_then(|next| next.to_digit(10)) {
        let value = number.unwrap_or(0).saturating_mul(10);
        number = Some(value.saturating_add(i64::from(digit)));
        characters.next();
    }
    Ok(number)
}

fn format_error(m: &mut Machine, message: &str) -> Interruption {
    let format = m.heap.store.symbol("format");
    let text = m.heap.text(message);
    let formal = m.heap.compound(format, &[text]);
    let context = m.heap.variable();
    let ball = m.heap.compound(atoms::ERROR, &[formal, context]);
    Interruption::Throw(m.heap.record(&[ball]))
}

fn next_argument(m: &mut Machine, arguments: &mut Vec<Cell>) -> Result<Cell, Interruption> {
    match arguments.pop() {
        Some(argument) => Ok(argument),
        None => Err(format_error(m, "not enough arguments")),
    }
}

fn apply(
    m: &mut Machine,
    directive: char,
    number: Option<i64>,
    formatting: &mut Formatting,
) -> Result<(), Interruption> {
    let Formatting { line, arguments } = formatting;
    let count = number.unwrap_or(1).clamp(0, WIDEST) as usize;
    match directive {
        '~' => line.text.push('~'),
        'n' => line.text.push_str(&"\n".repeat(count)),
        't' => {
            let fill = number
                .and_then(|code| u32::try_from(code).ok())
                .and_then(char::from_u32)
                .unwrap_or(' ');
            line.fills.push((line.text.len(), fill));
        }
        '|' => {
            let column =
                number.map_or_else(|| line.column(), |column| column.clamp(0, WIDEST) as usize);
            line.stop(column);
        }
        '+' => {
            let column = line.start + number.unwrap_or(8).clamp(0, WIDEST) as usize;
            line.stop(column);
        }
        'i' => {
            next_argument(m, arguments)?;
        }
        'c' => {
            let cell = next_argument(m, arguments)?;
            let code = m.as_integer(cell)?;
            let character = u32::try_from(code).ok().and_then(char::from_u32);
            line.text
                .push_str(&character.unwrap_or(' ').to_string().repeat(count));
        }
        _ => {
            let cell = next_argument(m, arguments)?;
            let text = argument_text(m, directive, number, cell)?;
            line.text.push_str(&text);
        }
    }
    Ok(())
}

fn argument_text(
    m: &mut Machine,
    directive: char,
    number: Option<i64>,
    cell: Cell,
) -> Result<String, Interruption> {
    Ok(match directive {
        'w' | 'p' | 'q' => {
            let text = m.term_text(cell, directive != 'w');
            m.heap.stopped()?;
            text
        }
        // The list of no characters.
        's' if cell == Cell::atom(atoms::NIL) => String::new(),
        'a' | 's' => m.as_text(cell, "atomic")?,
        'd' | 'D' | 'I' => {
            let value = expression_value(m, cell)?;
            let decimals = number.unwrap_or(0).clamp(0, 40) as usize;
            match directive {
                'd' => grouped(&value, decimals, "", 3),
                'D' => grouped(&value, decimals, ",", 3),
                _ => grouped(&value, 0, "_", number.unwrap_or(3).clamp(1, 40) as usize),
            }
        }
        'e' | 'f' | 'g' => {
            let value = m.number(cell)?;
            float_text(directive, number, &value)
        }
        'r' | 'R' => {
            let value = expression_value(m, cell)?;
            let radix = match number {
                Some(radix @ 2..=36) => radix as u32,
                Some(other) => {
                    let culprit = m.heap.integer(other);
                    return Err(error::domain_error(&mut m.heap, "radix", culprit));
                }
                None => return Err(format_error(m, "no radix")),
            };
            let digits = value.to_str_radix(radix);
            if directive == 'R' {
                digits.to_uppercase()
            } else {
                digits
            }
        }
        _ => {
            if cell.tag() == REF {
                return Err(error::instantiation(&mut m.heap));
            }
            return Err(format_error(m, "unknown directive"));
        }
    })
}

/// An integer, or the value of an expression that has one.
fn expression_value(m: &mut Machine, cell: Cell) -> Result<BigInt, Interruption> {
    if m.heap.functor(cell).is_none_or(|(_, arity)| arity == 0) {
        return m.as_big_integer(cell);
    }
    let value = m.evaluate_cell(cell)?;
    m.as_big_integer(value)
}

/// An integer with a point before its last digits, and groups of so many digits told apart.
fn grouped(value: &BigInt, decimals: usize, separator: &str, size: usize) -> String {
    let digits = value.magnitude().to_string();
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(size) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    if decimals > 0 {
        text.push('.');
        text.push_str(fraction);
    }
    if value.is_negative() {
        text.insert(0, '-');
    }
    text
}

fn float_text(directive: char, number: Option<i64>, value: &Number) -> String {
    let digits = number.unwrap_or(6).clamp(0, 100) as usize;
    let whole = match value {
        Number::Integer(value) => Some(value.to_string()),
        Number::Big(value) => Some(value.to_string()),
        Number::Float(_) => None,
    };
    if let (Some(whole), 'f') = (whole, directive) {
        let zeros = "0".repeat(digits);
        let point = if digits > 0 { "." } else { "" };
        return format!("{whole}{point}{zeros}");
    }
    let value = value.as_float();
    match directive {
        'e' => {
            let text = format!("{value:.digits$e}");
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let sign = if exponent.starts_with('-') { '-' } else { '+' };
            let exponent = exponent.trim_start_matches('-');
            format!("{mantissa}e{sign}{exponent:0>2}")
        }
        'g' => value.to_string(),
        _ => format!("{value:.digits$}"),
    }
}
