//! Domain constraints: what was proved of all states.

use super::BookWriter;
use crate::fluent::constraint::Constraint;
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::fluent::emit::style::BookStyle;
use crate::term::{Functor, TermId};

/// How the arguments of an instance of a fluent are written.
struct Pattern<'p> {
    fluent: Functor,
    /// Which argument of the key one is, by position.
    key: &'p dyn Fn(usize) -> Option<usize>,
    /// How many arguments the key has.
    keys: usize,
    /// An argument that is some term.
    fixed: Option<(usize, TermId)>,
}

impl Pattern<'_> {
    /// The positions that are neither of the key nor fixed.
    fn open(&self) -> Vec<usize> {
        let is_fixed = |at| self.fixed.is_some_and(|(of, _)| of == at);
        (0..self.fluent.arity as usize)
            .filter(|&at| (self.key)(at).is_none() && !is_fixed(at))
            .collect()
    }
}

impl BookWriter<'_> {
    pub(super) fn constraints(&mut self) {
        if self.axioms.constraints.is_empty() {
            return;
        }
        self.heading("Domain constraints");
        for constraint in &self.axioms.constraints {
            let formula = self.constraint(constraint);
            self.formula(&formula);
        }
    }

    fn constraint(&self, constraint: &Constraint) -> Formula {
        match constraint {
            Constraint::Functional { fluent, key, only } => self.functional(&Pattern {
                fluent: *fluent,
                key: &|at| key.iter().position(|&k| k == at),
                keys: key.len(),
                fixed: *only,
            }),
            Constraint::Exclusive { one, other, key } => {
                let left = Pattern {
                    fluent: *one,
                    key: &|at| key.iter().position(|&(of_one, _)| of_one == at),
                    keys: key.len(),
                    fixed: None,
                };
                let right = Pattern {
                    fluent: *other,
                    key: &|at| key.iter().position(|&(_, of_other)| of_other == at),
                    ..left
                };
                self.both(&left, &right)
                    .wrap(&format!("{}(", self.signs.not), ")")
            }
            Constraint::Some { fluent, key } => self.some(&Pattern {
                fluent: *fluent,
                key: &|at| key.iter().position(|&k| k == at),
                keys: key.len(),
                fixed: None,
            }),
        }
    }

    /// Two instances with the same key are equal.
    fn functional(&self, pattern: &Pattern<'_>) -> Formula {
        let (left, right) = (self.arguments(pattern, "u"), self.arguments(pattern, "v"));
        let open = pattern.open().into_iter();
        let equations = open.map(|at| Formula::atom(format!("{} = {}", left[at], right[at])));
        let equal = Formula::join(equations, self.signs.and);
        Formula::join([self.both(pattern, pattern), equal], self.signs.implies)
    }

    /// Two instances hold.
    fn both(&self, left: &Pattern<'_>, right: &Pattern<'_>) -> Formula {
        let instance = |pattern: &Pattern<'_>, letter| {
            Formula::atom(self.instance(pattern.fluent, &self.arguments(pattern, letter), "z"))
        };
        Formula::join([instance(left, "u"), instance(right, "v")], self.signs.and)
    }

    /// For every key that an instance has at the start there always is an instance.
    fn some(&self, pattern: &Pattern<'_>) -> Formula {
        let arguments = self.arguments(pattern, "u");
        let own: Vec<&str> = pattern.open().iter().map(|&at| &*arguments[at]).collect();
        let prefix = if own.is_empty() {
            String::new()
        } else {
            format!("({}{})", self.signs.exists, own.join(", "))
        };
        let holds = |state| {
            let instance = self.instance(pattern.fluent, &arguments, state);
            Formula::atom(format!("{prefix}{instance}"))
        };
        if pattern.keys == 0 {
            return holds("z");
        }
        let start = match self.style {
            BookStyle::Unicode => "State(S₀)",
            BookStyle::Latex => "\\mathit{State}(S_0)",
        };
        Formula::join([holds(start), holds("z")], self.signs.implies)
    }

    /// That an instance of a fluent holds.
    fn instance(&self, fluent: Functor, arguments: &[String], state: &str) -> String {
        let name = self.style.symbol(self.store.name(fluent.symbol));
        let fluent = if arguments.is_empty() {
            name
        } else {
            format!("{name}({})", arguments.join(", "))
        };
        format!("{}({fluent}, {state})", self.style.word("Holds"))
    }

    /// The arguments of an instance: `x` for those of the key, a letter for others.
    fn arguments(&self, pattern: &Pattern<'_>, letter: &str) -> Vec<String> {
        let numbered = |letter: &str, index: usize, many: bool| {
            let name = if many {
                format!("{letter}{}", index + 1)
            } else {
                letter.to_owned()
            };
            self.style.variable(&name)
        };
        let open = pattern.open();
        let argument = |at: usize| match ((pattern.key)(at), pattern.fixed) {
            (Some(index), _) => numbered("x", index, pattern.keys > 1),
            (None, Some((of, term))) if of == at => {
                Names::default().term(self.store, self.style, term)
            }
            (None, _) => {
                let index = open.iter().filter(|&&before| before < at).count();
                numbered(letter, index, open.len() > 1)
            }
        };
        (0..pattern.fluent.arity as usize).map(argument).collect()
    }
}
