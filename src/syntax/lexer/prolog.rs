//! The tokens of Prolog, and so of infix GDL.
//!
//! Two of the kinds need a look at the neighbours, which the reader takes: [`PrologToken::End`] is
//! a `.` among [`PrologToken::Symbols`] that is followed by layout, [`PrologToken::OpenGlued`] a
//! parenthesis directly behind a name.

use logos::{Lexer, Logos};

/// A token of Prolog.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip(
    r"[ \t\r\n\x0B\x0C\u{85}\u{A0}\u{2028}\u{2029}\u{FEFF}]+",
    allow_greedy = true
))]
pub(crate) enum PrologToken {
    /// A name of letters, or one of the solitary `!` and `;`.
    #[regex(r"[\p{Ll}\p{Lo}][\p{L}\p{N}\p{M}_]*", allow_greedy = true)]
    #[token("!")]
    #[token(";")]
    Name,
    /// A name of symbol characters, or of other symbols of Unicode. One that begins with `/` does not go on with `*`.
    #[regex(
        r"[+\-*\\^<>=~:.?@#&$][+\-*/\\^<>=~:.?@#&$]*",
        allow_greedy = true,
        priority = 2
    )]
    #[regex(
        r"/([+\-/\\^<>=~:.?@#&$][+\-*/\\^<>=~:.?@#&$]*)?",
        allow_greedy = true,
        priority = 2
    )]
    #[regex(r"[[\p{Sm}\p{Sc}\p{Sk}\p{So}]--[\x00-\x7F]]+", allow_greedy = true)]
    Symbols,
    /// A name in quotes, these included.
    #[token("'", |lexer| closing_quote(lexer, b'\'', PrologToken::Quoted))]
    /// Text in double quotes, these included.
    #[token("\"", |lexer| closing_quote(lexer, b'"', PrologToken::Text))]
    /// A list of character codes in back quotes, these included.
    #[token("`", |lexer| closing_quote(lexer, b'`', PrologToken::Backquoted))]
    Quoted,
    /// See [`PrologToken::Quoted`].
    Text,
    /// See [`PrologToken::Quoted`].
    Backquoted,
    #[regex(r"[\p{Lu}\p{Lt}_][\p{L}\p{N}\p{M}_]*", allow_greedy = true)]
    Variable,
    /// A number without sign.
    #[regex(r"[0-9]+(_[0-9]+)*", allow_greedy = true)]
    #[regex(
        r"[0-9]+(_[0-9]+)*(\.[0-9]+([eE][+\-]?[0-9]+)?|[eE][+\-]?[0-9]+)(Inf|NaN)?",
        allow_greedy = true
    )]
    #[regex(
        r"0x[0-9a-fA-F]+(_[0-9a-fA-F]+)*|0o[0-7]+(_[0-7]+)*|0b[01]+(_[01]+)*",
        allow_greedy = true,
        priority = 10
    )]
    #[regex(r"([2-9]|[1-3][0-9])'[0-9a-zA-Z]+", allow_greedy = true, priority = 10)]
    #[token("0'", character, priority = 20)]
    Number,
    #[token(",")]
    Comma,
    #[token("|")]
    Bar,
    #[token("(")]
    Open,
    /// A parenthesis directly behind a name: that of a compound.
    OpenGlued,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    /// The dot that ends a clause.
    End,
    #[regex(r"%[^\r\n]*", allow_greedy = true)]
    #[token("/*", block_comment)]
    Comment,
    /// A quote that is not closed on its line, up to the end of the line.
    UnclosedQuote,
    /// `/*` without `*/`, up to the end of the text.
    UnclosedComment,
    /// What no Prolog text contains.
    #[regex(r"[\x00-\x08\x0E-\x1F\x7F]+", allow_greedy = true)]
    Rubbish,
}

impl PrologToken {
    /// Whether it opens a bracket.
    pub(crate) fn opens(self) -> bool {
        matches!(
            self,
            PrologToken::Open
                | PrologToken::OpenGlued
                | PrologToken::OpenBracket
                | PrologToken::OpenBrace
        )
    }

    /// Whether it closes a bracket.
    pub(crate) fn closes(self) -> bool {
        matches!(
            self,
            PrologToken::Close | PrologToken::CloseBracket | PrologToken::CloseBrace
        )
    }

    /// What closes an opening bracket.
    pub(crate) fn partner(self) -> PrologToken {
        if self == PrologToken::OpenBracket {
            PrologToken::CloseBracket
        } else if self == PrologToken::OpenBrace {
            PrologToken::CloseBrace
        } else {
            PrologToken::Close
        }
    }
}

/// Reads up to the closing quote. A line ends inside of quotes only behind a backslash.
fn closing_quote(lexer: &mut Lexer<'_, PrologToken>, quote: u8, token: PrologToken) -> PrologToken {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            // An unclosed quote is one fault of one line, and does not take the rest of the text with it.
            b'\n' | b'\r' => break,
            b'\\' if rest[at + 1..].starts_with(b"\r\n") => at += 3,
            // `\c` skips the layout behind it, ends of lines as well.
            b'\\' if rest.get(at + 1) == Some(&b'c') => {
                let layout = rest[at + 2..].iter();
                at += 2 + layout.take_while(|byte| byte.is_ascii_whitespace()).count();
            }
            b'\\' => at += escape_length(&rest[at..]),
            // A doubled quote is a character of the text.
            _ if byte == quote && rest.get(at + 1) == Some(&quote) => at += 2,
            _ if byte == quote => {
                lexer.bump(at + 1);
                return token;
            }
            _ => at += 1,
        }
    }
    // Bytes of longer characters are never a line end or a quote, so that bytes may be compared.
    let line_end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    lexer.bump(line_end.unwrap_or(rest.len()));
    PrologToken::UnclosedQuote
}

