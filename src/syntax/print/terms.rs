//! Terms and conditions as text, without recursion.

use std::fmt::Write;

use crate::syntax::print::options::{Case, PrintOptions};
use crate::syntax::print::variables::VariableNames;
use crate::syntax::quote::{needs_quotes, needs_quotes_in_infix, quote, quote_with};
use crate::syntax::span::Source;
use crate::syntax::tree::{Document, Name, Node, NodeId, Notation};

pub(super) struct TermPrinter<'d, 't> {
    pub(super) document: &'d Document,
    pub(super) source: &'d Source,
    pub(super) options: PrintOptions,
    pub(super) names: &'d VariableNames<'d>,
    pub(super) text: &'t mut String,
}

/// What is still to be printed.
#[derive(Clone, Copy)]
enum Work {
    Term(NodeId),
    /// A condition of infix notation, where connectives are operators.
    Condition(NodeId),
    Text(&'static str),
}

impl TermPrinter<'_, '_> {
    /// Prints a term.
    pub(super) fn term(&mut self, id: NodeId) {
        self.run(Work::Term(id));
    }

    /// Prints a condition in the body of an infix rule.
    pub(super) fn condition(&mut self, id: NodeId) {
        // A conjunction with `,` would become part of the body.
        if self.is_word(id, "and") {
            self.run_functional(id)
        } else {
            self.run(Work::Condition(id))
        }
    }

    fn run_functional(&mut self, id: NodeId) {
        let mut work = Vec::new();
        self.functional(id, Work::Condition, &mut work);
        self.drain(work);
    }

    fn run(&mut self, first: Work) {
        self.drain(vec![first]);
    }

    fn drain(&mut self, mut work: Vec<Work>) {
        while let Some(next) = work.pop() {
            match next {
                Work::Text(text) => self.text.push_str(text),
                Work::Term(id) if self.options.notation == Notation::Prefix => {
                    self.prefix_term(id, &mut work);
                }
                Work::Term(id) => self.infix_term(id, &mut work),
                Work::Condition(id) => self.infix_condition(id, &mut work),
            }
        }
    }

    fn prefix_term(&mut self, id: NodeId, work: &mut Vec<Work>) {
        let Node::Compound { functor, .. } = self.document.node(id) else {
            self.leaf(id);
            return;
        };
        self.text.push('(');
        self.symbol(functor);
        work.push(Work::Text(")"));
        for &argument in self.document.arguments(id).iter().rev() {
            work.extend([Work::Term(argument), Work::Text(" ")]);
        }
    }

    fn infix_term(&mut self, id: NodeId, work: &mut Vec<Work>) {
        let Node::Compound { .. } = self.document.node(id) else {
            self.leaf(id);
            return;
        };
        if let Some((head, tail)) = self.list_cell(id) {
            self.text.push('[');
            self.list(head, tail, work);
        } else if let Some(inner) = self.braces(id) {
            self.text.push('{');
            work.extend([Work::Text("}"), Work::Term(inner)]);
        } else {
            self.functional(id, Work::Term, work);
        }
    }

    /// The term in braces that a Prolog term is.
    fn braces(&self, id: NodeId) -> Option<NodeId> {
        let Node::Compound { functor, .. } = self.document.node(id) else {
            return None;
        };
        let arguments = match self.options.notation {
            Notation::Prolog => self.document.arguments(id),
            Notation::Prefix | Notation::Infix => return None,
        };
        match *arguments {
            [inner] if self.document.name(self.source, functor) == "{}" => Some(inner),
            _ => None,
        }
    }

    /// Prints `f(` and leaves the arguments for later.
    fn functional(&mut self, id: NodeId, argument: fn(NodeId) -> Work, work: &mut Vec<Work>) {
        let Node::Compound { functor, .. } = self.document.node(id) else {
            self.leaf(id);
            return;
        };
        match self.document.name(self.source, functor) {
            // Bare brackets are atoms, but no reader takes them for the name of a compound.
            name @ ("[]" | "{}") => self.text.push_str(&quote(name)),
            _ => self.symbol(functor),
        }
        self.text.push('(');
        work.push(Work::Text(")"));
        self.separated(self.document.arguments(id), ", ", argument, work);
    }

    fn separated(
        &self,
        ids: &[NodeId],
        separator: &'static str,
        each: fn(NodeId) -> Work,
        work: &mut Vec<Work>,
    ) {
        for (index, &id) in ids.iter().enumerate().rev() {
            work.push(each(id));
            if index > 0 {
                work.push(Work::Text(separator));
            }
        }
    }

