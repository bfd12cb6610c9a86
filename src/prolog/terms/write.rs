//! Terms as text: `write`, `writeq`, `print`, `write_canonical`.
//!
//! Operators are printed with the brackets that reading needs and no others, and a space only where
//! two tokens would run together (`1- -1`, `a mod b`, `- 1` for `-(1)`). The walk keeps a stack of
//! what is left to print, so depth is bounded by memory. Source: [ISO 7.10.5]; layout as in
//! SWI-Prolog 9.

use rustc_hash::FxHashMap;

use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::heap::{Heap, TermView};
use crate::prolog::terms::lexical::{
    atom_text, float_text, is_alphanumeric, is_symbolic, quoted, runs_together, variable_name,
};
use crate::syntax::{Operator, OperatorTable};
use crate::term::SymbolId;

/// How a term is printed.
#[derive(Clone, Debug)]
pub(crate) struct WriteOptions<'o> {
    pub(crate) quoted: bool,
    pub(crate) ignore_operators: bool,
    /// `'$VAR'(1)` is `B`.
    pub(crate) number_variables: bool,
    pub(crate) operators: &'o OperatorTable,
    /// Names for unbound variables; others are `_` and a number.
    pub(crate) names: Option<&'o FxHashMap<Cell, String>>,
    /// The greatest priority that needs no brackets.
    pub(crate) priority: u16,
    /// The text is to be read strictly: see [`crate::syntax::PrologReader::set_strict`].
    pub(crate) iso: bool,
    /// A space behind each comma between arguments and elements: `f(a, [b, c])`.
    pub(crate) spaced: bool,
    /// What is nested deeper is written as `...`; each element of a list is one deeper than the one before, as in
    /// SWI-Prolog. Zero: there is no limit.
    pub(crate) max_depth: usize,
}

impl<'o> WriteOptions<'o> {
    /// As `writeq/1` prints.
    pub(crate) fn quoted(operators: &'o OperatorTable) -> Self {
        Self {
            quoted: true,
            ignore_operators: false,
            number_variables: true,
            operators,
            names: None,
            priority: 1200,
            iso: false,
            spaced: false,
            max_depth: 0,
        }
    }

    /// What stands between arguments.
    fn comma(&self) -> &'static str {
        if self.spaced { ", " } else { "," }
    }
}

/// What is left to print.
enum WriteStep {
    Term(Cell, u16),
    /// An argument of a compound or an element of a list: an operator alone needs no brackets.
    Argument(Cell),
    /// An operand of at most this priority: an operator alone needs brackets [ISO, 6.3.1.3].
    Operand(Cell, u16),
    /// A token of its own.
    Token(String),
    /// An infix operator: a bracket behind it opens its right side, and is no argument list.
    Infix(String),
    /// Text that never touches its neighbours.
    Punctuation(&'static str),
    /// The rest of a list.
    Tail(Cell),
    /// What follows is nested so deep.
    Depth(usize),
}

/// The text so far.
struct TermWriter<'w> {
    heap: &'w mut Heap,
    options: &'w WriteOptions<'w>,
    text: String,
    /// Where the text ended behind the last infix operator.
    infix_end: usize,
    /// Where the text ended behind the last prefix minus.
    minus_end: usize,
    /// How deep the term that is written is nested; counted only where there is a limit.
    depth: usize,
    work: Vec<WriteStep>,
}

impl Heap {
    /// The text of a term; a part of it if a limit is reached. Cyclic terms are written as a template and what its
    /// variables stand for: `@(S_1,[S_1=f(S_1)])`.
    pub(crate) fn text_of(&mut self, term: Cell, options: &WriteOptions<'_>) -> String {
        match self.finite_text(term, options) {
            Some(text) => text,
            None => self.factorized_text(term, options),
        }
    }

    fn factorized_text(&mut self, term: Cell, options: &WriteOptions<'_>) -> String {
        let (finite, variables) = self.factorized(term);
        let mut names = options.names.cloned().unwrap_or_default();
        let cycles = variables.into_iter().zip(1..);
        names.extend(cycles.map(|(variable, number)| (variable, format!("S_{number}"))));
        let options = WriteOptions {
            names: Some(&names),
            ..options.clone()
        };
        self.finite_text(finite, &options).unwrap_or_default()
    }

