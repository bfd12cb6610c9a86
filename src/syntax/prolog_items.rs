//! Items of Prolog text: names, numbers, finished terms and separators, in the order in which they
//! are read. Which of the names are operators is decided when a group of items is complete.

use std::borrow::Cow;

use crate::syntax::faults::Faults;
use crate::syntax::literal::{self, BadLiteral, NumberLiteral};
use crate::syntax::operators::{OperatorTable, Operators};
use crate::syntax::prolog_faults::{bad_escape, bad_literal, integer_too_large, not_gdl};
use crate::syntax::prolog_tokens::Dialect;
use crate::syntax::span::Span;
use crate::syntax::tree::{Document, Name, Node, NodeId};

/// What an item can be to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// Nothing but an operand.
    Term,
    /// An operand that a minus sign may belong to.
    Number,
    /// A name, and an operator if the table says so.
    Name { quoted: bool },
    /// A comma: separates arguments, or is an operator.
    Comma,
    /// A bar: separates the tail of a list, or is an operator.
    Bar,
}

/// A part of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
    /// `None` for what may turn out to be an operator.
    pub(crate) node: Option<NodeId>,
}

/// Names that are not written as such, made once for each document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedNames {
    pub(super) list: Option<Name>,
    pub(super) nil: Option<Name>,
    pub(super) braces: Option<Name>,
}

/// Builds the terms of one chunk.
pub(crate) struct TermBuilder<'s, 'o> {
    pub(crate) text: &'s str,
    pub(crate) dialect: Dialect,
    pub(crate) operators: &'o OperatorTable,
    pub(crate) document: &'o mut Document,
    pub(crate) shared: &'o mut SharedNames,
    pub(crate) faults: &'o mut Faults,
    pub(crate) items: Vec<Item>,
    /// Where the items of each open group start.
    pub(crate) groups: Vec<usize>,
}

impl<'s> TermBuilder<'s, '_> {
    /// Whether only infix GDL is allowed.
    pub(crate) fn is_gdl(&self) -> bool {
        self.dialect == Dialect::InfixGdl
    }

    /// Whether only what the standard has is allowed.
    pub(crate) fn is_iso(&self) -> bool {
        self.dialect == Dialect::IsoProlog
    }

    pub(crate) fn slice(&self, span: Span) -> &'s str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// What an item is as an operator. In infix GDL quoted names are never operators.
    pub(crate) fn operators_of(&self, item: Item) -> Operators {
        match item.node {
            None => self.operators.lookup(self.slice(item.span)),
            // A finished node is a quoted name: in infix GDL a symbol, in Prolog an operator like any other.
            Some(_) if self.is_gdl() => Operators::default(),
            Some(node) => match self.document.node(node) {
                Node::Symbol(Name::Written(span)) => self.operators.lookup(self.slice(span)),
                Node::Symbol(Name::Decoded(index)) => {
                    self.operators.lookup(&self.document.texts[index as usize])
                }
                Node::Variable(_)
                | Node::Integer(_)
                | Node::Float(_)
                | Node::Big(_)
                | Node::Text(_)
                | Node::Compound { .. } => Operators::default(),
            },
        }
    }

    /// The name of an item that is an operator.
    pub(crate) fn operator_name(&self, item: Item) -> Name {
        match item.node.map(|node| self.document.node(node)) {
            Some(Node::Symbol(name)) => name,
            _ => Name::Written(item.span),
        }
    }

    /// The node of an item that is an operand.
    pub(crate) fn operand(&mut self, item: Item) -> NodeId {
        match item.node {
            Some(node) => node,
            None => self
                .document
                .add(Node::Symbol(Name::Written(item.span)), item.span),
        }
    }

    /// The number that a minus sign belongs to.
    pub(crate) fn negated(&mut self, sign: Span, digits: Span) -> NodeId {
        let span = sign.to(digits);
        let value = literal::number(self.slice(digits), true, self.dialect);
        let node = self.number_node(value, span);
        self.document.add(node, span)
    }

    /// Whether an item is the one number that needs its minus sign to fit.
    pub(crate) fn is_out_of_range(&self, item: Item) -> bool {
        item.kind == ItemKind::Number
            && item.node.map(|node| self.document.node(node)) == Some(Node::Integer(i64::MIN))
    }

    pub(crate) fn add_compound(
        &mut self,
        functor: Name,
        arguments: &[NodeId],
        span: Span,
    ) -> NodeId {
        let arguments = self.document.add_children(arguments);
        self.document
            .add(Node::Compound { functor, arguments }, span)
    }

    /// Whether only white space precedes an item on its line.
    pub(crate) fn starts_line(&self, item: Item) -> bool {
        let before = &self.text.as_bytes()[..item.span.start as usize];
        let blank = before
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(blank, None | Some(b'\n' | b'\r'))
    }

    pub(crate) fn push(&mut self, kind: ItemKind, span: Span, node: Option<NodeId>) {
        self.items.push(Item { kind, span, node });
    }

    pub(crate) fn term(&mut self, node: Node, span: Span) {
        let node = self.document.add(node, span);
        self.push(ItemKind::Term, span, Some(node));
    }

    pub(crate) fn stand_in(&mut self, span: Span) -> NodeId {
        self.document.add(Node::Symbol(Name::Written(span)), span)
    }

    /// The name between the quotes of `span`.
    pub(crate) fn quoted(&mut self, span: Span) -> Name {
        // Between the quotes; a quote that was never closed has no closing one.
        let inner = Span::new(span.start + 1, span.end.max(span.start + 2) - 1);
        let quote = self.slice(span).chars().next().unwrap_or('\'');
        match literal::unescape(self.slice(inner), quote, self.dialect) {
            Ok(Cow::Borrowed(_)) => Name::Written(inner),
            Ok(Cow::Owned(text)) => self.document.add_text(text),
            Err(BadLiteral::Escape(at)) => {
                let at = Span::new(inner.start + at.start, inner.start + at.end);
                self.faults.push(bad_escape(at, self.slice(at)));
                Name::Written(inner)
            }
            Err(other) => {
                self.faults.push(bad_literal(other, span));
                Name::Written(inner)
            }
        }
    }

    pub(crate) fn number_node(
        &mut self,
        value: Result<NumberLiteral, BadLiteral>,
        span: Span,
    ) -> Node {
        match value {
            Ok(NumberLiteral::Integer(value)) => Node::Integer(value),
            // Integers of GDL have 64 bits.
            Ok(NumberLiteral::Big(_)) if self.is_gdl() => {
                self.faults.push(integer_too_large(span));
                Node::Integer(0)
            }
            Ok(NumberLiteral::Big(digits)) => Node::Big(self.document.add_text(digits)),
            Ok(NumberLiteral::Float(value)) => {
                if self.is_gdl() {
                    self.faults.push(not_gdl(
                        span,
                        "numbers with fraction are not part of infix GDL",
                    ));
                }
                Node::Float(value)
            }
            Err(BadLiteral::Escape(_)) => {
                self.faults.push(bad_escape(span, self.slice(span)));
                Node::Integer(0)
            }
            Err(bad) => {
                self.faults.push(bad_literal(bad, span));
                Node::Integer(0)
            }
        }
    }
}
