//! Clauses of a FLUX program as text: goals one to a line, indented by four columns, long ones
//! broken at their commas.

use crate::fluent::emit::flux::relations::{Extra, ProgramWords, Relations};
use crate::syntax::{OperatorTable, infix_names, needs_quotes, quote};
use crate::term::{Functor, Infix, Store, SymbolId, Term, TermId};

/// Columns of a line.
const WIDTH: usize = 98;

/// Columns by which the goals of a body are indented.
const INDENT: usize = 4;

/// Variables that programs use for themselves.
const RESERVED: [&str; 8] = ["Z", "Z1", "Z2", "F", "Joint", "Negative", "Positive", "_"];

/// Writes the goals of one clause.
pub(super) struct ClauseText<'a> {
    store: &'a Store,
    words: &'a ProgramWords,
    relations: &'a Relations,
    /// The names of the variables, by number.
    names: Vec<SymbolId>,
    /// How the state and the joint move are called in this clause.
    state: &'a str,
    joint: &'a str,
    uses_state: bool,
    uses_joint: bool,
}

/// What all clauses of a program share.
#[derive(Clone, Copy)]
pub(super) struct ProgramSetting<'a> {
    pub(super) words: &'a ProgramWords,
    pub(super) relations: &'a Relations,
}

/// Names for the variables of a clause: those `written`, as Prolog has them; the name of one that
/// occurs once begins with `_`.
pub(super) fn variable_names(
    store: &mut Store,
    written: &[String],
    terms: &[TermId],
) -> Vec<SymbolId> {
    let mut count = vec![0usize; written.len()];
    let mut stack = terms.to_vec();
    while let Some(term) = stack.pop() {
        match store.view(term) {
            Term::Variable(number) => count[number as usize] += 1,
            Term::Compound(_, arguments) => stack.extend(arguments),
            Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Big(_) | Term::Text(_) => {}
        }
    }
    let names = infix_names(written.iter().map(String::as_str), &RESERVED);
    let names = names
        .iter()
        .zip(count)
        .map(|(name, count)| match (name.starts_with('_'), count) {
            (false, 1) => format!("_{name}"),
            (true, 2..) => format!("V{name}"),
            (true, _) | (false, _) => name.clone(),
        });
    let names: Vec<String> = names.collect();
    names.iter().map(|name| store.symbol(name)).collect()
}

impl<'a> ClauseText<'a> {
    pub(super) fn new(
        store: &'a Store,
        setting: ProgramSetting<'a>,
        names: Vec<SymbolId>,
        state: &'a str,
        joint: &'a str,
    ) -> Self {
        Self {
            store,
            words: setting.words,
            relations: setting.relations,
            names,
            state,
            joint,
            uses_state: false,
            uses_joint: false,
        }
    }

    /// A term.
    pub(super) fn term(&self, term: TermId) -> String {
        Infix::with_variables(self.store, term, &self.names).to_string()
    }

