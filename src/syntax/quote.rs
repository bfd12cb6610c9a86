//! Which names need quotes, and how they are quoted.
//!
//! The lexers decide: a name is bare where they read it back as the one token that it is meant to
//! be.

use std::fmt::Write;

use logos::Logos;

use crate::syntax::lexer::{KifToken, PrologToken};

/// Whether Prolog reads `atom` as this atom only in quotes.
///
/// # Examples
/// ```
/// use flux::syntax::needs_quotes;
///
/// assert!(!needs_quotes("foo") && !needs_quotes("=..") && !needs_quotes("[]"));
/// assert!(needs_quotes("Foo") && needs_quotes("a b") && needs_quotes(","));
/// ```
pub fn needs_quotes(atom: &str) -> bool {
    if matches!(atom, "[]" | "{}") {
        return false;
    }
    // A dot alone would end the clause.
    let bare = matches!(
        single_token(atom),
        Some(PrologToken::Name | PrologToken::Symbols)
    );
    !bare || atom == "."
}

/// Whether infix GDL reads `symbol` as this symbol only in quotes: all but plain words.
pub(crate) fn needs_quotes_in_infix(symbol: &str) -> bool {
    let plain = matches!(symbol.as_bytes(), [b'a'..=b'z', rest @ ..]
        if rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'));
    // Plain words are decided without the lexer, since whole sheets are printed.
    !plain && (single_token(symbol) != Some(PrologToken::Name) || matches!(symbol, "!" | ";"))
}

/// An atom in single quotes, with escape sequences where they are needed.
///
/// # Examples
/// ```
/// assert_eq!(flux::syntax::quote("it's\n"), r"'it\'s\n'");
/// ```
pub fn quote(atom: &str) -> String {
    quote_with(atom, '\'')
}

/// A text in quotes of the given kind.
pub(crate) fn quote_with(text: &str, mark: char) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(mark);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            // As SWI-Prolog writes it; a doubled quote would be read as well.
            _ if character == mark => {
                quoted.push('\\');
                quoted.push(mark);
            }
            _ if character.is_control() => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\x{:x}\\", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push(mark);
    quoted
}

/// Whether prefix GDL, which has no quotes, can spell `symbol`.
pub(crate) fn is_speakable(symbol: &str) -> bool {
    let mut lexer = KifToken::lexer(symbol);
    // One word, and all of the text.
    lexer.next() == Some(Ok(KifToken::Word)) && lexer.span() == (0..symbol.len())
}

fn single_token(text: &str) -> Option<PrologToken> {
    let mut lexer = PrologToken::lexer(text);
    let token = lexer.next()?.ok()?;
    (lexer.span() == (0..text.len())).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_quotes() {
        for bare in [
            "a", "aB_1", "é", "+", "=..", "!", ";", "[]", "{}", "/", "\\+",
        ] {
            assert!(!needs_quotes(bare), "{bare}");
        }
        for odd in [
            "", "A", "_", "1", ".", ",", "|", "a b", "/*", "a'", "%", "(", "a-b", " a",
        ] {
            assert!(needs_quotes(odd), "{odd}");
        }
        for odd in ["+", "!", ";", "8-1", "a.b", "Foo"] {
            assert!(needs_quotes_in_infix(odd), "{odd}");
        }
    }

    #[test]
    fn what_prefix_cannot_spell() {
        assert!(is_speakable("a+b") && is_speakable("'"));
        for odd in ["", "a b", "(", "?x", "<=", ";", "a;", "\n"] {
            assert!(!is_speakable(odd), "{odd}");
        }
    }
}
