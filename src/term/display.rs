//! Terms as text, in prefix notation.

use std::fmt;

use crate::term::store::{Store, Term, TermId};
use crate::term::symbol::SymbolId;

/// Shows a term in prefix notation with single spaces: `(cell 1 ?x b)`. Variables have the names
/// given, `?v0`, `?v1`, ... where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Prefix<'s> {
    store: &'s Store,
    term: TermId,
    variables: &'s [SymbolId],
}

impl<'s> Prefix<'s> {
    /// A ground term, or one whose variables need no names.
    pub fn new(store: &'s Store, term: TermId) -> Self {
        Self {
            store,
            term,
            variables: &[],
        }
    }

    /// A term of a clause with these names of variables.
    pub fn with_variables(store: &'s Store, term: TermId, variables: &'s [SymbolId]) -> Self {
        Self {
            store,
            term,
            variables,
        }
    }
}

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// What is left to write: a term, or text between terms.
        enum Task {
            Term(TermId),
            Text(&'static str),
        }
        let mut tasks = vec![Task::Term(self.term)];
        while let Some(task) = tasks.pop() {
            let term = match task {
                Task::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Task::Term(term) => term,
            };
            match self.store.view(term) {
                Term::Variable(number) => match self.variables.get(number as usize) {
                    Some(&name) => write!(f, "?{}", self.store.name(name))?,
                    None => write!(f, "?v{number}")?,
                },
                Term::Atom(symbol) => f.write_str(self.store.name(symbol))?,
                Term::Integer(value) => write!(f, "{value}")?,
                Term::Float(value) => write!(f, "{value:?}")?,
                Term::Text(symbol) => write!(f, "{:?}", self.store.name(symbol))?,
                Term::Compound(symbol, arguments) => {
                    write!(f, "({}", self.store.name(symbol))?;
                    tasks.push(Task::Text(")"));
                    for &argument in arguments.iter().rev() {
                        tasks.push(Task::Term(argument));
                        tasks.push(Task::Text(" "));
                    }
                }
            }
        }
        Ok(())
    }
}
