//! The tokens of prefix GDL.
//!
//! A word is everything between white space, parentheses and comments: rule sheets in the wild
//! name things `a+b`, `x>=y`, `8-1` or `p.q`, and glue comments and parentheses to them.

use logos::Logos;

/// A token of prefix GDL, or what the token stream adds to them.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip(
    r"[ \t\r\n\x0B\x0C\u{85}\u{A0}\u{2028}\u{2029}\u{FEFF}]+",
    allow_greedy = true
))]
pub(crate) enum KifToken {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    /// `<=` on its own; `<=>` is a word.
    #[token("<=")]
    If,
    #[regex(
        r"\?[^\x00-\x20\x7F();\u{85}\u{A0}\u{2028}\u{2029}\u{FEFF}]*",
        allow_greedy = true
    )]
    Variable,
    #[regex(
        r"[^\x00-\x20\x7F();?\u{85}\u{A0}\u{2028}\u{2029}\u{FEFF}][^\x00-\x20\x7F();\u{85}\u{A0}\u{2028}\u{2029}\u{FEFF}]*",
        priority = 1,
        allow_greedy = true
    )]
    Word,
    /// From `;` to the end of the line, which may be a lone carriage return.
    #[regex(r";[^\r\n]*", allow_greedy = true)]
    Comment,
    /// Control characters, which no rule sheet contains on purpose.
    #[regex(r"[\x00-\x08\x0E-\x1F\x7F]+", allow_greedy = true)]
    Rubbish,
    /// Not written: stands where a parenthesis should have been closed.
    MissingClose,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Option<KifToken>, &str)> {
        KifToken::lexer(text)
            .spanned()
            .map(|(token, range)| (token.ok(), &text[range]))
            .collect()
    }

    #[test]
    fn words_hold_odd_characters() {
        for word in [
            "a+b", "x>=y", "-1", "p.q", "a:b_c", "<=>", "<", "=", "ünï", "a?b",
        ] {
            assert_eq!(tokens(word), [(Some(KifToken::Word), word)]);
        }
    }

    #[test]
    fn comments_end_at_any_end_of_line() {
        assert_eq!(
            tokens("a;x(\rb;y\r\nc"),
            [
                (Some(KifToken::Word), "a"),
                (Some(KifToken::Comment), ";x("),
                (Some(KifToken::Word), "b"),
                (Some(KifToken::Comment), ";y"),
                (Some(KifToken::Word), "c"),
            ]
        );
    }

    #[test]
    fn control_characters_are_one_token_a_run() {
        assert_eq!(
            tokens("a\0\u{1}b"),
            [
                (Some(KifToken::Word), "a"),
                (Some(KifToken::Rubbish), "\0\u{1}"),
                (Some(KifToken::Word), "b"),
            ]
        );
    }
}
