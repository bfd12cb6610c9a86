//! The actions of `grammar/prolog.lalrpop`: items on a stack, groups of them resolved to terms.
//!
//! The items of all open groups lie on one stack, innermost last. When a bracket closes, the items
//! above its mark are resolved (see [`crate::syntax::precedence`]) and replaced by one finished
//! item, so nothing here depends on the nesting of the text. A group with a fault becomes a
//! stand-in, and what surrounds it is read on.

use std::ops::Range;

use smallvec::SmallVec;

use crate::syntax::codes::{EXPECTED_OPERATOR, EXPECTED_TERM};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::literal::{self, NumberLiteral};
use crate::syntax::operators::MAX_PRIORITY;
use crate::syntax::precedence::{TermExtent, resolve};
use crate::syntax::prolog_faults::{argument_too_loose, missing_term, not_gdl};
use crate::syntax::prolog_items::{Item, ItemKind, TermBuilder};
use crate::syntax::span::Span;
use crate::syntax::tree::{Name, Node, NodeId};

/// The priority of arguments and of elements of lists ([ISO] 6.3.3.1).
const MAX_ARGUMENT: u16 = 999;

/// Where the items of a group start on the builder's stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupMark(usize);

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Bare,
    Quoted,
}

impl TermBuilder<'_, '_> {
    /// A group of items starts.
    pub(crate) fn mark(&mut self) -> GroupMark {
        if self.items.is_empty() {
            self.groups.clear();
        }
        self.groups.push(self.items.len());
        GroupMark(self.items.len())
    }

    pub(crate) fn comma(&mut self, start: u32, end: u32) {
        self.push(ItemKind::Comma, Span::new(start, end), None);
    }

    pub(crate) fn bar(&mut self, start: u32, end: u32) {
        self.push(ItemKind::Bar, Span::new(start, end), None);
    }

    pub(crate) fn name(&mut self, start: u32, end: u32, quoting: Quoting) {
        let span = Span::new(start, end);
        let node = match quoting {
            Quoting::Bare => None,
            Quoting::Quoted => {
                let name = self.quoted(span);
                Some(self.document.add(Node::Symbol(name), span))
            }
        };
        let quoted = quoting == Quoting::Quoted;
        self.push(ItemKind::Name { quoted }, span, node);
    }

    pub(crate) fn variable(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        self.term(Node::Variable(Name::Written(span)), span);
    }

    pub(crate) fn text(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        if self.is_gdl() {
            self.faults.push(not_gdl(
                span,
                "text in double quotes is not part of infix GDL",
            ));
        }
        let name = self.quoted(span);
        self.term(Node::Text(name), span);
    }

    pub(crate) fn backquoted(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        if self.is_gdl() {
            self.faults.push(not_gdl(
                span,
                "text in back quotes is not part of infix GDL",
            ));
        }
        if self.is_iso() {
            let fault = "text in back quotes is not part of the standard";
            self.faults
                .push(Diagnostic::error(EXPECTED_TERM, span, fault));
        }
        let name = self.quoted(span);
        let codes: Vec<i64> = match name {
            Name::Written(inner) => self.slice(inner).chars().map(code).collect(),
            Name::Decoded(index) => self.document.texts[index as usize]
                .chars()
                .map(code)
                .collect(),
        };
        let elements: Vec<NodeId> = codes
            .into_iter()
            .map(|code| self.document.add(Node::Integer(code), span))
            .collect();
        let list = self.list_of(&elements, None, span);
        self.push(ItemKind::Term, span, Some(list));
    }

    pub(crate) fn number(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        let node = match literal::number(self.slice(span), false, self.dialect) {
            // In GDL 2^63 is a number only behind a minus sign, see `is_out_of_range`.
            Ok(NumberLiteral::Big(digits)) if self.is_gdl() && digits == TWO_TO_63 => {
                Node::Integer(i64::MIN)
            }
            value => self.number_node(value, span),
        };
        let node = self.document.add(node, span);
        self.push(ItemKind::Number, span, Some(node));
    }

