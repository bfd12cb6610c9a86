//! The tokens of Prolog text, one clause at a time.
//!
//! A chunk is what stands between two ends: one clause of Prolog, but possibly many sentences of
//! infix GDL, where the final dot may be absent.

use std::collections::VecDeque;
use std::ops::Range;

use logos::Lexer;

use crate::syntax::codes::{RUBBISH, TOO_DEEP, UNCLOSED_COMMENT, UNCLOSED_QUOTE};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::{Faults, MAX_DEPTH};
use crate::syntax::lexer::PrologToken;
use crate::syntax::span::Span;

/// Which language the tokens are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Prolog as SWI-Prolog 9 reads it.
    Prolog,
    /// Prolog as the standard has it, and nothing beyond.
    IsoProlog,
    /// Infix GDL: Prolog's tokens, few of its operators, and no need of a final dot.
    InfixGdl,
}

impl Dialect {
    /// Whether a fault spoils all of a chunk, which is one clause.
    fn is_prolog(self) -> bool {
        matches!(self, Dialect::Prolog | Dialect::IsoProlog)
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: PrologToken,
    pub(crate) span: Span,
}

/// The tokens up to an end.
pub(crate) struct Chunk {
    pub(crate) tokens: Vec<Token>,
    /// The final dot; `None` at the end of the text.
    pub(crate) end: Option<Span>,
    /// Something in it cannot be read; that was reported.
    pub(crate) spoiled: bool,
}

/// Cuts a text into chunks.
pub(crate) struct Chunks<'s> {
    text: &'s str,
    pub(crate) dialect: Dialect,
    lexer: Lexer<'s, PrologToken>,
    /// What the lexer found last, comments included.
    last: Option<PrologToken>,
    /// Tokens that were read ahead or split off.
    ahead: VecDeque<Token>,
    pub(crate) comments: Vec<Span>,
}

impl<'s> Chunks<'s> {
    /// The chunks of `text` behind `offset`.
    pub(crate) fn new(text: &'s str, offset: u32, dialect: Dialect) -> Self {
        let mut lexer = Lexer::new(text);
        if text.is_char_boundary(offset as usize) {
            lexer.bump(offset as usize);
        }
        Self {
            text,
            dialect,
            lexer,
            last: None,
            ahead: VecDeque::new(),
            comments: Vec::new(),
        }
    }

    /// The next chunk; `None` at the end of the text. Empty chunks (two dots in a row) are given
    /// with their end.
    pub(crate) fn next(&mut self, faults: &mut Faults) -> Option<Chunk> {
        let mut chunk = Chunk {
            tokens: Vec::new(),
            end: None,
            spoiled: false,
        };
        let mut depth = 0_usize;
        while let Some(token) = self.token() {
            if token.kind == PrologToken::End {
                chunk.end = Some(token.span);
                break;
            }
            if token.kind == PrologToken::UnclosedQuote {
                faults.push(unclosed_quote(self.text, token.span));
                // Where the quote should have ended is unknown; the rest of the clause says nothing.
                self.skip_clause();
                self.drop_last_sentence(&mut chunk);
                return Some(chunk);
            }
            if token.kind == PrologToken::UnclosedComment {
                faults.push(unclosed_comment(token.span));
                chunk.spoiled = self.dialect.is_prolog();
                continue;
            }
            if token.kind == PrologToken::Rubbish {
                faults.push(rubbish(self.text, token.span));
                chunk.spoiled |= self.dialect.is_prolog();
                continue;
            }
            if token.kind.opens() {
                depth += 1;
            } else if token.kind.closes() {
                depth = depth.saturating_sub(1);
            }
            if depth > MAX_DEPTH {
                faults.push(too_deep(token.span));
                // The text is given up, since all that follows is nested as deep.
                self.lexer.bump(self.lexer.remainder().len());
                chunk.spoiled = true;
                return Some(chunk);
            }
            chunk.tokens.push(token);
        }
        let nothing = chunk.tokens.is_empty() && chunk.end.is_none() && !chunk.spoiled;
        (!nothing).then_some(chunk)
    }