    /// The state as an argument of the head, once the body is written.
    pub(super) fn head_state(&self) -> &'a str {
        if self.uses_state { self.state } else { "_" }
    }

    /// The joint move as an argument of the head, once the body is written.
    pub(super) fn head_joint(&self) -> &'a str {
        if self.uses_joint { self.joint } else { "_" }
    }

    /// The goals of a body.
    pub(super) fn goals(&mut self, body: &[TermId]) -> Vec<String> {
        let goals = body.iter();
        goals.map(|&goal| self.goal(goal, INDENT)).collect()
    }

    /// A relation applied to arguments and to what the program hands to it.
    pub(super) fn head(&self, atom: TermId, relation: Functor) -> String {
        let mut arguments = self.arguments(atom);
        let predicate = self.relations.get(relation);
        match predicate.map_or(Extra::Nothing, |predicate| predicate.extra) {
            Extra::Nothing => {}
            Extra::State => arguments.push(self.head_state().to_owned()),
            Extra::MovesAndState => {
                arguments.push(self.head_joint().to_owned());
                arguments.push(self.head_state().to_owned());
            }
        }
        let name = predicate.map_or_else(
            || self.store.name(relation.symbol),
            |predicate| predicate.name.as_str(),
        );
        apply(name, &arguments)
    }

    fn arguments(&self, atom: TermId) -> Vec<String> {
        let arguments = self.store.arguments(atom).iter();
        arguments.map(|&argument| self.term(argument)).collect()
    }

    /// A goal that begins in column `indent`. Recursion is as deep as connectives are nested in
    /// the rules, which the reader of the rules bounds.
    fn goal(&mut self, goal: TermId, indent: usize) -> String {
        let name = match self.store.functor(goal) {
            Some(functor) => self.store.name(functor.symbol),
            None => "",
        };
        match (name, self.store.arguments(goal)) {
            (",", [_, _]) => {
                let parts = self.parts(",", goal);
                self.conjunction(&parts, indent)
            }
            (";", [_, _]) => {
                let branches = self.parts(";", goal);
                self.disjunction(&branches, indent)
            }
            ("\\+", &[inner]) => self.negation(inner, indent),
            ("\\=", &[left, right]) => self.comparison(left, "\\=", right),
            _ => self.call(goal),
        }
    }

    /// The operands of an operator that associates to the right.
    fn parts(&self, operator: &str, goal: TermId) -> Vec<TermId> {
        let mut parts = Vec::new();
        let mut rest = goal;
        while let (Some(functor), &[first, more]) =
            (self.store.functor(rest), self.store.arguments(rest))
            && self.store.name(functor.symbol) == operator
        {
            parts.push(first);
            rest = more;
        }
        parts.push(rest);
        parts
    }

    fn conjunction(&mut self, parts: &[TermId], indent: usize) -> String {
        let goals: Vec<String> = parts.iter().map(|&part| self.goal(part, indent)).collect();
        join(&goals, indent)
    }

    fn disjunction(&mut self, branches: &[TermId], indent: usize) -> String {
        let texts: Vec<String> = branches
            .iter()
            .map(|&branch| self.goal(branch, indent + INDENT))
            .collect();
        let line = format!("( {} )", texts.join(" ; "));
        if fits(&line, indent) {
            return line;
        }
        let margin = " ".repeat(indent);
        let broken = texts.join(&format!("\n{margin};   "));
        format!("(   {broken}\n{margin})")
    }

    fn negation(&mut self, inner: TermId, indent: usize) -> String {
        let functor = self.store.functor(inner);
        let name = functor.map_or("", |functor| self.store.name(functor.symbol));
        match (name, self.store.arguments(inner)) {
            ("\\=", &[left, right]) => self.comparison(left, "=", right),
            (",", [_, _]) => {
                let text = self.goal(inner, indent + "\\+ ( ".len());
                format!("\\+ ( {text} )")
            }
            _ => format!("\\+ {}", self.goal(inner, indent + "\\+ ".len())),
        }
    }

    fn comparison(&self, left: TermId, operator: &str, right: TermId) -> String {
        format!("{} {operator} {}", self.operand(left), self.operand(right))
    }

    /// A term beside an operator; an atom that is an operator itself stands in brackets there.
    fn operand(&self, term: TermId) -> String {
        let text = self.term(term);
        match self.store.view(term) {
            Term::Atom(symbol) if is_operator(self.store.name(symbol)) => format!("({text})"),
            Term::Variable(_)
            | Term::Atom(_)
            | Term::Integer(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => text,
        }
    }

    fn call(&mut self, atom: TermId) -> String {
        let Some(relation) = self.store.functor(atom) else {
            return format!("call({})", self.term(atom));
        };
        let mut arguments = self.arguments(atom);
        if relation == self.words.state {
            self.uses_state = true;
            return format!("holds({}, {})", arguments.join(", "), self.state);
        }
        if relation == self.words.moves {
            self.uses_joint = true;
            return format!("member(does({}), {})", arguments.join(","), self.joint);
        }
        let Some(predicate) = self.relations.get(relation) else {
            return apply(self.store.name(relation.symbol), &arguments);
        };
        if predicate.extra == Extra::MovesAndState {
            self.uses_joint = true;
            arguments.push(self.joint.to_owned());
        }
        if predicate.extra != Extra::Nothing {
            self.uses_state = true;
            arguments.push(self.state.to_owned());
        }
        apply(&predicate.name, &arguments)
    }
}

fn is_operator(name: &str) -> bool {
    let is_symbolic = !name.starts_with(|first: char| first.is_alphanumeric());
    is_symbolic || !OperatorTable::prolog().lookup(name).is_empty()
}

fn fits(text: &str, indent: usize) -> bool {
    !text.contains('\n') && indent + text.chars().count() <= WIDTH
}

/// Goals on one line, or on one line each.
fn join(goals: &[String], indent: usize) -> String {
    let line = goals.join(", ");
    if fits(&line, indent) {
        return line;
    }
    goals.join(&format!(",\n{}", " ".repeat(indent)))
}

/// A name as Prolog reads it.
pub(super) fn atom(name: &str) -> String {
    if needs_quotes(name) {
        quote(name)
    } else {
        name.to_owned()
    }
}

/// A predicate applied to arguments.
pub(super) fn apply(name: &str, arguments: &[String]) -> String {
    match arguments {
        [] => atom(name),
        _ => format!("{}({})", atom(name), arguments.join(", ")),
    }
}

/// A list, broken after commas where a line would be too long; the first line begins in column
/// `indent`.
pub(super) fn list(items: &[String], indent: usize) -> String {
    let mut text = String::from("[");
    let mut column = indent + 1;
    for (index, item) in items.iter().enumerate() {
        let width = item.chars().count() + 2;
        if index > 0 {
            text.push(',');
            if column + width > WIDTH {
                text.push('\n');
                text.push_str(&" ".repeat(indent + 1));
                column = indent + 1;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(item);
        column += width - 1;
    }
    text.push(']');
    text
}

/// A clause.
pub(super) fn clause(head: &str, goals: &[String]) -> String {
    let margin = " ".repeat(INDENT);
    match goals {
        [] => format!("{head}.\n"),
        _ => format!(
            "{head} :-\n{margin}{}.\n",
            goals.join(&format!(",\n{margin}"))
        ),
    }
}
