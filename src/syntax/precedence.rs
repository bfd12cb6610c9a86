//! Operator precedence: a flat list of names and finished terms becomes one term.
//!
//! Two stacks, one of operands and one of operators that wait for their right argument ("shunting
//! yard"). An operator that comes in first builds the terms of those that bind tighter to their
//! left argument:
//!
//! ```text
//! - a + b * c     operands         operators
//! -               ·                -
//! a               a                -
//! +               -(a)             +          `-` (200) binds tighter than `+` (500)
//! b * c           -(a) b c         + *        `*` (400) binds tighter than `+`: wait
//! end             +(-(a),*(b,c))
//! ```
//!
//! Source: [ISO] 6.3.4. DIVERGENCE: an operator as an operand needs no parentheses, and an argument
//! may have any priority (`f(a :- b)`); SWI-Prolog 9 reads both, too. An operator as the operand of
//! a prefix operator is taken where nothing else is possible (`\+ :- a`), which it refuses. A minus
//! sign belongs to a number only directly before it. Text that is read strictly
//! ([`Dialect::IsoProlog`]) has none of these.

use std::ops::Range;

use smallvec::SmallVec;

use crate::syntax::codes::{
    EXPECTED_OPERATOR, EXPECTED_TERM, NOT_INFIX_GDL, OPERATOR_CLASH, VARIABLE_AS_NAME,
};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::shorten;
use crate::syntax::operators::Operator;
use crate::syntax::prolog_faults::{integer_too_large, not_gdl};
use crate::syntax::prolog_items::{Item, ItemKind, TermBuilder};
use crate::syntax::span::Span;
use crate::syntax::tree::{Name, NodeId};

/// What a list of items is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermExtent {
    /// All of them are one term.
    Whole,
    /// In infix GDL, a term that follows a complete one on a new line begins a new sentence.
    Sentences,
}

/// A term that was found, and where the next one begins.
pub(crate) struct Resolved {
    pub(crate) node: NodeId,
    pub(crate) priority: u16,
    /// Number of items that belong to it.
    pub(crate) used: usize,
}

/// The priority of an operator as an operand, by the standard: too much for everything but
/// brackets ([ISO] 6.3.1.3).
const OPERATOR_AS_OPERAND: u16 = 1201;

struct Pending {
    name: Name,
    span: Span,
    operator: Operator,
    prefix: bool,
}

struct Operand {
    node: NodeId,
    priority: u16,
}

struct Resolver<'r, 's, 'o> {
    builder: &'r mut TermBuilder<'s, 'o>,
    operands: SmallVec<[Operand; 8]>,
    pending: SmallVec<[Pending; 8]>,
    extent: TermExtent,
}

/// Operators of Prolog that look like names.
const PROLOG_WORDS: [&str; 7] = ["is", "mod", "rem", "div", "rdiv", "xor", "as"];

/// Reads one term at the beginning of the builder's items in `range`, which must not be empty.
///
/// # Errors
/// The first fault; the items that belong to the term are then unknown.
pub(crate) fn resolve(
    builder: &mut TermBuilder<'_, '_>,
    range: Range<usize>,
    extent: TermExtent,
) -> Result<Resolved, Box<Diagnostic>> {
    let first = builder.items[range.start];
    if range.len() == 1 && first.kind == ItemKind::Term {
        let node = builder.operand(first);
        return Ok(Resolved {
            node,
            priority: 0,
            used: 1,
        });
    }
    // A name that is all there is needs no brackets of its own: `[-]`, `f(+)`.
    let is_alone = range.len() == 1;
    let mut resolver = Resolver {
        builder,
        operands: SmallVec::new(),
        pending: SmallVec::new(),
        extent,
    };
    // All items first, then what is still pending, the innermost first.
    let used = resolver.shift_all(range)?;
    while !resolver.pending.is_empty() {
        resolver.reduce()?;
    }
    match resolver.operands.pop() {
        Some(operand) => Ok(Resolved {
            node: operand.node,
            priority: if is_alone { 0 } else { operand.priority },
            used,
        }),
        None => Err(Box::new(resolver.missing_operand(first))),
    }
}

