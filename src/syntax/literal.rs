//! The values of Prolog's numbers and quoted texts.
//!
//! Source: [ISO] 6.4.2–6.4.4, with the escape sequences, digit groups and special floats of
//! SWI-Prolog 9.

use std::borrow::Cow;

use num_bigint::BigInt;

use crate::syntax::prolog_tokens::Dialect;
use crate::syntax::span::Span;

/// More digits than this are an error: reading them takes time in their square.
const MOST_DIGITS: usize = 1_000_000;

/// Value of a number token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NumberLiteral {
    Integer(i64),
    /// An integer beyond 64 bits, as decimal digits behind its sign.
    Big(String),
    Float(f64),
}

/// Why a literal has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLiteral {
    /// An integer of more than [`MOST_DIGITS`] digits.
    IntegerTooLarge,
    /// A float that is larger than all floats.
    FloatTooLarge,
    /// `0'` without a character, or a digit that the radix does not have.
    Malformed,
    /// An escape sequence that is none; the span is relative to the text of the literal.
    Escape(Span),
}

/// The value of a number as it is written, with a minus sign if `negative`.
pub(crate) fn number(
    written: &str,
    negative: bool,
    dialect: Dialect,
) -> Result<NumberLiteral, BadLiteral> {
    if let Some(character) = written.strip_prefix("0'") {
        let code = character_code(character, dialect)?;
        return Ok(NumberLiteral::Integer(signed(i64::from(code), negative)));
    }
    // `0xff`, `16'ff`: the lexer takes any letters, so that a wrong digit is one fault and not two tokens.
    let written = if written.contains('_') {
        Cow::Owned(written.replace('_', ""))
    } else {
        Cow::Borrowed(written)
    };
    if let Some((radix, digits)) = radix(&written) {
        if !digits.chars().all(|digit| digit.is_digit(radix)) {
            return Err(BadLiteral::Malformed);
        }
        return integer(digits, radix, negative);
    }
    if written.bytes().all(|byte| byte.is_ascii_digit()) {
        return integer(&written, 10, negative);
    }
    float(&written, negative)
}

fn integer(digits: &str, radix: u32, negative: bool) -> Result<NumberLiteral, BadLiteral> {
    if let Ok(magnitude) = i64::from_str_radix(digits, radix) {
        return Ok(NumberLiteral::Integer(signed(magnitude, negative)));
    }
    if digits.len() > MOST_DIGITS {
        return Err(BadLiteral::IntegerTooLarge);
    }
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix).ok_or(BadLiteral::Malformed)?;
    let value = if negative { -magnitude } else { magnitude };
    // -2^63 has a magnitude that does not fit, and fits.
    Ok(match i64::try_from(&value) {
        Ok(value) => NumberLiteral::Integer(value),
        Err(_) => NumberLiteral::Big(value.to_string()),
    })
}

fn signed(magnitude: i64, negative: bool) -> i64 {
    if negative { -magnitude } else { magnitude }
}

fn float(digits: &str, negative: bool) -> Result<NumberLiteral, BadLiteral> {
    let sign = if negative { -1.0 } else { 1.0 };
    if digits.ends_with("Inf") {
        // `inf` and `nan` are written `1.0Inf`, `1.5NaN`, so that they are no atoms.
        return Ok(NumberLiteral::Float(sign * f64::INFINITY));
    }
    if digits.ends_with("NaN") {
        return Ok(NumberLiteral::Float(f64::NAN));
    }
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(NumberLiteral::Float(sign * value)),
        // Parsing gives an infinity for what is too large.
        Ok(_) => Err(BadLiteral::FloatTooLarge),
        Err(_) => Err(BadLiteral::Malformed),
    }
}

/// Radix and digits of `0xff`, `0o7`, `0b1` and `16'ff`.
fn radix(written: &str) -> Option<(u32, &str)> {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = written.strip_prefix(prefix) {
            return Some((radix, digits));
        }
    }
    let (radix, digits) = written.split_once('\'')?;
    let radix = radix
        .parse()
        .ok()
        .filter(|radix| (2..=36).contains(radix))?;
    Some((radix, digits))
}

