//! `char_type/2` and `code_type/2` of a known character and type, as the manual of SWI-Prolog 9 has them, by the
//! properties of Unicode; `kb/system/atoms.pl` enumerates both.

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;
use crate::syntax::needs_quotes;

pub(super) const BUILTINS: &[Builtin] = &[
    ("$char_type", 2, Binds, |m| has_type(m, Form::Character)),
    ("$code_type", 2, Binds, |m| has_type(m, Form::Code)),
];

/// What characters are as arguments of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Character,
    Code,
}

/// The argument of a type.
enum Value {
    Number(u32),
    Character(char),
}

fn has_type(m: &mut Machine, form: Form) -> Outcome {
    let Some(character) = character(m)? else {
        return Ok(false);
    };
    let class = m.arg(1);
    match m.heap.view(class) {
        TermView::Atom(name) => match is_of_class(character, m.heap.name(name)) {
            Some(holds) => Ok(holds),
            None => Err(unknown(m, class)),
        },
        TermView::Compound(name, 1, first) => {
            let value = match value(character, m.heap.name(name)) {
                Some(Some(value)) => value,
                Some(None) => return Ok(false),
                None => return Err(unknown(m, class)),
            };
            let cell = match (value, form) {
                (Value::Number(number), _) => Cell::small(i64::from(number)),
                (Value::Character(character), Form::Code) => {
                    Cell::small(i64::from(character as u32))
                }
                (Value::Character(character), Form::Character) => {
                    m.heap.atom(character.encode_utf8(&mut [0; 4]))
                }
            };
            let argument = m.heap.argument(first, 0);
            Ok(m.heap.unify(argument, cell))
        }
        TermView::Variable(_) => Err(error::instantiation(&mut m.heap)),
        TermView::Text(_)
        | TermView::Integer(_)
        | TermView::Float(_)
        | TermView::Big(_)
        | TermView::Compound(..) => Err(unknown(m, class)),
    }
}

/// The character of the first argument, given as such or by its code; none for codes that are no character.
fn character(m: &mut Machine) -> Result<Option<char>, Interruption> {
    let cell = m.arg(0);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    if let Some(code) = m.heap.integer_value(cell) {
        return Ok(u32::try_from(code).ok().and_then(char::from_u32));
    }
    let text = m.text_arg(0)?;
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Ok(Some(character)),
        _ => Err(error::type_error(&mut m.heap, "character", cell)),
    }
}

fn unknown(m: &mut Machine, class: Cell) -> Interruption {
    error::domain_error(&mut m.heap, "char_type", class)
}

/// Whether a character is of the class of this name; none if there is no such class.
fn is_of_class(c: char, class: &str) -> Option<bool> {
    Some(match class {
        "alnum" => c.is_alphanumeric(),
        "alpha" => c.is_alphabetic(),
        "csym" => c.is_alphanumeric() || c == '_',
        "csymf" => c.is_alphabetic() || c == '_',
        "ascii" => c.is_ascii(),
        "white" => matches!(c, ' ' | '\t'),
        "cntrl" => c.is_control(),
        "digit" => c.is_ascii_digit(),
        "space" => is_space(c),
        "end_of_line" => matches!(c, '\n'..='\r'),
        "newline" => c == '\n',
        "period" => matches!(c, '.' | '?' | '!'),
        "quote" => matches!(c, '\'' | '"' | '`'),
        "paren" => value(c, "paren")?.is_some(),
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "graph" => is_graphic(c),
        "print" => is_graphic(c) || c == ' ',
        "punct" => is_graphic(c) && !c.is_alphanumeric(),
        "prolog_var_start" => c == '_' || c.is_uppercase(),
        "prolog_atom_start" => c.is_alphabetic() && !c.is_uppercase(),
        "prolog_identifier_continue" => c.is_alphanumeric() || c == '_',
        "prolog_symbol" => !c.is_alphanumeric() && is_symbol(c),
        _ => return None,
    })
}

/// The argument of a type with one: `upper(L)` is an upper-case letter whose lower case is L. The outer option is none if
/// there is no such type.
fn value(c: char, class: &str) -> Option<Option<Value>> {
    Some(match class {
        "digit" => c.to_digit(10).map(Value::Number),
        "xdigit" => c.to_digit(16).map(Value::Number),
        "to_lower" => Some(Value::Character(lower(c))),
        "to_upper" => Some(Value::Character(upper(c))),
        "upper" => c.is_uppercase().then(|| Value::Character(lower(c))),
        "lower" => c.is_lowercase().then(|| Value::Character(upper(c))),
        "paren" => match c {
            '(' => Some(Value::Character(')')),
            '[' => Some(Value::Character(']')),
            '{' => Some(Value::Character('}')),
            _ => None,
        },
        _ => return None,
    })
}

/// White space, but for what holds words together.
fn is_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{85}' | '\u{A0}' | '\u{2007}' | '\u{202F}')
}

fn is_graphic(c: char) -> bool {
    !c.is_control() && !is_space(c)
}

/// Whether a character is an atom without quotes; those that stand alone are none of symbols.
fn is_symbol(c: char) -> bool {
    !matches!(c, '!' | ';') && !needs_quotes(c.encode_utf8(&mut [0; 4])) || c == '.'
}

/// The lower case of a character if it is one character, else the character itself.
fn lower(c: char) -> char {
    single(c.to_lowercase()).unwrap_or(c)
}

fn upper(c: char) -> char {
    single(c.to_uppercase()).unwrap_or(c)
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}
