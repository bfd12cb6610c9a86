//! Balances the brackets of a chunk of Prolog or infix GDL, so that the grammar need not.
//!
//! A closing bracket that closes nothing is dropped, one that is missing is inserted, one of the
//! wrong kind is exchanged; each is reported once. In infix GDL, where a chunk may be all of the
//! text, a sentence with a bracket that has no partner ends where a line begins with a token.

use crate::syntax::codes::{EXTRA_CLOSE, MISMATCH, UNCLOSED};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::Faults;
use crate::syntax::lexer::PrologToken;
use crate::syntax::prolog_tokens::{Chunk, Dialect, Token, in_column_1, slice};
use crate::syntax::span::Span;

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
            open_by_kind: [const { Vec::new() }; 3],
        };
        for (index, token) in tokens.iter().enumerate() {
            // As in prefix notation: a sentence that is never closed ends where a line begins with the next one.
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
        if token.kind.opens() {
            open.push(index);
        } else if token.kind.closes() {
            match open.last() {
                Some(&last) if tokens[last].kind.partner() == token.kind => {
                    open.pop();
                }
                _ => sound = false,
            }
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
    /// The places in `open` of the parentheses, brackets and braces.
    open_by_kind: [Vec<usize>; 3],
}

impl Balancer<'_> {
    fn token(&mut self, index: usize, token: Token, next: Option<&Token>) {
        if token.kind.closes() {
            self.closing(token, next);
            return;
        }
        if token.kind.opens() {
            let partner = kind(token.kind.partner());
            // By kind as well, so that the partner of a closing bracket is found without a search through all that are open:
            // a hostile text may open millions.
            self.open_by_kind[partner].push(self.open.len());
            self.open.push((index, token));
        }
        self.balanced.push(token);
    }

    fn pop(&mut self) -> Option<Token> {
        let (_, token) = self.open.pop()?;
        self.open_by_kind[kind(token.kind.partner())].pop();
        Some(token)
    }

    fn closing(&mut self, token: Token, next: Option<&Token>) {
        let Some(&(_, open)) = self.open.last() else {
            self.faults.push(extra_close(self.text, token.span));
            return;
        };
        let partner = open.kind.partner();
        if partner != token.kind {
            // With a partner further out, the inner brackets lack theirs; otherwise this one is
            // of the wrong kind.
            let outer = self.open_by_kind[kind(token.kind)].last().copied();
            if let Some(outer) = outer {
                self.faults.push(
                    unclosed(self.text, self.open[outer + 1].1.span, 1)
                        .with_related(token.span, "it should be closed before this"),
                );
                // `f(a, [b)`: the bracket is closed in front of the parenthesis.
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
        if let Some(open) = self.pop() {
            self.balanced.push(Token {
                kind: open.kind.partner(),
                span: token.span,
            });
        }
    }

    fn insert_close(&mut self, at: u32) {
        if let Some(open) = self.pop() {
            self.balanced.push(Token {
                kind: open.kind.partner(),
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

/// The index of a closing bracket's kind.
fn kind(closing: PrologToken) -> usize {
    // `)` is 0, `]` is 1 and `}` is 2.
    usize::from(closing == PrologToken::CloseBracket)
        + 2 * usize::from(closing == PrologToken::CloseBrace)
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