    pub(crate) fn compound(
        &mut self,
        name: (u32, u32),
        quoting: Quoting,
        items: GroupMark,
        end: u32,
    ) {
        self.groups.pop();
        let name_span = Span::new(name.0, name.1);
        // The grammar reads `*(` as the beginning of a compound; whether it is one depends on what stands before.
        if quoting == Quoting::Bare && self.is_infix_here(name_span, items) {
            // `3*(X+1)`: an operator that a parenthesis happens to follow directly.
            let node = self.group(items.0..self.items.len(), end, MAX_PRIORITY + 1);
            self.items.truncate(items.0);
            self.push(ItemKind::Name { quoted: false }, name_span, None);
            self.push(ItemKind::Term, Span::new(name.1, end), Some(node));
            return;
        }
        let functor = match quoting {
            Quoting::Bare => match self.bracket_name(name_span) {
                Some(text) => self.document.add_text(text),
                None => Name::Written(name_span),
            },
            Quoting::Quoted => self.quoted(name_span),
        };
        let span = Span::new(name.0, end);
        let arguments = self.arguments(items.0..self.items.len(), end);
        let node = if arguments.is_empty() {
            self.stand_in(span)
        } else {
            self.add_compound(functor, &arguments, span)
        };
        self.items.truncate(items.0);
        self.push(ItemKind::Term, span, Some(node));
    }