    /// The offset behind the last token that was read.
    pub(crate) fn offset(&self) -> u32 {
        match self.ahead.front() {
            // What was read ahead belongs to the next clause, and whoever goes on from here has to read it again.
            Some(token) => token.span.start,
            None => self.lexer.span().end as u32,
        }
    }

    /// The next token that is not a comment, of its final kind.
    fn token(&mut self) -> Option<Token> {
        if let Some(token) = self.ahead.pop_front() {
            return Some(token);
        }
        let before = self.lexer.span().end;
        let glued_to_name = self.ends_in_name(before);
        loop {
            let kind = self.lexer.next()?.unwrap_or(PrologToken::Rubbish);
            let kind = self.bracket_name(kind);
            self.last = Some(kind);
            let range = self.lexer.span();
            let range = if self.dialect == Dialect::IsoProlog && kind == PrologToken::Number {
                self.cut(range)
            } else {
                range
            };
            let span = Span::new(range.start as u32, range.end as u32);
            if kind == PrologToken::Comment {
                self.comments.push(span);
                continue;
            }
            let is_symbols = kind == PrologToken::Symbols;
            let kind = if kind == PrologToken::Open && glued_to_name && range.start == before {
                // `f(x)` is a compound, `f (x)` a name and a group.
                PrologToken::OpenGlued
            } else if is_symbols && self.is_end(range.end) {
                PrologToken::End
            } else if is_symbols && self.dialect == Dialect::InfixGdl {
                return Some(self.split_symbols(span));
            } else {
                kind
            };
            return Some(Token { kind, span });
        }
    }

    /// The part of a number that is one in the standard; the lexer goes on behind it.
    fn cut(&mut self, range: Range<usize>) -> Range<usize> {
        let end = range.start + iso_length(&self.text[range.clone()]);
        if end < range.end {
            // A lexer cannot go back: a new one is put behind the shorter number.
            self.lexer = Lexer::new(self.text);
            self.lexer.bump(end);
        }
        range.start..end
    }

    /// Takes `{}` and `[]` directly before a parenthesis for the name of a compound, with layout within, too: `[ ](X)`.
    fn bracket_name(&mut self, kind: PrologToken) -> PrologToken {
        let closing = if kind == PrologToken::OpenBrace {
            "}("
        } else if kind == PrologToken::OpenBracket {
            "]("
        } else {
            return kind;
        };
        let rest = self.lexer.remainder();
        let behind_layout = rest.trim_ascii_start();
        if self.dialect == Dialect::InfixGdl || !behind_layout.starts_with(closing) {
            return kind;
        }
        self.lexer.bump(rest.len() - behind_layout.len() + 1);
        PrologToken::Name
    }

    /// Whether the text before `offset` is a name, so that a parenthesis at `offset` is glued to
    /// it. The operators of infix GDL are never names of relations.
    fn ends_in_name(&self, offset: usize) -> bool {
        let symbols = |byte: u8| b"+-*/\\^<>=~:.?@#&$;!".contains(&byte);
        match self.lexer.slice().as_bytes() {
            _ if offset == 0 => false,
            [first, ..] if symbols(*first) => self.dialect.is_prolog(),
            [b'\'', ..] => true,
            // The atom `{}` as a functor.
            [b'}'] => self.dialect.is_prolog() && self.text[..offset].ends_with("{}"),
            _ => self.last == Some(PrologToken::Name),
        }
    }

    /// Whether the symbols that were just read and end at `end` are the dot that ends a clause.
    fn is_end(&self, end: usize) -> bool {
        let follows = self.text.as_bytes().get(end);
        self.lexer.slice() == "."
            // Infix GDL has no other use for a dot: `p(a).p(b).` is two sentences. In Prolog `a.b` is no end.
            && (self.dialect == Dialect::InfixGdl
                || follows.is_none_or(|&byte| byte.is_ascii_whitespace() || byte == b'%'))
    }

