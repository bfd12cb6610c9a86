//! The tokens of Prolog text, one clause at a time, with balanced brackets.
//!
//! A chunk is what stands between two ends: one clause of Prolog, but possibly many sentences of
//! infix GDL, where the final dot may be absent. Inside of a chunk every bracket gets its partner:
//! a closing one that closes nothing is dropped, one that is missing is inserted, one of the wrong
//! kind is exchanged; each is reported once.

use std::collections::VecDeque;

use logos::Lexer;

use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::error::{
    EXTRA_CLOSE, Faults, MAX_DEPTH, MISMATCH, RUBBISH, TOO_DEEP, UNCLOSED, UNCLOSED_COMMENT,
    UNCLOSED_QUOTE,
};
use crate::syntax::lexer::PrologToken;
use crate::syntax::span::Span;

/// Which language the tokens are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Prolog as it is.
    Prolog,
    /// Infix GDL: Prolog's tokens, few of its operators, and no need of a final dot.
    InfixGdl,
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
    dialect: Dialect,
    lexer: Lexer<'s, PrologToken>,
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
            match token.kind {
                PrologToken::End => {
                    chunk.end = Some(token.span);
                    break;
                }
                PrologToken::UnclosedQuote => {
                    faults.push(unclosed_quote(self.text, token.span));
                    self.skip_clause();
                    self.drop_last_sentence(&mut chunk);
                    return Some(chunk);
                }
                PrologToken::UnclosedComment => {
                    faults.push(unclosed_comment(token.span));
                    chunk.spoiled = self.dialect == Dialect::Prolog;
                }
                PrologToken::Rubbish => {
                    faults.push(rubbish(self.text, token.span));
                    chunk.spoiled |= self.dialect == Dialect::Prolog;
                }
                PrologToken::Open
                | PrologToken::OpenGlued
                | PrologToken::OpenBracket
                | PrologToken::OpenBrace => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        faults.push(too_deep(token.span));
                        self.lexer.bump(self.lexer.remainder().len());
                        chunk.spoiled = true;
                        return Some(chunk);
                    }
                    chunk.tokens.push(token);
                }
                PrologToken::Close | PrologToken::CloseBracket | PrologToken::CloseBrace => {
                    depth = depth.saturating_sub(1);
                    chunk.tokens.push(token);
                }
                _ => chunk.tokens.push(token),
            }
        }
        let nothing = chunk.tokens.is_empty() && chunk.end.is_none() && !chunk.spoiled;
        (!nothing).then_some(chunk)
    }

    /// The offset behind the last token that was read.
    pub(crate) fn offset(&self) -> u32 {
        match self.ahead.front() {
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
            let range = self.lexer.span();
            let span = Span::new(range.start as u32, range.end as u32);
            let kind = match kind {
                PrologToken::Comment => {
                    self.comments.push(span);
                    continue;
                }
                PrologToken::Open if glued_to_name && range.start == before => {
                    PrologToken::OpenGlued
                }
                PrologToken::Symbols if self.is_end(range.end) => PrologToken::End,
                PrologToken::Symbols if self.dialect == Dialect::InfixGdl => {
                    return Some(self.split_symbols(span));
                }
                other => other,
            };
            return Some(Token { kind, span });
        }
    }

    /// Whether the text before `offset` is a name, so that a parenthesis at `offset` is glued to
    /// it. The operators of infix GDL are never names of relations.
    fn ends_in_name(&self, offset: usize) -> bool {
        let symbols = |byte: u8| b"+-*/\\^<>=~:.?@#&$;!".contains(&byte);
        match self.lexer.slice().as_bytes() {
            _ if offset == 0 => false,
            [first, ..] if symbols(*first) => self.dialect == Dialect::Prolog,
            [b'\'', ..] => true,
            _ => {
                self.lexer.slice().starts_with(char::is_lowercase)
                    || self
                        .lexer
                        .slice()
                        .starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase())
            }
        }
    }

    /// Whether the symbols that were just read and end at `end` are the dot that ends a clause.
    fn is_end(&self, end: usize) -> bool {
        let follows = self.text.as_bytes().get(end);
        self.lexer.slice() == "."
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
        chunk.spoiled = self.dialect == Dialect::Prolog || chunk.tokens.is_empty();
    }

    /// Skips what belongs to the clause that is being read: up to its end, or to a token in
    /// column 1.
    fn skip_clause(&mut self) {
        while let Some(token) = self.token() {
            if token.kind == PrologToken::End {
                return;
            }
            if in_column_1(self.text, token.span.start) {
                self.ahead.push_front(token);
                return;
            }
        }
    }
}

/// Whether a line begins at `start`.
pub(crate) fn in_column_1(text: &str, start: u32) -> bool {
    start == 0 || matches!(text.as_bytes()[start as usize - 1], b'\n' | b'\r')
}

fn closing(open: PrologToken) -> PrologToken {
    match open {
        PrologToken::OpenBracket => PrologToken::CloseBracket,
        PrologToken::OpenBrace => PrologToken::CloseBrace,
        _ => PrologToken::Close,
    }
}