/// What an item was where an operator was expected.
enum Continuation {
    Infix,
    Postfix,
    /// Not an operator.
    None,
}

impl Resolver<'_, '_, '_> {
    /// Takes the items in `range` in order; gives the number of those that belong to the term.
    fn shift_all(&mut self, range: Range<usize>) -> Result<usize, Box<Diagnostic>> {
        // Operand and operator alternate; prefix operators count as the beginning of an operand.
        let mut want_operand = true;
        let mut at = range.start;
        while at < range.end {
            let item = self.builder.items[at];
            let next = (at + 1 < range.end).then(|| self.builder.items[at + 1]);
            if want_operand {
                // Two items ahead: whether a minus sign belongs to a number decides whether it is an operator.
                let behind = self.builder.items[at + 1..range.end].get(1).copied();
                let (used, complete) = self.operand(item, next, behind)?;
                at += used;
                want_operand = !complete;
                continue;
            }
            match self.operator(item, next)? {
                Continuation::Infix => want_operand = true,
                Continuation::Postfix => {}
                Continuation::None
                    if self.extent == TermExtent::Sentences && self.builder.starts_line(item) =>
                {
                    break;
                }
                Continuation::None => {
                    let before = self.builder.items[at - 1].span;
                    return Err(Box::new(self.expected_operator(item, before)));
                }
            }
            at += 1;
        }
        if want_operand {
            return Err(Box::new(
                self.missing_operand(self.builder.items[range.end - 1]),
            ));
        }
        Ok(at - range.start)
    }

    /// Takes an operand or a prefix operator; gives the number of items taken, and whether the
    /// operand is complete.
    fn operand(
        &mut self,
        item: Item,
        next: Option<Item>,
        behind: Option<Item>,
    ) -> Result<(usize, bool), Box<Diagnostic>> {
        let quoted = match item.kind {
            ItemKind::Term | ItemKind::Number => {
                if self.builder.is_out_of_range(item) {
                    return Err(Box::new(integer_too_large(item.span)));
                }
                self.push_item(item);
                return Ok((1, true));
            }
            ItemKind::Comma | ItemKind::Bar => return Err(Box::new(self.expected_term(item))),
            ItemKind::Name { quoted } => quoted,
        };
        if let Some(number) = self.negative_number(item, next) {
            self.push(number, 0);
            return Ok((2, true));
        }
        let operators = self.builder.operators_of(item);
        if let Some(prefix) = operators.prefix
            && self.takes_argument(prefix, next, behind)
        {
            self.pending.push(Pending {
                name: self.builder.operator_name(item),
                span: item.span,
                operator: prefix,
                prefix: true,
            });
            return Ok((1, false));
        }
        self.check_gdl_name(item, quoted)?;
        if self.builder.is_gdl() && !quoted && self.is_symbolic(item) {
            return Err(Box::new(self.expected_term(item)));
        }
        let is_operator = !operators.is_empty() && self.builder.is_iso();
        let node = self.builder.operand(item);
        self.push(node, if is_operator { OPERATOR_AS_OPERAND } else { 0 });
        Ok((1, true))
    }

    /// Whether a prefix operator before `next` is one: not at the end, nor before an infix operator,
    /// unless that is also a prefix operator that fits into the argument (`- - 1`, but `- :- p`).
    /// A sign that belongs to a number is no operator (`\ -1`).
    fn takes_argument(&self, prefix: Operator, next: Option<Item>, behind: Option<Item>) -> bool {
        let Some(next) = next else { return false };
        if self.is_sign(next, behind) {
            return true;
        }
        match next.kind {
            ItemKind::Term | ItemKind::Number => true,
            ItemKind::Comma | ItemKind::Bar => false,
            ItemKind::Name { .. } => {
                let next = self.builder.operators_of(next);
                let fits = |inner: Operator| inner.priority <= prefix.right_max();
                (next.infix.is_none() && next.postfix.is_none()) || next.prefix.is_some_and(fits)
            }
        }
    }

    /// A minus sign directly before a number belongs to it, by the standard also in quotes and with
    /// layout between them ([ISO] 6.3.4.1).
    fn negative_number(&mut self, item: Item, next: Option<Item>) -> Option<NodeId> {
        let number = next.filter(|_| self.is_sign(item, next))?;
        Some(self.builder.negated(item.span, number.span))
    }

    /// Whether an item is a minus sign that belongs to the number after it.
    fn is_sign(&self, item: Item, next: Option<Item>) -> bool {
        let Some(next) = next.filter(|next| next.kind == ItemKind::Number) else {
            return false;
        };
        let is_minus = match item.kind {
            ItemKind::Name { quoted: false } => self.builder.slice(item.span) == "-",
            ItemKind::Name { quoted: true } => {
                self.builder.is_iso() && self.builder.slice(item.span) == "'-'"
            }
            ItemKind::Term | ItemKind::Number | ItemKind::Comma | ItemKind::Bar => false,
        };
        is_minus && (next.span.start == item.span.end || self.builder.is_iso())
    }

    fn operator(
        &mut self,
        item: Item,
        next: Option<Item>,
    ) -> Result<Continuation, Box<Diagnostic>> {
        let operators = match item.kind {
            ItemKind::Term | ItemKind::Number => return Ok(Continuation::None),
            ItemKind::Comma | ItemKind::Bar | ItemKind::Name { .. } => {
                self.builder.operators_of(item)
            }
        };
        let (operator, continuation) = match (operators.infix, operators.postfix) {
            (Some(infix), None) => (infix, Continuation::Infix),
            // An operator that is both is infix wherever something follows.
            (Some(infix), Some(_)) if next.is_some() => (infix, Continuation::Infix),
            (_, Some(postfix)) => (postfix, Continuation::Postfix),
            (None, None) => {
                if let ItemKind::Name { quoted } = item.kind {
                    self.check_gdl_name(item, quoted)?;
                }
                return Ok(Continuation::None);
            }
        };
        self.make_room(operator, item.span)?;
        self.pending.push(Pending {
            name: self.builder.operator_name(item),
            span: item.span,
            operator,
            prefix: false,
        });
        if matches!(continuation, Continuation::Postfix) {
            self.reduce_postfix()?;
        }
        Ok(continuation)
    }

    /// Builds the terms that are the left argument of `operator`. Where both could be the other's
    /// argument, the standard lets the first take the second (`fy 1 yf` is `fy(yf(1))`), and
    /// SWI-Prolog the second the first.
    fn make_room(&mut self, operator: Operator, span: Span) -> Result<(), Box<Diagnostic>> {
        while let Some(last) = self.pending.last() {
            // Both could be the argument of the other: `fy` and `yfx` of one priority.
            let takes_more = last.operator.right_max() == operator.priority;
            if last.operator.priority > operator.left_max() || takes_more && self.builder.is_iso() {
                // It binds less tightly, so `operator` becomes part of its right argument.
                if operator.priority > last.operator.right_max() {
                    return Err(Box::new(self.clash(last, span)));
                }
                break;
            }
            self.reduce()?;
        }
        Ok(())
    }

    /// Builds the term of the last pending operator.
    fn reduce(&mut self) -> Result<(), Box<Diagnostic>> {
        let Some(last) = self.pending.pop() else {
            return Ok(());
        };
        let Some(right) = self.operands.pop() else {
            return Err(Box::new(self.clash(&last, last.span)));
        };
        // `1 - :- a`: a right operand of priority 1200, where `-` takes 499 at most.
        if right.priority > last.operator.right_max() {
            return Err(Box::new(self.clash(&last, last.span)));
        }
        let span = self.builder.document.span(right.node).to(last.span);
        let node = if last.prefix {
            self.builder.add_compound(last.name, &[right.node], span)
        } else {
            let Some(left) = self.operands.pop() else {
                return Err(Box::new(self.clash(&last, last.span)));
            };
            if left.priority > last.operator.left_max() {
                return Err(Box::new(self.clash(&last, last.span)));
            }
            let span = span.to(self.builder.document.span(left.node));
            self.builder
                .add_compound(last.name, &[left.node, right.node], span)
        };
        self.push(node, last.operator.priority);
        Ok(())
    }

    fn reduce_postfix(&mut self) -> Result<(), Box<Diagnostic>> {
        let (Some(last), Some(left)) = (self.pending.pop(), self.operands.pop()) else {
            return Ok(());
        };
        if left.priority > last.operator.left_max() {
            return Err(Box::new(self.clash(&last, last.span)));
        }
        let span = self.builder.document.span(left.node).to(last.span);
        let node = self.builder.add_compound(last.name, &[left.node], span);
        self.push(node, last.operator.priority);
        Ok(())
    }

    fn push_item(&mut self, item: Item) {
        let node = self.builder.operand(item);
        self.push(node, 0);
    }

    fn push(&mut self, node: NodeId, priority: u16) {
        self.operands.push(Operand { node, priority });
    }

    /// Infix GDL has no names of symbol characters outside of quotes.
    fn check_gdl_name(&self, item: Item, quoted: bool) -> Result<(), Box<Diagnostic>> {
        let text = shorten(self.builder.slice(item.span));
        let known = !self.builder.operators_of(item).is_empty();
        if !self.builder.is_gdl() || quoted || !self.is_symbolic(item) || known {
            return Ok(());
        }
        let fault = Diagnostic::error(
            NOT_INFIX_GDL,
            item.span,
            format!("`{text}` is not part of infix GDL"),
        )
        .with_label("no operator of the Game Description Language")
        .with_help(
            "the operators are `:-` `,` `&` `|` `;` `not` `~` and `\\=`; a symbol of other \
             characters must be quoted",
        );
        Err(Box::new(fault))
    }

    fn is_symbolic(&self, item: Item) -> bool {
        let text = self.builder.slice(item.span);
        !text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    fn expected_operator(&self, item: Item, before: Span) -> Diagnostic {
        let text = shorten(self.builder.slice(item.span));
        let is_group = text.starts_with('(') && before.end == item.span.start;
        let after_variable = self
            .builder
            .slice(before)
            .starts_with(|c: char| c.is_uppercase() || c == '_');
        if is_group && after_variable {
            let name = shorten(self.builder.slice(before));
            return Diagnostic::error(
                VARIABLE_AS_NAME,
                before,
                format!("variable `{name}` as the name of a relation"),
            )
            .with_label("a name must stand here")
            .with_help("names begin with a lower-case letter");
        }
        if self.builder.is_gdl() && PROLOG_WORDS.contains(&text) {
            return not_gdl(
                item.span,
                &format!("operator `{text}` is not part of infix GDL"),
            );
        }
        let in_group = self.extent == TermExtent::Whole;
        let help = match (self.builder.starts_line(item), self.builder.is_gdl()) {
            (true, true) if in_group => "is a `)` missing at the end of the line before it?",
            (true, _) => "is a `.` missing at the end of the line before it?",
            (false, true) => "is a `,` missing? a new sentence must begin on a new line",
            (false, false) => "is a `,` missing before it?",
        };
        Diagnostic::error(
            EXPECTED_OPERATOR,
            item.span,
            format!("expected an operator, found `{text}`"),
        )
        .with_label("a complete term stands before this")
        .with_help(help)
    }

    fn expected_term(&self, item: Item) -> Diagnostic {
        let text = shorten(self.builder.slice(item.span));
        Diagnostic::error(
            EXPECTED_TERM,
            item.span,
            format!("expected a term, found `{text}`"),
        )
        .with_label("a term must stand before this")
    }

    /// The items end with `last`, where an operand is expected.
    fn missing_operand(&self, last: Item) -> Diagnostic {
        let text = shorten(self.builder.slice(last.span));
        Diagnostic::error(
            EXPECTED_TERM,
            last.span,
            format!("expected a term behind `{text}`"),
        )
        .with_label("its argument is missing")
    }

    fn clash(&self, pending: &Pending, span: Span) -> Diagnostic {
        let first = shorten(self.builder.slice(pending.span));
        let second = shorten(self.builder.slice(span));
        Diagnostic::error(
            OPERATOR_CLASH,
            span,
            format!("operator `{second}` does not combine with `{first}`"),
        )
        .with_label(if pending.span == span {
            "its argument binds less tightly"
        } else {
            "neither binds tighter"
        })
        .with_related(pending.span, "")
        .with_help("use parentheses")
    }
}
