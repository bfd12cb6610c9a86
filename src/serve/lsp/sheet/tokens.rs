//! What each name is, for colours.

use crate::serve::lsp::sheet::{EntityKind, Occurrence, RulePart, Sheet, Usage};
use crate::syntax::Span;

/// What a name is, as colours tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A reserved word.
    Keyword,
    /// A relation.
    Relation,
    /// A fluent.
    Fluent,
    /// A move.
    Move,
    /// A role.
    Role,
    /// A constant or another function.
    Constant,
    /// A number.
    Number,
    /// A variable.
    Variable,
    /// A comment.
    Comment,
}

/// A piece of the text on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
    /// Whether the sentence defines it.
    pub is_defined: bool,
}

/// The tokens that begin in a range of a text, in its order.
pub fn tokens(sheet: &Sheet, range: Span) -> Vec<Token> {
    let names = sheet.occurrences().within(range).iter();
    let names = names.map(|one| Token {
        span: one.span,
        kind: kind(sheet, one),
        is_defined: one.part == RulePart::Head && one.usage != Usage::Argument,
    });
    let comments = sheet.document().comments().iter();
    let comments =
        comments.filter(|comment| range.range().contains(&(comment.span.start as usize)));
    let comments = comments.map(|comment| Token {
        span: comment.span,
        kind: TokenKind::Comment,
        is_defined: false,
    });
    let mut all: Vec<Token> = names.chain(comments).collect();
    all.sort_by_key(|token| token.span.start);
    // A name of several lines, which only quotes make, has no colour.
    all.retain(|token| !sheet.source().slice(token.span).contains(['\n', '\r']));
    all
}

fn kind(sheet: &Sheet, one: &Occurrence) -> TokenKind {
    let name = sheet.occurrences().name(one.entity);
    match (sheet.occurrences().entity(one.entity).kind, one.usage) {
        (EntityKind::Keyword(_), _) => TokenKind::Keyword,
        (EntityKind::Relation, _) => TokenKind::Relation,
        (EntityKind::Variable(_), _) => TokenKind::Variable,
        (EntityKind::Function, Usage::Fluent(_)) => TokenKind::Fluent,
        (EntityKind::Function, Usage::Move(_)) => TokenKind::Move,
        (EntityKind::Function, Usage::Role(_)) => TokenKind::Role,
        (EntityKind::Function, _) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            TokenKind::Number
        }
        (EntityKind::Function, _) => TokenKind::Constant,
    }
}