/// Gives every bracket of a chunk its partner.
pub(crate) fn balance(text: &str, dialect: Dialect, chunk: &mut Chunk, faults: &mut Faults) {
    let unmatched = unmatched(&chunk.tokens);
    if let Some(unmatched) = unmatched {
        let tokens = std::mem::take(&mut chunk.tokens);
        let mut balancer = Balancer {
            text,
            faults,
            balanced: Vec::with_capacity(tokens.len() + unmatched.len()),
            open: Vec::new(),
        };
        for (index, token) in tokens.iter().enumerate() {
            let breaks = dialect == Dialect::InfixGdl
                && in_column_1(text, token.span.start)
                && balancer
                    .open
                    .first()
                    .is_some_and(|&(first, _)| unmatched.binary_search(&first).is_ok());
            if breaks {
                balancer.close_all();
            }
            balancer.token(index, *token, tokens.get(index + 1));
        }
        balancer.close_all();
        chunk.tokens = balancer.balanced;
    }
}

/// The indices of the opening brackets without partner, sorted; `None` if all is well.
fn unmatched(tokens: &[Token]) -> Option<Vec<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut sound = true;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            PrologToken::Open
            | PrologToken::OpenGlued
            | PrologToken::OpenBracket
            | PrologToken::OpenBrace => open.push(index),
            PrologToken::Close | PrologToken::CloseBracket | PrologToken::CloseBrace => {
                match open.last() {
                    Some(&last) if closing(tokens[last].kind) == token.kind => {
                        open.pop();
                    }
                    _ => sound = false,
                }
            }
            _ => {}
        }
    }
    (!sound || !open.is_empty()).then_some(open)
}

struct Balancer<'t> {
    text: &'t str,
    faults: &'t mut Faults,
    balanced: Vec<Token>,
    /// Index in the chunk, and token, of the brackets that are open.
    open: Vec<(usize, Token)>,
}

impl Balancer<'_> {
    fn token(&mut self, index: usize, token: Token, next: Option<&Token>) {
        match token.kind {
            PrologToken::Open
            | PrologToken::OpenGlued
            | PrologToken::OpenBracket
            | PrologToken::OpenBrace => {
                self.open.push((index, token));
                self.balanced.push(token);
            }
            PrologToken::Close | PrologToken::CloseBracket | PrologToken::CloseBrace => {
                self.closing(token, next);
            }
            _ => self.balanced.push(token),
        }
    }

    fn closing(&mut self, token: Token, next: Option<&Token>) {
        let Some(&(_, open)) = self.open.last() else {
            self.faults.push(extra_close(self.text, token.span));
            return;
        };
        let partner = closing(open.kind);
        if partner != token.kind {
            // With a partner further out, the inner brackets lack theirs; otherwise this one is
            // of the wrong kind.
            let outer = self
                .open
                .iter()
                .rposition(|(_, outer)| closing(outer.kind) == token.kind);
            if let Some(outer) = outer {
                self.faults.push(
                    unclosed(self.text, self.open[outer + 1].1.span, 1)
                        .with_related(token.span, "it should be closed before this"),
                );
                while self.open.len() > outer + 1 {
                    self.insert_close(token.span.start);
                }
            } else if next.is_some_and(|next| next.kind == partner) {
                // What is wrong is not the kind of this one: it is superfluous.
                self.faults.push(extra_close(self.text, token.span));
                return;
            } else {
                self.faults.push(mismatch(self.text, open.span, token.span));
            }
        }
        if let Some((_, open)) = self.open.pop() {
            self.balanced.push(Token {
                kind: closing(open.kind),
                span: token.span,
            });
        }
    }

    fn insert_close(&mut self, at: u32) {
        if let Some((_, open)) = self.open.pop() {
            self.balanced.push(Token {
                kind: closing(open.kind),
                span: Span::new(at, at),
            });
        }
    }

    fn close_all(&mut self) {
        if let Some((_, first)) = self.open.first() {
            self.faults
                .push(unclosed(self.text, first.span, self.open.len()));
        }
        let end = self.balanced.last().map_or(0, |last| last.span.end);
        while !self.open.is_empty() {
            self.insert_close(end);
        }
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or("")
}

fn unclosed(text: &str, span: Span, count: usize) -> Diagnostic {
    let written = slice(text, span);
    let what = match written {
        "(" => "parenthesis",
        "[" => "bracket",
        _ => "brace",
    };
    let message = match count {
        1 => format!("unclosed {what}"),
        _ => format!("{count} unclosed brackets"),
    };
    Diagnostic::error(UNCLOSED, span, message)
        .with_label(format!("this `{written}` is never closed"))
        .with_help("close it before the sentence ends")
}

fn extra_close(text: &str, span: Span) -> Diagnostic {
    let message = format!("unexpected closing `{}`", slice(text, span));
    Diagnostic::error(EXTRA_CLOSE, span, message)
        .with_label("closes nothing")
        .with_help("remove it, or add the bracket that it should close")
}

fn mismatch(text: &str, open: Span, close: Span) -> Diagnostic {
    let (opening, closing) = (slice(text, open), slice(text, close));
    Diagnostic::error(
        MISMATCH,
        close,
        format!("`{opening}` is closed by `{closing}`"),
    )
    .with_label("of another kind")
    .with_related(open, "opened here")
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
    let message = match character.is_control() {
        true => format!(
            "unexpected control character U+{:04X}",
            u32::from(character)
        ),
        false => format!("unexpected character `{character}`"),
    };
    Diagnostic::error(RUBBISH, span, message)
        .with_label("not part of any clause")
        .with_help("remove it, or put the name that contains it into quotes")
}
