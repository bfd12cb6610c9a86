//! Text to tokens, one lexer for each family of notations.
//!
//! Tokens carry no text: the parsers take it from the source by the token's place, so that lexing
//! copies nothing. A lexer never fails; what is no token of the language becomes a token that
//! says so, and the parser reports it where it stands.

mod kif;
mod prolog;

pub(crate) use kif::KifToken;
pub(crate) use prolog::PrologToken;