    /// The text of a term, or none if it is cyclic.
    fn finite_text(&mut self, term: Cell, options: &WriteOptions<'_>) -> Option<String> {
        let mut writer = TermWriter {
            heap: self,
            options,
            text: String::new(),
            infix_end: 0,
            minus_end: 0,
            depth: 0,
            work: vec![WriteStep::Term(term, options.priority)],
        };
        let mut rounds = writer.heap.rounds();
        while let Some(work) = writer.work.pop() {
            if writer.heap.is_endless(&mut rounds, term) {
                return None;
            }
            if !writer.heap.may_go_on(writer.text.len()) {
                break;
            }
            match work {
                WriteStep::Term(..) | WriteStep::Argument(_) | WriteStep::Operand(..)
                    if writer.options.max_depth > 0 && !writer.descend() =>
                {
                    writer.token("...");
                }
                WriteStep::Term(term, priority) => writer.term(term, priority),
                WriteStep::Argument(term) => writer.argument(term),
                WriteStep::Operand(term, priority) => writer.operand(term, priority),
                WriteStep::Token(token) => writer.token(&token),
                WriteStep::Infix(token) => {
                    writer.token(&token);
                    writer.infix_end = writer.text.len();
                }
                WriteStep::Punctuation(text) => writer.text.push_str(text),
                WriteStep::Tail(tail) => writer.tail(tail),
                WriteStep::Depth(depth) => writer.depth = depth,
            }
        }
        Some(writer.text)
    }
}

