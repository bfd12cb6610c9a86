//! Atoms and numbers as text, quoted so that reading gives them back [ISO 6.4].

use std::fmt::Write;

use crate::syntax::needs_quotes;

/// Whether two characters side by side would be read as parts of one token.
pub(super) fn runs_together(last: char, first: char) -> bool {
    (is_alphanumeric(last) && is_alphanumeric(first))
        || (is_symbolic(last) && is_symbolic(first))
        // `0'a'` begins with a character code, and two quotes side by side are one character.
        || (first == '\'' && (is_alphanumeric(last) || last == '\''))
        || (first == '"' && last == '"')
}

pub(super) fn is_alphanumeric(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

pub(in crate::prolog) fn is_symbolic(character: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(character)
}

/// The name of the n-th variable: `A` to `Z`, then `A1` and so on.
pub(crate) fn variable_name(number: i64) -> String {
    let letter = (b'A' + (number % 26) as u8) as char;
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// An atom as it must be written to be read again.
pub(crate) fn atom_text(name: &str) -> String {
    if needs_no_quotes(name) {
        name.to_owned()
    } else {
        quoted(name, '\'')
    }
}

fn needs_no_quotes(name: &str) -> bool {
    if matches!(name, "[]" | "!" | ";" | "{}") {
        return true;
    }
    let Some(first) = name.chars().next() else {
        return false;
    };
    if !name.is_ascii() {
        return !needs_quotes(name);
    }
    if first.is_lowercase() {
        return name.chars().all(is_alphanumeric);
    }
    is_symbolic(first) && name.chars().all(is_symbolic) && name != "." && !name.starts_with("/*")
}

/// Text in quotes, with escapes.
pub(crate) fn quoted(text: &str, quote: char) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push(quote);
    for character in text.chars() {
        match character {
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\u{7}' => result.push_str("\\a"),
            '\u{8}' => result.push_str("\\b"),
            '\u{c}' => result.push_str("\\f"),
            '\u{b}' => result.push_str("\\v"),
            _ if character == quote => {
                result.push('\\');
                result.push(quote);
            }
            _ if character.is_control() => {
                // Writing to a string does not fail.
                let _ = write!(result, "\\x{:x}\\", u32::from(character));
            }
            _ => result.push(character),
        }
    }
    result.push(quote);
    result
}

/// The shortest text that reads as the same float, with a point; infinities and what is no number as in SWI-Prolog 9.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "1.5NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e15).contains(&magnitude) {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{mantissa}{point}e{exponent}");
    }
    let text = value.to_string();
    if text.contains('.') {
        text
    } else {
        format!("{text}.0")
    }
}