fn character_code(written: &str, dialect: Dialect) -> Result<u32, BadLiteral> {
    let decoded = match written {
        "''" | "'" => Cow::Borrowed("'"),
        _ => unescape(written, '\'', dialect)?,
    };
    let mut characters = decoded.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Ok(u32::from(character)),
        _ => Err(BadLiteral::Malformed),
    }
}

/// The text between quotes: escape sequences and doubled quotes replaced. Borrowed if there are
/// none.
pub(crate) fn unescape(
    inner: &str,
    quote: char,
    dialect: Dialect,
) -> Result<Cow<'_, str>, BadLiteral> {
    if dialect == Dialect::IsoProlog
        && let Some(fault) = beyond_iso(inner)
    {
        return Err(BadLiteral::Escape(fault));
    }
    if !inner.contains(['\\', quote]) {
        return Ok(Cow::Borrowed(inner));
    }
    let mut decoded = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find(['\\', quote]) {
        decoded.push_str(&rest[..at]);
        let special = &rest[at..];
        if special.starts_with(quote) {
            decoded.push(quote);
            // The lexer lets a quote stand inside only doubled.
            rest = &special[(2 * quote.len_utf8()).min(special.len())..];
            continue;
        }
        let (character, length) = escape(special).ok_or_else(|| {
            let start = (inner.len() - special.len()) as u32;
            let shown = special.chars().take(2).map(char::len_utf8).sum::<usize>();
            BadLiteral::Escape(Span::new(start, start + shown as u32))
        })?;
        decoded.extend(character);
        rest = &special[length..];
    }
    decoded.push_str(rest);
    Ok(Cow::Owned(decoded))
}

/// The first place between quotes that the standard ([ISO] 6.4.2.1) does not have: a control
/// character, an escape sequence that only SWI-Prolog has, a number without closing backslash.
fn beyond_iso(inner: &str) -> Option<Span> {
    let mut rest = inner;
    loop {
        let at = rest.find(|character: char| character == '\\' || character.is_control())?;
        let special = &rest[at..];
        let start = (inner.len() - special.len()) as u32;
        let mut characters = special.chars();
        let (first, kind) = (characters.next(), characters.next());
        let shown = special.chars().take(2).map(char::len_utf8).sum::<usize>() as u32;
        let length = match (first, kind) {
            (Some('\\'), Some('x' | '0'..='7')) => {
                let closing = special[1..].find('\\').map(|length| length + 2);
                // The standard closes the digits by a backslash, and nothing else may stand in front of it.
                closing.filter(|&end| numeric_length(special) == end)
            }
            (Some('\\'), Some('\r')) if special[2..].starts_with('\n') => Some(3),
            (Some('\\'), Some(kind)) => ISO_ESCAPES.contains(kind).then_some(2),
            _ => None,
        };
        match length {
            Some(length) => rest = &special[length..],
            None => return Some(Span::new(start, start + shown)),
        }
    }
}

/// What may follow a backslash in the standard, numbers aside.
const ISO_ESCAPES: &str = "abfnrtv\\'\"`\n";

/// The length of a numeric escape sequence.
fn numeric_length(sequence: &str) -> usize {
    let (start, radix) = match sequence.as_bytes().get(1) {
        Some(b'x') => (2, 16),
        _ => (1, 8),
    };
    numeric(sequence, start, radix).map_or(0, |(_, length)| length)
}