    /// Takes apart what Prolog reads as one name but infix GDL as several operators: `&~`.
    fn split_symbols(&mut self, span: Span) -> Token {
        const OPERATORS: [&str; 6] = [":-", "<=", "\\=", "\\+", "&", "~"];
        let whole = Token {
            kind: PrologToken::Symbols,
            span,
        };
        let text = &self.text[span.range()];
        let mut parts = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = match OPERATORS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => sign.len(),
                // The minus sign of a number, or the final dot.
                None if matches!(rest, "-" | ".") => 1,
                None => return whole,
            };
            let start = span.start + at as u32;
            parts.push(Token {
                kind: match &rest[..length] {
                    "." => PrologToken::End,
                    _ => PrologToken::Symbols,
                },
                span: Span::new(start, start + length as u32),
            });
            at += length;
        }
        self.ahead.extend(parts);
        self.ahead.pop_front().unwrap_or(whole)
    }

    /// Gives up the sentence at the end of a chunk. In Prolog that is the chunk; in infix GDL the
    /// sentence probably begins in column 1.
    fn drop_last_sentence(&self, chunk: &mut Chunk) {
        let last = chunk
            .tokens
            .iter()
            .rposition(|token| in_column_1(self.text, token.span.start));
        chunk.tokens.truncate(last.unwrap_or(0));
        chunk.spoiled = self.dialect.is_prolog() || chunk.tokens.is_empty();
    }

    /// Skips what belongs to the clause that is being read: up to its end, or to a token in
    /// column 1.
    fn skip_clause(&mut self) {
        while let Some(token) = self.token() {
            if token.kind == PrologToken::End {
                return;
            }
            if in_column_1(self.text, token.span.start) {
                // This token begins the next clause.
                self.ahead.push_front(token);
                return;
            }
        }
    }
}

/// The length of the number that the standard ([ISO] 6.4.4) reads at the beginning of `written`, a
/// number of SWI-Prolog. It has no digit groups (`1_000`), no radix but 2, 8 and 16 (`36'z`), no
/// exponent without a fraction (`1e9`), no special floats, and behind `0'` a quote must be doubled
/// and a line may not end.
fn iso_length(written: &str) -> usize {
    if let Some(character) = written.strip_prefix("0'") {
        let is_none = matches!(character, "" | "'" | "\\\n" | "\\\r");
        return if is_none { 1 } else { written.len() };
    }
    if written.starts_with("0x") {
        return written.find('_').unwrap_or(written.len());
    }
    let has_fraction = written.contains('.');
    let is_beyond = |character: char| match character {
        '_' | '\'' | 'I' | 'N' => true,
        'e' | 'E' => !has_fraction,
        _ => false,
    };
    written.find(is_beyond).unwrap_or(written.len())
}

/// Whether a line begins at `start`.
pub(crate) fn in_column_1(text: &str, start: u32) -> bool {
    start == 0 || matches!(text.as_bytes()[start as usize - 1], b'\n' | b'\r')
}

pub(crate) fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or("")
}

fn unclosed_quote(text: &str, span: Span) -> Diagnostic {
    let quote = slice(text, span).chars().next().unwrap_or('\'');
    let mark = Span::new(span.start, span.start + 1);
    Diagnostic::error(UNCLOSED_QUOTE, mark, "unclosed quote")
        .with_label("not closed on this line")
        .with_help(format!(
            "add `{quote}`; a quote inside of quotes is written twice, an end of line as `\\n`"
        ))
}

fn unclosed_comment(span: Span) -> Diagnostic {
    let mark = Span::new(span.start, span.start + 2);
    Diagnostic::error(UNCLOSED_COMMENT, mark, "unclosed block comment")
        .with_label("there is no `*/` behind this")
        .with_help("add `*/` where the comment should end; the rest of the text was not read")
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        TOO_DEEP,
        span,
        format!("brackets are nested more than {MAX_DEPTH} deep"),
    )
    .with_label("one level too many")
    .with_help("close them; the rest of the text was not read")
}

fn rubbish(text: &str, span: Span) -> Diagnostic {
    let character = slice(text, span).chars().next().unwrap_or('\0');
    let message = if character.is_control() {
        format!(
            "unexpected control character U+{:04X}",
            u32::from(character)
        )
    } else {
        format!("unexpected character `{character}`")
    };
    Diagnostic::error(RUBBISH, span, message)
        .with_label("not part of any clause")
        .with_help("remove it, or put the name that contains it into quotes")
}