impl TermWriter<'_> {
    /// Appends a token, with a space in front if it would run into the one before.
    fn token(&mut self, token: &str) {
        if let (Some(last), Some(first)) = (self.text.chars().last(), token.chars().next())
            && (runs_together(last, first)
                // `- 1^2` is no power of `-1`.
                || self.minus_end == self.text.len() && first.is_ascii_digit())
        {
            self.text.push(' ');
        }
        self.text.push_str(token);
    }

    /// Goes one deeper until the term that comes is written; false if that is too deep.
    fn descend(&mut self) -> bool {
        self.work.push(WriteStep::Depth(self.depth));
        self.depth += 1;
        self.depth <= self.options.max_depth
    }

    fn argument(&mut self, term: Cell) {
        match self.heap.view(term) {
            TermView::Atom(name) => {
                let text = self.atom_text(name);
                self.token(&text);
            }
            TermView::Variable(_)
            | TermView::Text(_)
            | TermView::Integer(_)
            | TermView::Float(_)
            | TermView::Big(_)
            | TermView::Compound(..) => self.term(term, 999),
        }
    }

    fn operand(&mut self, term: Cell, priority: u16) {
        if self.is_operator_atom(term) {
            self.open_bracket();
            self.argument(term);
            self.text.push(')');
        } else {
            self.term(term, priority);
        }
    }

    fn term(&mut self, term: Cell, priority: u16) {
        match self.heap.view(term) {
            TermView::Variable(index) => {
                let name = self
                    .options
                    .names
                    .and_then(|names| names.get(&Cell::reference(index)))
                    .cloned()
                    .unwrap_or_else(|| format!("_G{index}"));
                self.token(&name);
            }
            TermView::Integer(value) => self.token(&value.to_string()),
            TermView::Big(cell) => {
                let text = self.heap.big_value(cell).to_string();
                self.token(&text);
            }
            TermView::Float(value) => self.token(&float_text(value)),
            TermView::Text(name) => {
                let text = self.heap.name(name).to_owned();
                if self.options.quoted {
                    self.token(&quoted(&text, '"'));
                } else {
                    self.token(&text);
                }
            }
            TermView::Atom(name) => self.atom(name, priority),
            TermView::Compound(name, arity, first) => self.compound(name, arity, first, priority),
        }
    }

    fn atom_text(&self, name: SymbolId) -> String {
        let text = self.heap.name(name);
        if self.options.quoted {
            atom_text(text)
        } else {
            text.to_owned()
        }
    }

    fn atom(&mut self, name: SymbolId, priority: u16) {
        let text = self.atom_text(name);
        let operators = self.options.operators.lookup(self.heap.name(name));
        let greatest = [operators.prefix, operators.infix, operators.postfix]
            .into_iter()
            .flatten()
            .map(|operator| operator.priority)
            .max();
        if greatest.is_some_and(|own| own > priority) {
            self.open_bracket();
            self.text.push_str(&text);
            self.text.push(')');
        } else {
            self.token(&text);
        }
    }

    fn open_bracket(&mut self) {
        // A name in front of a bracket would be a functor.
        if self.text.len() != self.infix_end
            && let Some(last) = self.text.chars().last()
            && (is_alphanumeric(last) || is_symbolic(last) || ")'!;".contains(last))
        {
            self.text.push(' ');
        }
        self.text.push('(');
    }

    fn compound(&mut self, name: SymbolId, arity: usize, first: usize, priority: u16) {
        if name == atoms::DOT && arity == 2 {
            return self.list(first);
        }
        if let Some(number) = self.variable_number(name, arity, first) {
            return self.token(&variable_name(number));
        }
        if self.is_singleton(name, arity, first) {
            return self.token("_");
        }
        if !self.options.ignore_operators {
            if name == atoms::CURLY && arity == 1 {
                let argument = self.heap.argument(first, 0);
                self.token("{");
                self.work.push(WriteStep::Punctuation("}"));
                self.work.push(WriteStep::Term(argument, 1200));
                return;
            }
            if self.operator_term(name, arity, first, priority) {
                return;
            }
        }
        let text = self.atom_text(name);
        self.token(&text);
        self.text.push('(');
        self.work.push(WriteStep::Punctuation(")"));
        for position in (0..arity).rev() {
            let argument = self.heap.argument(first, position);
            self.work.push(WriteStep::Argument(argument));
            if position > 0 {
                self.work.push(WriteStep::Punctuation(self.options.comma()));
            }
        }
    }

    /// The number of the variable that a compound stands for, if these are named.
    fn variable_number(&mut self, name: SymbolId, arity: usize, first: usize) -> Option<i64> {
        if name != atoms::VAR || arity != 1 || !self.options.number_variables {
            return None;
        }
        let argument = self.heap.argument(first, 0);
        let number = self.heap.integer_value(argument);
        number.filter(|&number| number >= 0)
    }

    /// `'$VAR'('_')`, which `numbervars/4` makes of variables that occur once.
    fn is_singleton(&mut self, name: SymbolId, arity: usize, first: usize) -> bool {
        name == atoms::VAR && arity == 1 && self.options.number_variables && {
            let argument = self.heap.argument(first, 0);
            matches!(self.heap.view(argument), TermView::Atom(name) if self.heap.name(name) == "_")
        }
    }

    fn list(&mut self, first: usize) {
        let (head, tail) = (self.heap.argument(first, 0), self.heap.argument(first, 1));
        self.token("[");
        self.work.push(WriteStep::Tail(tail));
        self.work.push(WriteStep::Argument(head));
    }

    /// Whether the rest of a list, one deeper than the element before it, is left out.
    fn ends_here(&mut self) -> bool {
        self.depth += 1;
        self.depth >= self.options.max_depth
    }

    fn tail(&mut self, tail: Cell) {
        let tail = self.heap.deref(tail);
        if self.options.max_depth > 0 && tail != Cell::atom(atoms::NIL) && self.ends_here() {
            return self.text.push_str("|...]");
        }
        match self.heap.view(tail) {
            TermView::Atom(atoms::NIL) => self.text.push(']'),
            TermView::Compound(atoms::DOT, 2, first) => {
                let (head, tail) = (self.heap.argument(first, 0), self.heap.argument(first, 1));
                self.text.push_str(self.options.comma());
                self.work.push(WriteStep::Tail(tail));
                self.work.push(WriteStep::Argument(head));
            }
            TermView::Variable(_)
            | TermView::Atom(_)
            | TermView::Text(_)
            | TermView::Integer(_)
            | TermView::Float(_)
            | TermView::Big(_)
            | TermView::Compound(..) => {
                self.text.push('|');
                self.work.push(WriteStep::Punctuation("]"));
                self.work.push(WriteStep::Argument(tail));
            }
        }
    }

    /// Prints a term as an operation if its functor is an operator.
    fn operator_term(&mut self, name: SymbolId, arity: usize, first: usize, max: u16) -> bool {
        let operators = self.options.operators.lookup(self.heap.name(name));
        let left = self.heap.argument(first, 0);
        match (arity, operators.infix, operators.prefix, operators.postfix) {
            (2, Some(operator), _, _) => {
                let right = self.heap.argument(first, 1);
                self.infix(name, operator, (left, right), max);
            }
            (1, _, Some(operator), _) => self.prefix(name, operator, left, max),
            (1, _, None, Some(operator)) => {
                let text = self.atom_text(name);
                let left_max = self.left_max(operator, left);
                self.bracketed(operator, max, |writer| {
                    writer.work.push(WriteStep::Token(text));
                    writer.work.push(WriteStep::Operand(left, left_max));
                });
            }
            _ => return false,
        }
        true
    }

    fn bracketed(&mut self, operator: Operator, max: u16, inner: impl FnOnce(&mut Self)) {
        if operator.priority > max {
            self.open_bracket();
            self.work.push(WriteStep::Punctuation(")"));
        }
        inner(self);
    }

    fn infix(&mut self, name: SymbolId, operator: Operator, (left, right): (Cell, Cell), max: u16) {
        let text = self.atom_text(name);
        let left_max = self.left_max(operator, left);
        let right_max = self.right_max(operator, right);
        self.bracketed(operator, max, |writer| {
            writer.work.push(WriteStep::Operand(right, right_max));
            match name {
                atoms::COMMA => {
                    let comma = writer.options.comma();
                    writer.work.push(WriteStep::Punctuation(comma));
                }
                atoms::BAR => writer.work.push(WriteStep::Punctuation("|")),
                _ => {
                    // A bracket directly behind a name opens its arguments. Behind a token there is a space before such a
                    // bracket; a quoted one has spaces on both sides.
                    let spaces = if text.starts_with('\'') { " " } else { "" };
                    let is_name = text.starts_with(is_alphanumeric) || text.starts_with('\'');
                    writer.work.push(WriteStep::Punctuation(spaces));
                    writer.work.push(if is_name {
                        WriteStep::Token(text)
                    } else {
                        WriteStep::Infix(text)
                    });
                    writer.work.push(WriteStep::Punctuation(spaces));
                }
            }
            writer.work.push(WriteStep::Operand(left, left_max));
        });
    }

    fn prefix(&mut self, name: SymbolId, operator: Operator, argument: Cell, max: u16) {
        let text = self.atom_text(name);
        let is_minus = name == atoms::MINUS;
        let is_number = matches!(
            self.heap.view(argument),
            TermView::Integer(_) | TermView::Float(_) | TermView::Big(_)
        );
        // By the standard `- 1` is the number; and `- (a^2)` has brackets as `- (1^2)` has.
        let needs_brackets = is_minus
            && self.options.iso
            && (self.begins_with_number(argument) || self.is_infix(argument));
        let right_max = self.right_max(operator, argument);
        self.bracketed(operator, max, |writer| {
            writer.token(&text);
            if needs_brackets {
                writer.open_bracket();
                writer.work.push(WriteStep::Punctuation(")"));
                writer.work.push(WriteStep::Term(argument, 1200));
                return;
            }
            if is_minus && is_number {
                writer.text.push(' ');
            } else if is_minus {
                writer.minus_end = writer.text.len();
            }
            writer.work.push(WriteStep::Operand(argument, right_max));
        });
    }

    /// The greatest priority of a left operand. One of the operator's own priority that itself
    /// could take the operator as a part of its right operand needs brackets: `(fy 1)yfx 2`.
    fn left_max(&mut self, operator: Operator, left: Cell) -> u16 {
        match self.operator_of(left) {
            Some(inner) if inner.right_max() == operator.priority => operator.priority - 1,
            Some(_) | None => operator.left_max(),
        }
    }

    /// The greatest priority of a right operand, see [`Self::left_max`]: `1 xfy(2 yf)`.
    fn right_max(&mut self, operator: Operator, right: Cell) -> u16 {
        match self.operator_of(right) {
            Some(inner) if inner.left_max() == operator.priority && !self.options.iso => {
                operator.priority - 1
            }
            Some(_) | None => operator.right_max(),
        }
    }

    /// Whether a term is written with an infix operator.
    fn is_infix(&mut self, term: Cell) -> bool {
        let TermView::Compound(name, 2, _) = self.heap.view(term) else {
            return false;
        };
        let operators = self.options.operators.lookup(self.heap.name(name));
        operators.infix.is_some()
    }

    /// Whether the first token of a term is a number without sign.
    fn begins_with_number(&mut self, mut term: Cell) -> bool {
        loop {
            match self.heap.view(term) {
                TermView::Integer(value) => return value >= 0,
                TermView::Float(value) => return !value.is_sign_negative(),
                TermView::Big(_) => return true,
                TermView::Compound(name, arity, first) => {
                    let operators = self.options.operators.lookup(self.heap.name(name));
                    let is_behind_operand = match arity {
                        1 => operators.prefix.is_none() && operators.postfix.is_some(),
                        2 => operators.infix.is_some(),
                        _ => false,
                    };
                    let is_variable = self.variable_number(name, arity, first).is_some();
                    if !is_behind_operand || is_variable {
                        return false;
                    }
                    term = self.heap.argument(first, 0);
                }
                TermView::Variable(_) | TermView::Atom(_) | TermView::Text(_) => return false,
            }
        }
    }

    /// The operator that a term is written with.
    fn operator_of(&mut self, term: Cell) -> Option<Operator> {
        let TermView::Compound(name, arity, _) = self.heap.view(term) else {
            return None;
        };
        let operators = self.options.operators.lookup(self.heap.name(name));
        match arity {
            1 => operators.prefix.or(operators.postfix),
            2 => operators.infix,
            _ => None,
        }
    }

    fn is_operator_atom(&mut self, cell: Cell) -> bool {
        if let TermView::Atom(name) = self.heap.view(cell) {
            let name = self.heap.name(name);
            !self.options.operators.lookup(name).is_empty()
        } else {
            false
        }
    }
}