/// The character of an escape sequence, if it gives one, and the length of the sequence.
fn escape(sequence: &str) -> Option<(Option<char>, usize)> {
    let kind = sequence[1..].chars().next()?;
    let simple = |character| Some((Some(character), 1 + kind.len_utf8()));
    match kind {
        'n' => simple('\n'),
        't' => simple('\t'),
        'r' => simple('\r'),
        'a' => simple('\u{7}'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{C}'),
        'v' => simple('\u{B}'),
        'e' => simple('\u{1B}'),
        's' => simple(' '),
        '\\' | '\'' | '"' | '`' => simple(kind),
        '\r' if sequence[2..].starts_with('\n') => Some((None, 3)),
        '\n' | '\r' => Some((None, 2)),
        // `\c` skips the layout behind it, ends of lines as well.
        'c' => {
            let rest = &sequence[2..];
            Some((None, 2 + rest.len() - rest.trim_start().len()))
        }
        'x' => numeric(sequence, 2, 16),
        '0'..='7' => numeric(sequence, 1, 8),
        'u' => fixed(sequence, 4),
        'U' => fixed(sequence, 8),
        _ => None,
    }
}

/// `\x41\` and `\101\`: digits and an optional closing backslash.
fn numeric(sequence: &str, start: usize, radix: u32) -> Option<(Option<char>, usize)> {
    let digits = &sequence[start..];
    let length = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let code = u32::from_str_radix(&digits[..length], radix).ok()?;
    // The standard asks for the closing backslash, SWI-Prolog reads on without it.
    let closing = usize::from(digits[length..].starts_with('\\'));
    Some((Some(char::from_u32(code)?), start + length + closing))
}

/// `\u0041` and `\U00000041`: exactly so many digits.
fn fixed(sequence: &str, count: usize) -> Option<(Option<char>, usize)> {
    let digits = sequence.get(2..2 + count)?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((Some(char::from_u32(code)?), 2 + count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let integers = [
            ("1_000", 1000),
            ("0xff", 255),
            ("0o17", 15),
            ("0b101", 5),
            ("16'Ff", 255),
            ("0'a", 97),
            ("0'\\n", 10),
            ("0'''", 39),
            ("0'\\x41\\", 65),
            ("007", 7),
        ];
        for (written, value) in integers {
            assert_eq!(
                number(written, false, Dialect::Prolog),
                Ok(NumberLiteral::Integer(value)),
                "{written}"
            );
        }
        assert_eq!(
            number("1.5e3", true, Dialect::Prolog),
            Ok(NumberLiteral::Float(-1500.0))
        );
        assert_eq!(
            number("9223372036854775808", true, Dialect::Prolog),
            Ok(NumberLiteral::Integer(i64::MIN))
        );
        for (written, digits) in [
            ("9223372036854775808", "9223372036854775808"),
            ("0xffff_ffff", "4294967295"),
            ("0x10000000000000000", "18446744073709551616"),
        ] {
            let expected = match digits.parse() {
                Ok(value) => NumberLiteral::Integer(value),
                Err(_) => NumberLiteral::Big(digits.to_owned()),
            };
            assert_eq!(
                number(&written.replace('_', ""), false, Dialect::Prolog),
                Ok(expected)
            );
        }
        assert_eq!(
            number(&"9".repeat(MOST_DIGITS + 1), false, Dialect::Prolog),
            Err(BadLiteral::IntegerTooLarge)
        );
        assert_eq!(
            number("1e999", false, Dialect::Prolog),
            Err(BadLiteral::FloatTooLarge)
        );
        assert_eq!(
            number("2'3", false, Dialect::Prolog),
            Err(BadLiteral::Malformed)
        );
        assert_eq!(
            number("0'", false, Dialect::Prolog),
            Err(BadLiteral::Malformed)
        );
    }

    #[test]
    fn escapes() {
        for (inner, decoded) in [
            ("it''s", "it's"),
            (r"a\nb", "a\nb"),
            (r"\x41\\101\", "AA"),
            ("a\\\nb", "ab"),
            ("a\\\r\nb", "ab"),
            (r"\\\'", r"\'"),
            (r"\u00e9", "é"),
        ] {
            assert_eq!(
                unescape(inner, '\'', Dialect::Prolog).as_deref(),
                Ok(decoded),
                "{inner}"
            );
        }
        assert_eq!(
            unescape(r"ab\qc", '\'', Dialect::Prolog),
            Err(BadLiteral::Escape(Span::new(2, 4)))
        );
        assert!(unescape(r"\x110000\", '\'', Dialect::Prolog).is_err());
    }
}
