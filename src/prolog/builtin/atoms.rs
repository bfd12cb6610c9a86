//! Atoms, strings, and the characters they consist of.

use super::definition::Builtin;
use super::definition::Effect::Binds;
use super::text_form::{TextForm, make, number};
use super::text_parts::{concat, join, join_plain, split_string, sub_texts};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;

pub(super) const BUILTINS: &[Builtin] = &[
    ("atom_length", 2, Binds, |m| length(m, "atom")),
    ("string_length", 2, Binds, |m| length(m, "string")),
    ("$atom_concat", 3, Binds, |m| concat(m, TextForm::Atom)),
    ("$string_concat", 3, Binds, |m| concat(m, TextForm::Text)),
    ("$sub_atoms", 6, Binds, |m| sub_texts(m, TextForm::Atom)),
    ("$sub_strings", 6, Binds, |m| sub_texts(m, TextForm::Text)),
    ("atom_chars", 2, Binds, |m| {
        explode(m, TextForm::Atom, TextForm::Chars)
    }),
    ("atom_codes", 2, Binds, |m| {
        explode(m, TextForm::Atom, TextForm::Codes)
    }),
    ("number_codes", 2, Binds, |m| {
        explode(m, TextForm::Number, TextForm::Codes)
    }),
    ("number_chars", 2, Binds, |m| {
        explode(m, TextForm::Number, TextForm::Chars)
    }),
    ("string_chars", 2, Binds, |m| {
        explode(m, TextForm::Text, TextForm::Chars)
    }),
    ("string_codes", 2, Binds, |m| {
        explode(m, TextForm::Text, TextForm::Codes)
    }),
    ("atom_string", 2, Binds, |m| {
        explode(m, TextForm::Atom, TextForm::Text)
    }),
    ("number_string", 2, Binds, number_string),
    ("atom_number", 2, Binds, atom_number),
    ("string_to_atom", 2, Binds, |m| {
        explode(m, TextForm::Text, TextForm::Atom)
    }),
    ("text_to_string", 2, Binds, |m| convert(m, TextForm::Text)),
    ("char_code", 2, Binds, char_code),
    ("upcase_atom", 2, Binds, |m| {
        map(m, TextForm::Atom, str::to_uppercase)
    }),
    ("downcase_atom", 2, Binds, |m| {
        map(m, TextForm::Atom, str::to_lowercase)
    }),
    ("string_upper", 2, Binds, |m| {
        map(m, TextForm::Text, str::to_uppercase)
    }),
    ("string_lower", 2, Binds, |m| {
        map(m, TextForm::Text, str::to_lowercase)
    }),
    ("split_string", 4, Binds, split_string),
    ("atomic_list_concat", 2, Binds, join_plain),
    ("atomic_list_concat", 3, Binds, join),
    ("string_code", 3, Binds, string_code),
];

fn length(m: &mut Machine, expected: &str) -> Outcome {
    let cell = m.arg(0);
    if matches!(m.heap.view(cell), TermView::Compound(..)) {
        return Err(error::type_error(&mut m.heap, expected, cell));
    }
    let text = m.as_text(cell, expected)?;
    let wanted = m.arg(1);
    if wanted.tag() != REF {
        let length = m.as_nearest(wanted)?;
        if length < 0 {
            return Err(error::domain_error(
                &mut m.heap,
                "not_less_than_zero",
                wanted,
            ));
        }
    }
    let length = m.heap.integer(text.chars().count() as i64);
    m.unify_arg(1, length)
}

/// Between a text in one form and in another; the first argument decides if it is bound.
fn explode(m: &mut Machine, left: TextForm, right: TextForm) -> Outcome {
    let cell = m.arg(0);
    if cell.tag() != REF {
        if left == TextForm::Number
            && !matches!(
                m.heap.view(cell),
                TermView::Integer(_) | TermView::Float(_) | TermView::Big(_)
            )
        {
            return Err(error::type_error(&mut m.heap, "number", cell));
        }
        let text = m.as_text(cell, expected(left))?;
        if matches!(right, TextForm::Chars | TextForm::Codes) && !m.arg(1).is_text() {
            m.check_partial_list(1)?;
        }
        // A number may be given in a spelling of its own.
        if left == TextForm::Number && m.heap.is_ground(m.x[1]) {
            let given = m.arg(1);
            let given = list_text(m, given, right)?;
            let value = make(m, &given, TextForm::Number)?;
            return m.unify_arg(0, value);
        }
        let value = make(m, &text, right)?;
        return m.unify_arg(1, value);
    }
    let cell = m.arg(1);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let text = if matches!(right, TextForm::Chars | TextForm::Codes) {
        if left == TextForm::Number && !cell.is_text() {
            m.check_partial_list(1)?;
        }
        list_text(m, cell, right)?
    } else {
        m.as_text(cell, "atomic")?
    };
    let value = make(m, &text, left)?;
    m.unify_arg(0, value)
}

