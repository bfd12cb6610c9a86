//! Faults of Prolog text and infix GDL.

use crate::syntax::codes::{BAD_ESCAPE, BAD_NUMBER, EXPECTED_TERM, NOT_INFIX_GDL, OPERATOR_CLASH};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::literal::BadLiteral;
use crate::syntax::span::Span;

/// A text for messages: control characters as escape sequences.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_debug())
        } else {
            shown.push(character)
        }
    }
    shown
}

pub(crate) fn not_gdl(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(NOT_INFIX_GDL, span, message)
        .with_label("only Prolog has this")
        .with_help("the Game Description Language has symbols, integers, variables and compounds")
}

pub(crate) fn missing_term(span: Span, before: &str) -> Diagnostic {
    Diagnostic::error(
        EXPECTED_TERM,
        span,
        format!("expected a term before `{before}`"),
    )
    .with_label("a term must stand before this")
}

pub(crate) fn bad_escape(span: Span, written: &str) -> Diagnostic {
    Diagnostic::error(
        BAD_ESCAPE,
        span,
        format!("unknown escape sequence `{}`", visible(written)),
    )
    .with_label("not an escape sequence")
    .with_help("a backslash is written `\\\\`")
}

pub(crate) fn argument_too_loose(span: Span) -> Diagnostic {
    Diagnostic::error(
        OPERATOR_CLASH,
        span,
        "an argument whose operator binds less tightly than a comma",
    )
    .with_label("priority above 999")
    .with_help("put it into parentheses")
}

/// Integers of GDL have 64 bits.
pub(crate) fn integer_too_large(span: Span) -> Diagnostic {
    Diagnostic::error(BAD_NUMBER, span, "integer does not fit 64 bits").with_label("too large")
}

pub(crate) fn bad_literal(bad: BadLiteral, span: Span) -> Diagnostic {
    let (message, label) = match bad {
        BadLiteral::IntegerTooLarge => ("integer has more than a million digits", "too large"),
        BadLiteral::FloatTooLarge => ("number is too large for a float", "too large"),
        BadLiteral::Malformed | BadLiteral::Escape(_) => ("malformed number", "not a number"),
    };
    Diagnostic::error(BAD_NUMBER, span, message).with_label(label)
}