    /// The elements of a Prolog list behind its bracket.
    fn list(&self, head: NodeId, tail: NodeId, work: &mut Vec<Work>) {
        // Collected in reading order, and put on the stack in reverse.
        let mut parts = vec![Work::Term(head)];
        let mut rest = tail;
        while let Some((head, tail)) = self.list_cell(rest) {
            parts.extend([Work::Text(", "), Work::Term(head)]);
            rest = tail;
        }
        let is_nil = matches!(self.document.node(rest), Node::Symbol(name)
            if self.document.name(self.source, name) == "[]");
        if !is_nil {
            parts.extend([Work::Text("|"), Work::Term(rest)]);
        }
        parts.push(Work::Text("]"));
        work.extend(parts.into_iter().rev());
    }

    fn list_cell(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        let Node::Compound { functor, .. } = self.document.node(id) else {
            return None;
        };
        if self.options.notation != Notation::Prolog {
            return None;
        }
        match *self.document.arguments(id) {
            [head, tail] if self.document.name(self.source, functor) == "[|]" => Some((head, tail)),
            _ => None,
        }
    }

    /// A condition with `not`, `\=` and `|` as operators where reading them gives the same tree.
    fn infix_condition(&mut self, id: NodeId, work: &mut Vec<Work>) {
        if self.options.notation == Notation::Prolog {
            self.infix_term(id, work);
            return;
        }
        let arguments = self.document.arguments(id);
        match (self.word(id), arguments) {
            (Some("not"), &[negated]) => {
                self.text.push_str("not ");
                work.push(Work::Condition(negated));
            }
            (Some("distinct"), &[left, right]) => {
                work.extend([Work::Term(right), Work::Text(" \\= "), Work::Term(left)]);
            }
            // `a | (b | c)` would be read as one disjunction of three: then the functional form keeps the nesting.
            (Some(word @ ("or" | "and")), [_, .., last]) if !self.is_word(*last, word) => {
                self.text.push('(');
                work.push(Work::Text(")"));
                let separator = if word == "or" { " | " } else { ", " };
                self.separated(arguments, separator, Work::Condition, work);
            }
            (Some("not" | "or" | "and"), _) => self.functional(id, Work::Condition, work),
            _ => self.infix_term(id, work),
        }
    }

    /// The connective that a compound is.
    fn word(&self, id: NodeId) -> Option<&'static str> {
        let Node::Compound { functor, .. } = self.document.node(id) else {
            return None;
        };
        let name = self.document.name(self.source, functor);
        ["not", "or", "and", "distinct"]
            .into_iter()
            .find(|word| match self.options.case {
                Case::Fold => name.eq_ignore_ascii_case(word),
                Case::Keep => name == *word,
            })
    }

    fn is_word(&self, id: NodeId, word: &str) -> bool {
        self.word(id) == Some(word) && self.options.notation == Notation::Infix
    }

    fn leaf(&mut self, id: NodeId) {
        match self.document.node(id) {
            Node::Variable(name) => {
                if self.options.notation == Notation::Prefix {
                    self.text.push('?');
                }
                let name = self.names.name(self.document, self.source, name);
                self.text.push_str(name);
            }
            Node::Symbol(name) | Node::Compound { functor: name, .. } => self.symbol(name),
            // Writing to a string does not fail.
            Node::Integer(value) => {
                let _ = write!(self.text, "{value}");
            }
            Node::Float(value) => self.float(value),
            Node::Big(name) => self.text.push_str(self.document.name(self.source, name)),
            Node::Text(name) => {
                let text = quote_with(self.document.name(self.source, name), '"');
                self.text.push_str(&text);
            }
        }
    }

    fn float(&mut self, value: f64) {
        let written = match value {
            _ if value.is_nan() => "1.5NaN".to_owned(),
            f64::INFINITY => "1.0Inf".to_owned(),
            f64::NEG_INFINITY => "-1.0Inf".to_owned(),
            _ => format!("{value:?}"),
        };
        self.text.push_str(&written);
    }

    fn symbol(&mut self, name: Name) {
        let written = self.document.name(self.source, name);
        let folds = self.options.case == Case::Fold
            && self.options.notation != Notation::Prolog
            && !written
                .bytes()
                .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let folded;
        let symbol = if folds {
            folded = written.to_lowercase();
            &folded
        } else {
            written
        };
        let quotes = match self.options.notation {
            Notation::Prefix => false,
            Notation::Infix => needs_quotes_in_infix(symbol),
            Notation::Prolog => needs_quotes(symbol),
        };
        if quotes {
            self.text.push_str(&quote(symbol))
        } else {
            self.text.push_str(symbol)
        }
    }
}