fn expected(form: TextForm) -> &'static str {
    match form {
        TextForm::Number => "number",
        TextForm::Text => "string",
        TextForm::Atom | TextForm::Chars | TextForm::Codes => "atom",
    }
}

/// The text of a list of characters or codes, with the errors of the standard.
fn list_text(m: &mut Machine, cell: Cell, form: TextForm) -> Result<String, Interruption> {
    // A string stands for its characters; a number or an atom is no list.
    let is_text = cell.is_text();
    let is_list = matches!(m.heap.view(cell), TermView::Compound(..));
    if (is_list || is_text)
        && cell != Cell::atom(atoms::NIL)
        && let Some(text) = m.text_of_any(cell)
    {
        return Ok(text);
    }
    let elements = m.as_list(cell)?;
    let Some(&first) = elements.first() else {
        return Ok(String::new());
    };
    // The first element says whether this is a list of codes or of characters; where it is neither, what is asked for
    // says so.
    let has_codes = m.heap.integer_value(first).is_some()
        || (form == TextForm::Codes && !(first.is_atom() && is_character(m, first)));
    let culprit = elements.into_iter().find(|&element| {
        m.heap.integer_value(element).is_some() != has_codes || !is_character(m, element)
    });
    let Some(element) = culprit else {
        return Ok(String::new());
    };
    if element.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let is_code = m.heap.integer_value(element).is_some();
    Err(match (has_codes, is_code) {
        (true, true) if form == TextForm::Codes => {
            error::representation_error(&mut m.heap, "character_code")
        }
        (true, false) => error::type_error(&mut m.heap, "integer", element),
        (_, _) => error::type_error(&mut m.heap, "character", element),
    })
}

/// Whether this is a character or the code of one.
fn is_character(m: &mut Machine, element: Cell) -> bool {
    let list = m.heap.list(&[element]);
    m.text_of_list(list).is_some()
}

fn convert(m: &mut Machine, form: TextForm) -> Outcome {
    let text = m.text_arg(0)?;
    let value = make(m, &text, form)?;
    m.unify_arg(1, value)
}

fn map(m: &mut Machine, form: TextForm, change: fn(&str) -> String) -> Outcome {
    let text = change(&m.text_arg(0)?);
    let value = make(m, &text, form)?;
    m.unify_arg(1, value)
}

fn number_string(m: &mut Machine) -> Outcome {
    let cell = m.arg(1);
    if cell.tag() != REF {
        let text = m.as_text(cell, "string")?;
        return match number(m, text.trim()) {
            Some(value) => m.unify_arg(0, value),
            None => Ok(false),
        };
    }
    explode(m, TextForm::Number, TextForm::Text)
}

fn atom_number(m: &mut Machine) -> Outcome {
    let cell = m.arg(0);
    if cell.tag() == REF {
        let value = m.arg(1);
        if value.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let text = m.as_text(value, "number")?;
        let atom = m.heap.atom(&text);
        return m.unify_arg(0, atom);
    }
    if !cell.is_atom() && !cell.is_text() {
        return Err(error::type_error(&mut m.heap, "atom", cell));
    }
    let text = m.as_text(cell, "atom")?;
    // All of the text is the number, the layout that `number_codes/2` skips included.
    if text.starts_with(char::is_whitespace) {
        return Ok(false);
    }
    match number(m, &text) {
        Some(value) => m.unify_arg(1, value),
        None => Ok(false),
    }
}

fn char_code(m: &mut Machine) -> Outcome {
    let cell = m.arg(0);
    if cell.tag() != REF {
        let name = m.as_atom(cell)?;
        let mut characters = m.heap.name(name).chars();
        return match (characters.next(), characters.next()) {
            (Some(character), None) => {
                if m.arg(1).tag() != REF {
                    m.integer_arg(1)?;
                }
                m.unify_arg(1, Cell::small(i64::from(character as u32)))
            }
            _ => Err(error::type_error(&mut m.heap, "character", cell)),
        };
    }
    let code = m.integer_arg(1)?;
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    match character {
        Some(character) => {
            let atom = m.heap.atom(character.encode_utf8(&mut [0; 4]));
            m.unify_arg(0, atom)
        }
        None => Err(error::representation_error(&mut m.heap, "character_code")),
    }
}

fn string_code(m: &mut Machine) -> Outcome {
    let index = m.integer_arg(0)?;
    let text = m.text_arg(1)?;
    if index < 1 {
        return Ok(false);
    }
    match text.chars().nth(index as usize - 1) {
        Some(character) => m.unify_arg(2, Cell::small(i64::from(character as u32))),
        None => Ok(false),
    }
}