    /// The name without layout of brackets that are the name of a compound: `[ ](X)`.
    fn bracket_name(&self, span: Span) -> Option<&'static str> {
        match &self.text[span.range()] {
            "[]" | "{}" => None,
            written if written.starts_with('[') => Some("[]"),
            written if written.starts_with('{') => Some("{}"),
            _ => None,
        }
    }

    /// Whether an operand stands before a name that can be an infix operator.
    fn is_infix_here(&self, name: Span, items: GroupMark) -> bool {
        let group = self.groups.last().copied().unwrap_or(0);
        let before = match items.0.checked_sub(1) {
            Some(before) if before >= group => self.items[before],
            Some(_) | None => return false,
        };
        let is_operand = match before.kind {
            ItemKind::Term | ItemKind::Number => true,
            ItemKind::Name { .. } => self.operators_of(before).is_empty(),
            ItemKind::Comma | ItemKind::Bar => false,
        };
        is_operand && self.operators.lookup(self.slice(name)).infix.is_some()
    }

    pub(crate) fn parenthesis(&mut self, start: u32, items: GroupMark, end: u32) {
        self.groups.pop();
        let span = Span::new(start, end);
        let node = self.group(items.0..self.items.len(), end, MAX_PRIORITY + 1);
        self.items.truncate(items.0);
        // Its span includes the parentheses, so that an error can point at all of it.
        self.push(ItemKind::Term, span, Some(node));
    }

    pub(crate) fn list(&mut self, start: u32, items: GroupMark, end: u32) {
        self.groups.pop();
        let span = Span::new(start, end);
        let range = items.0..self.items.len();
        let node = if self.is_gdl() {
            self.faults
                .push(not_gdl(span, "lists are not part of infix GDL"));
            self.stand_in(span)
        } else if range.is_empty() {
            let name = self.nil();
            self.document.add(Node::Symbol(name), span)
        } else {
            // The first bar separates the tail; a second one is a fault that `tail` reports.
            let bar = (range.start..range.end).find(|&at| self.items[at].kind == ItemKind::Bar);
            let (elements_end, before) = match bar {
                Some(bar) => (bar, self.items[bar].span.end),
                None => (range.end, end),
            };
            let elements = self.arguments(range.start..elements_end, before);
            let tail = bar.map(|bar| self.tail(bar + 1..range.end, end));
            self.list_of(&elements, tail, span)
        };
        self.items.truncate(items.0);
        self.push(ItemKind::Term, span, Some(node));
    }

    /// `{}(...)`: the atom `{}` as the functor of a compound.
    pub(crate) fn braces_compound(&mut self, start: u32, items: GroupMark, end: u32) {
        // Two marks: that of the empty braces, and that of the arguments.
        self.groups.truncate(self.groups.len().saturating_sub(2));
        let span = Span::new(start, end);
        let functor = self.braces_name();
        let arguments = self.arguments(items.0..self.items.len(), end);
        let node = if arguments.is_empty() {
            self.stand_in(span)
        } else {
            self.add_compound(functor, &arguments, span)
        };
        self.items.truncate(items.0);
        self.push(ItemKind::Term, span, Some(node));
    }

    fn braces_name(&mut self) -> Name {
        *self
            .shared
            .braces
            .get_or_insert_with(|| self.document.add_text("{}"))
    }

    pub(crate) fn braces(&mut self, start: u32, items: GroupMark, end: u32) {
        self.groups.pop();
        let span = Span::new(start, end);
        let range = items.0..self.items.len();
        let node = if self.is_gdl() {
            self.faults
                .push(not_gdl(span, "braces are not part of infix GDL"));
            self.stand_in(span)
        } else {
            let name = self.braces_name();
            if range.is_empty() {
                self.document.add(Node::Symbol(name), span)
            } else {
                let inner = self.group(range, end, MAX_PRIORITY + 1);
                self.add_compound(name, &[inner], span)
            }
        };
        self.items.truncate(items.0);
        self.push(ItemKind::Term, span, Some(node));
    }

    /// The term behind the bar of a list.
    fn tail(&mut self, range: Range<usize>, end: u32) -> NodeId {
        let separates = |item: &&Item| matches!(item.kind, ItemKind::Comma | ItemKind::Bar);
        if let Some(item) = self.items[range.clone()].iter().find(separates) {
            let span = item.span;
            let written = self.slice(span);
            self.faults.push(
                Diagnostic::error(
                    EXPECTED_OPERATOR,
                    span,
                    format!("expected the end of the list, found `{written}`"),
                )
                .with_label("one term stands behind the `|` of a list"),
            );
            return self.stand_in(span);
        }
        self.group(range, end, MAX_ARGUMENT)
    }

    /// The terms between the commas of `range`; the first one that is missing is reported.
    fn arguments(&mut self, range: Range<usize>, end: u32) -> SmallVec<[NodeId; 8]> {
        let mut arguments = SmallVec::new();
        let mut start = range.start;
        let mut missing = false;
        for at in range.start..=range.end {
            let last = at == range.end;
            if !last && self.items[at].kind != ItemKind::Comma {
                continue;
            }
            let end = if last { end } else { self.items[at].span.end };
            if start < at || !missing {
                arguments.push(self.group(start..at, end, MAX_ARGUMENT));
            }
            missing |= start == at;
            start = at + 1;
        }
        arguments
    }

    /// The term of all items of `range`, by the standard of at most this priority; `end` is the end
    /// of what follows them.
    fn group(&mut self, range: Range<usize>, end: u32, most: u16) -> NodeId {
        let (first, last) = match &self.items[range.clone()] {
            [] => {
                let span = Span::new(end.saturating_sub(1), end);
                self.faults.push(missing_term(span, self.slice(span)));
                return self.stand_in(span);
            }
            [only] => (only.span, only.span),
            [first, .., last] => (first.span, last.span),
        };
        match resolve(self, range, TermExtent::Whole) {
            Ok(resolved) if resolved.priority > most && self.is_iso() => {
                let span = first.to(last);
                self.faults.push(argument_too_loose(span));
                self.stand_in(span)
            }
            Ok(resolved) => resolved.node,
            Err(fault) => {
                self.faults.push(*fault);
                self.stand_in(first.to(last))
            }
        }
    }

    fn list_of(&mut self, elements: &[NodeId], tail: Option<NodeId>, span: Span) -> NodeId {
        let functor = *self
            .shared
            .list
            .get_or_insert_with(|| self.document.add_text("[|]"));
        let mut list = match tail {
            Some(tail) => tail,
            None => {
                let nil = self.nil();
                self.document
                    // The end of the list is not written: it stands for the closing bracket.
                    .add(Node::Symbol(nil), Span::new(span.end.max(1) - 1, span.end))
            }
        };
        // Built from the back, each cell spanning from its element to the end of the list.
        for &element in elements.iter().rev() {
            let start = self.document.span(element).start;
            list = self.add_compound(functor, &[element, list], Span::new(start, span.end));
        }
        if !elements.is_empty() {
            self.document.spans[list.0 as usize] = span;
        }
        list
    }

    fn nil(&mut self) -> Name {
        *self
            .shared
            .nil
            .get_or_insert_with(|| self.document.add_text("[]"))
    }
}

const TWO_TO_63: &str = "9223372036854775808";

fn code(character: char) -> i64 {
    i64::from(u32::from(character))
}
