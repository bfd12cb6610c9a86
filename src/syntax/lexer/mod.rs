//! Text to tokens, one lexer for each family of notations.
//!
//! Tokens carry no text: the parsers take it from the source by the token's place, so that lexing
//! copies nothing. A lexer never fails; what is no token of the language becomes a token that
//! says so, and the parser reports it where it stands.

mod kif;
mod prolog;

pub(crate) use kif::KifToken;
pub(crate) use prolog::PrologToken;

/// Whether both lexers skip a character. Other white space of Unicode is part of words, where the
/// notation allows for it at all.
pub(crate) fn is_layout(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{A0}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}'
    )
}