/// The length of the escape sequence at the beginning of `bytes`, as far as it hides a quote: a
/// number may end with a backslash of its own. The character behind a backslash may be longer than
/// a byte; its other bytes are never a quote.
fn escape_length(bytes: &[u8]) -> usize {
    let digits = match bytes.get(1) {
        Some(b'x') => 2,
        Some(b'0'..=b'7') => 1,
        _ => return 2,
    };
    let end = bytes[digits..]
        .iter()
        .position(|byte| !byte.is_ascii_hexdigit())
        .map_or(bytes.len(), |length| digits + length);
    end + usize::from(bytes.get(end) == Some(&b'\\'))
}

/// Reads what follows `0'`: a character, an escape sequence, or a doubled quote.
fn character(lexer: &mut Lexer<'_, PrologToken>) -> PrologToken {
    let rest = lexer.remainder();
    let length = match rest.as_bytes() {
        // `0'\x41\` and `0'\101\`: the digits, and the backslash that closes them.
        [b'\\', b'x' | b'0'..=b'7', ..] => rest[1..]
            .find(|c: char| !c.is_ascii_hexdigit() && c != 'x')
            .map_or(rest.len(), |end| {
                end + 1 + usize::from(rest[1 + end..].starts_with('\\'))
            }),
        [b'\\', b'u', ..] => 2 + hexadecimal(&rest[2..], 4),
        [b'\\', b'U', ..] => 2 + hexadecimal(&rest[2..], 8),
        [b'\\', ..] => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        [b'\'', b'\'', ..] => 2,
        [] | [b'\n' | b'\r', ..] => 0,
        _ => rest.chars().next().map_or(0, char::len_utf8),
    };
    lexer.bump(length);
    PrologToken::Number
}

/// How many of the first characters, at most so many, are hexadecimal digits.
fn hexadecimal(text: &str, most: usize) -> usize {
    let digits = text.bytes().take(most);
    digits.take_while(u8::is_ascii_hexdigit).count()
}

fn block_comment(lexer: &mut Lexer<'_, PrologToken>) -> PrologToken {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            PrologToken::Comment
        }
        None => {
            lexer.bump(lexer.remainder().len());
            PrologToken::UnclosedComment
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Option<PrologToken>, &str)> {
        PrologToken::lexer(text)
            .spanned()
            .map(|(token, range)| (token.ok(), &text[range]))
            .collect()
    }

    #[test]
    fn each_of_these_is_one_token() {
        for (text, token) in [
            ("fooBar_1", PrologToken::Name),
            ("éa", PrologToken::Name),
            (";", PrologToken::Name),
            ("X", PrologToken::Variable),
            ("_", PrologToken::Variable),
            (":-", PrologToken::Symbols),
            ("//", PrologToken::Symbols),
            ("≤", PrologToken::Symbols),
            ("€", PrologToken::Symbols),
            ("/\\", PrologToken::Symbols),
            (r"'it''s\'\\'", PrologToken::Quoted),
            (r"'\x41\'", PrologToken::Quoted),
            ("'a\\\nb'", PrologToken::Quoted),
            ("'a \\c\n  b'", PrologToken::Quoted),
            ("\"a b\"", PrologToken::Text),
            ("`ab`", PrologToken::Backquoted),
            ("1_000", PrologToken::Number),
            ("1.5e-3", PrologToken::Number),
            ("1e10", PrologToken::Number),
            ("1.0Inf", PrologToken::Number),
            ("0xff", PrologToken::Number),
            ("0xff_ff", PrologToken::Number),
            ("0b1111_0000", PrologToken::Number),
            ("16'ff", PrologToken::Number),
            ("0'a", PrologToken::Number),
            ("0'\\n", PrologToken::Number),
            ("0'\\x41\\", PrologToken::Number),
            ("0'\\u0041", PrologToken::Number),
            ("0'''", PrologToken::Number),
            ("0'(", PrologToken::Number),
            ("/**/", PrologToken::Comment),
            ("/***/", PrologToken::Comment),
            ("/* a * / b */", PrologToken::Comment),
            ("/* a", PrologToken::UnclosedComment),
            ("'a", PrologToken::UnclosedQuote),
            ("'a\\", PrologToken::UnclosedQuote),
        ] {
            assert_eq!(tokens(text), [(Some(token), text)]);
        }
    }

    #[test]
    fn a_number_ends_before_what_does_not_belong_to_it() {
        let texts = |text| -> Vec<&str> { tokens(text).iter().map(|token| token.1).collect() };
        assert_eq!(texts("1."), ["1", "."]);
        assert_eq!(texts("1.e"), ["1", ".", "e"]);
        assert_eq!(texts("1e"), ["1", "e"]);
        assert_eq!(texts("0x"), ["0", "x"]);
        assert_eq!(texts("1.5e+"), ["1.5", "e", "+"]);
        assert_eq!(texts("1_000_"), ["1_000", "_"]);
    }
}
